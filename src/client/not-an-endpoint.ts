import { RondoError } from '../errors/rondo-error.ts'

/** Where MCP servers usually stand. */
const USUAL = '/mcp'

/** Characters of what was answered that the error's text quotes. */
const QUOTED = 120

/**
 * The error for a URL at which there is something, and no MCP endpoint (HTTP 404).
 *
 * @param said what was answered, for people
 */
export function notAnEndpoint(address: string, said: string, cause?: unknown): RondoError<'HTTP_STATUS'> {
  // A page is nothing to read here, and what steers a terminal has no place in a text.
  const words = said.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  const quote = /^[<{[]/.test(words) ? '' : words.slice(0, QUOTED).replace(/\.$/, '')
  const told = quote === '' ? 'HTTP 404' : `HTTP 404: ${quote}`
  const usual = new URL(USUAL, address).href
  const place = address === usual ? '' : ` The endpoint may be at ${usual}.`
  return new RondoError(
    'HTTP_STATUS',
    `At ${address} something that is not an MCP endpoint answered (${told}). Is the URL right?${place}`,
    { cause, data: { status: 404, body: said } },
  )
}
