import { RondoError } from '../errors/rondo-error.ts'

/** What a request is refused with once the server was stopped. */
export function serverClosed(): RondoError<'SERVER_CLOSED'> {
  return new RondoError(
    'SERVER_CLOSED',
    'The server was stopped. Send the request again, to another instance or later.',
  )
}
