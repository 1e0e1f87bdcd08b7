import { handle } from './handle.mjs'

/** A fetch handler with nothing in it. */
export async function bareFetch(request) {
  return new Response(handle(await request.text()), { headers: { 'content-type': 'application/json' } })
}
