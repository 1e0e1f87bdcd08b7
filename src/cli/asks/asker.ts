import { type Ask, type AskingServer } from '../../client/handlers.ts'
import { harmless, oneLine } from '../terminal/harmless.ts'
import { type Paint } from '../terminal/paint.ts'

/** Who asks, in one line. What the server says of itself is unverified, so its address stands beside it. */
export function askerLine(server: AskingServer): string {
  const address = oneLine(server.address)
  const called = server.title ?? server.name
  if (called === undefined) return address
  const version = server.version === undefined ? '' : ` ${oneLine(server.version, 40)}`
  return `${oneLine(called, 80)}${version} (${address})`
}

/** The head of an ask: who asks what, for which call, and the server's text set off by a bar so that it cannot pass for ours. */
export function headOf(ask: Ask<unknown>, what: string, message: string, paint: Paint): string {
  const { call, round, key } = ask
  const forCall = `${call.method} ${oneLine(call.name, 80)}, round ${round}, ask "${nameOf(key)}"`
  const { text, reason } = isPutAgain(key) ? reasonOf(message) : { text: message, reason: undefined }
  return [
    '',
    `${paint('bold', askerLine(ask.server))} ${what}`,
    paint('dim', forCall),
    '',
    ...(reason === undefined
      ? []
      : [paint('yellow', 'The server did not take the last answer:'), ...quoted(reason, paint), '']),
    ...quoted(text, paint),
    '',
  ].join('\n')
}

/** The ask's key as its author wrote it: `~2` and so on only say that it is put again. */
export function nameOf(key: string): string {
  return oneLine(key.replace(PUT_AGAIN, ''), 80)
}

/** Whether the ask was put before, with another text. */
export function isPutAgain(key: string): boolean {
  return PUT_AGAIN.test(key)
}

const PUT_AGAIN = /~\d+$/

/** The reason that a server made with Rondo puts in brackets below the message of an ask that it puts again. */
function reasonOf(message: string): { readonly text: string; readonly reason: string | undefined } {
  const [, text, reason] = /^(.*)\n\n\((.*)\)$/s.exec(message) ?? []
  return text === undefined ? { text: message, reason: undefined } : { text, reason }
}

/** Text from the server, each line behind a bar. */
export function quoted(text: string, paint: Paint): string[] {
  return harmless(text)
    .split('\n')
    .map((line) => `${paint('cyan', '┃')} ${line}`)
}
