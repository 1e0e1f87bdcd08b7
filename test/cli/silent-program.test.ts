import { expect, test } from 'vitest'
import { run } from '../../src/cli/program.ts'
import { type Host } from '../../src/cli/terminal/host.ts'
import { nodeHost } from '../../src/cli/terminal/host.node.ts'

test('a program that writes nothing to stdout is told, with its last words', async () => {
  let err = ''
  const stderr = { write: (text: string) => void (err += text), isTerminal: false, columns: Infinity, colour: false }
  const host: Host = { ...nodeHost(), stderr, terminal: undefined }
  const program = "console.error('listening on 1234'); process.stdin.resume().on('end', () => process.exit())"
  expect(await run(['list', '--timeout', '2s', '--', process.execPath, '-e', program], host)).toBe(4)
  expect(err).toContain('runs, but wrote no MCP message to stdout. Its last words on stderr:\n┃ listening on 1234')
  expect(err).toContain('Does it call serve(server)?')
  expect(err).not.toContain('connectTimeout')
})
