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
  const forCall = `${call.method} ${oneLine(call.name, 80)}, round ${round}, ask "${oneLine(key.replace(/~\d+$/, ''), 80)}"`
  return [
    '',
    `${paint('bold', askerLine(ask.server))} ${what}`,
    paint('dim', forCall),
    '',
    ...quoted(message, paint),
    '',
  ].join('\n')
}

/** Text from the server, each line behind a bar. */
export function quoted(text: string, paint: Paint): string[] {
  return harmless(text)
    .split('\n')
    .map((line) => `${paint('cyan', '┃')} ${line}`)
}
