import { type Ask, type AskingServer } from '../../client/handlers.ts'
import { harmless, oneLine } from '../terminal/harmless.ts'
import { type Paint } from '../terminal/paint.ts'
import { widthOf } from '../terminal/width.ts'
import { hung, wrap } from '../terminal/wrap.ts'

/** Who asks, in one line. What the server says of itself is unverified, so its address stands beside it. */
export function askerLine(server: AskingServer): string {
  const address = oneLine(server.address)
  const called = server.title ?? server.name
  if (called === undefined) return address
  const version = server.version === undefined ? '' : ` ${oneLine(server.version, 20)}`
  return `${oneLine(called, 40)}${version} (${address})`
}

/**
 * The head of an ask: who asks what, for which call, and the server's text set off by a bar so that it cannot pass for
 * ours.
 */
export function headOf(ask: Ask<unknown>, what: string, message: string, paint: Paint, columns: number): string {
  const { call, round, key, place } = ask
  const counted = place.of === 1 ? 'ask' : `ask ${place.at} of ${place.of},`
  const forCall = `${call.method} ${oneLine(call.name, 80)}, round ${round}, ${counted} "${nameOf(key)}"`
  const { text, reason } = isPutAgain(key) ? reasonOf(message) : { text: message, reason: undefined }
  return [
    '',
    hung(`${askerLine(ask.server)} ${what}`, columns).replace(askerLine(ask.server), (who) => paint('bold', who)),
    paint('dim', hung(forCall, columns)),
    '',
    ...(reason === undefined
      ? []
      : [paint('yellow', 'The server did not take the last answer:'), ...quoted(reason, paint, columns), '']),
    ...quoted(text, paint, columns),
    '',
  ].join('\n')
}

/** The ask's key as its author wrote it: `~2` and so on only say that it is put again. */
export function nameOf(key: string): string {
  return oneLine(authorKey(key), 40)
}

/** The key as an answers file has it. */
export function authorKey(key: string): string {
  return key.replace(PUT_AGAIN, '')
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

/** Text from the server, each row it takes in a terminal of that many columns behind a bar. */
export function quoted(text: string, paint: Paint, columns: number): string[] {
  return wrap(harmless(text), columns - BAR_WIDTH).map((row) => `${paint('cyan', '┃')} ${row}`)
}

/** The bar, its blank, and the last column, at which some terminals wrap already. */
const BAR_WIDTH = 3

/** Text from the server behind words of ours: on their line where all of it fits there, else behind a bar below. */
export function beside(words: string, text: string, paint: Paint, columns: number): string {
  const shown = harmless(text)
  const fits = !/[\n\t]/.test(shown) && widthOf(`${words} ${shown}`) < columns
  return fits ? `${words} ${shown}` : [hung(words, columns), ...quoted(text, paint, columns)].join('\n')
}
