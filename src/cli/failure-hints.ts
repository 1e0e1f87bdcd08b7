import { type ErrorCode } from '../errors/codes.ts'

interface Hint {
  readonly code: ErrorCode
  /** What the message must say. */
  readonly says?: RegExp
  readonly hint: string
}

const STDIO = 'A server over stdio calls serve(server) and runs until its stdin ends.'

/** What most likely helps, the first that fits. */
const HINTS: readonly Hint[] = [
  { code: 'TRANSPORT_FAILED', says: /ECONNREFUSED/, hint: 'Does the server run, and at this port?' },
  { code: 'TRANSPORT_FAILED', says: /ENOTFOUND|EAI_AGAIN/, hint: 'Is the name of the host right?' },
  {
    code: 'TRANSPORT_FAILED',
    says: /wrong version number|packet length too long/,
    hint: 'It does not speak TLS. Did you mean http://?',
  },
  {
    code: 'TRANSPORT_FAILED',
    says: /could not be started: .*ENOENT/,
    hint: 'Is the program installed, and its path right?',
  },
  { code: 'TRANSPORT_FAILED', says: /could not be started: .*EACCES/, hint: 'Is the file a program that you may run?' },
  { code: 'TRANSPORT_CLOSED', says: /exited with code 0/, hint: STDIO },
  {
    code: 'HTTP_STATUS',
    says: /HTTP 40[13]/,
    hint: "It wants to know who you are: --header 'Authorization: Bearer …'",
  },
  { code: 'HTTP_STATUS', says: /with HTTP/, hint: 'Is the URL that of an MCP endpoint? Many end in /mcp.' },
]

/** What a person can do about a failure, where that is known. */
export function hintFor(code: ErrorCode, message: string): string | undefined {
  return HINTS.find((hint) => hint.code === code && (hint.says === undefined || hint.says.test(message)))?.hint
}
