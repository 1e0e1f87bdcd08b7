import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, root } from '../ensure-built.ts'

let folder: string
beforeAll(async () => {
  await ensureBuilt()
  folder = mkdtempSync(join(tmpdir(), 'rondo-cli-'))
  writeFileSync(
    join(folder, 'server.mjs'),
    `import { Server } from ${JSON.stringify(join(root, 'dist/index.js'))}
     import { serve } from ${JSON.stringify(join(root, 'dist/stdio.js'))}
     const server = new Server({ name: 'greeter', version: '1.0.0' })
     server.tool('greet', {}, async (_, ctx) => {
       console.log('noise')
       return (await ctx.ask.confirm('loud', 'Loudly?')) ? 'HELLO' : 'hello'
     })
     serve(server)`,
  )
  writeFileSync(join(folder, 'answers.json'), '{ "loud": true }')
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The built command, as a process of its own without a terminal. */
function rondo(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'dist/cli.js'), ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    )
  })
}

describe('the built command', () => {
  const server = ['--', process.execPath, 'server.mjs'] as const

  test('calls a tool of a program, and ends', async () => {
    const answered = await rondo('call', 'greet', '--answers', 'answers.json', ...server)
    expect(answered).toEqual({ code: 0, stdout: 'HELLO\n', stderr: '' })
  })

  test('without a terminal and without answers ends with 3, and prints nothing on stdout', async () => {
    const { code, stdout, stderr } = await rondo('call', 'greet', ...server)
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toContain('The server asks "loud", and there is no terminal to ask in.')
    expect(stderr).not.toContain('\x1b')
  })

  test('lists, and shows its version', async () => {
    expect((await rondo('list', ...server)).stdout).toContain('greet()')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect((await rondo('--version')).stdout).toBe(`${version}\n`)
  })

  test('a program that is not there: 4', async () => {
    const { code, stderr } = await rondo('list', '--', './nowhere')
    expect(code).toBe(4)
    expect(stderr).toContain('could not be started')
    expect(stderr).toContain('Is the program installed, and its path right?')
  })

  test('a program that ends at once: its command, its exit code and its last words', async () => {
    const failing = await rondo(
      'list',
      '--',
      process.execPath,
      '-e',
      'console.error("no port\\nleft"); process.exit(3)',
    )
    expect(failing.code).toBe(4)
    expect(failing.stderr).toMatch(
      /^error: ".* -e .*" exited with code 3\. Its last words on stderr:\n┃ no port\n┃ left\n$/,
    )
    const done = await rondo('list', '--', process.execPath, '-e', '')
    expect(done.stderr).toContain('exited with code 0')
    expect(done.stderr).toContain('calls serve(server) and runs until its stdin ends.')
  })

  test('check reads files from the disk', async () => {
    writeFileSync(join(folder, 'bad.ts'), "tool('a', async (_, ctx) => { if (ctx.ask.confirm('go', 'Go?')) return 1 })")
    const { code, stdout } = await rondo('check', 'bad.ts')
    expect(code).toBe(1)
    expect(stdout).toContain('bad.ts:1:35 ask-not-awaited')
  })
})

test('scripts/demo makes a tag on a copy, shows each round, and leaves nothing behind', () => {
  const output = execFileSync(join(root, 'scripts/demo'), {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  expect(output).toMatch(/^Tagged [0-9a-f]{9} of rondo as v?\d+\.\d+\.\d+\./m)
  expect(output).toContain('What Git now has, the tag ')
  expect(output).toContain('Release-Key: ')
  expect(readdirSync(folder).filter((name) => name.startsWith('rondo-demo'))).toEqual([])
}, 180_000)
