import { Writable } from 'node:stream'

/** The same terminal without colours: prompts paint whether colour is wanted or not, so it is taken out on the way. */
export function plainOutput(terminal: NodeJS.WriteStream): NodeJS.WritableStream {
  const plain = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      terminal.write(String(chunk).replace(/\x1b\[[\d;]*m/g, ''), () => done())
    },
  })
  // What prompts ask a terminal for: its size, and to be told when that changes.
  Object.defineProperties(plain, {
    isTTY: { value: true },
    columns: { get: () => terminal.columns },
    rows: { get: () => terminal.rows },
  })
  terminal.on('resize', () => plain.emit('resize'))
  return plain
}
