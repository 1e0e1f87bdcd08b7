import { expect, it } from 'vitest'
import { Server, type ServerLog, type ServerOptions } from '../entry/index.ts'
import { callTool, rpc } from '../../test/support/rpc.ts'

const LONG = 'x'.repeat(1000)

function serverOf(options: ServerOptions = {}): Server {
  const server = new Server({ name: 'long', version: '1.0.0' }, { maxResultLength: 800, ...options })
  server.tool('long', {}, () => LONG)
  server.tool('late', {}, async () => LONG)
  server.tool('short', {}, () => 'short')
  server.tool('asks', {}, async (_, ctx) => String(await ctx.ask.confirm('sure', LONG)))
  server.prompt('long', {}, () => LONG)
  server.resource('long', { uri: 'note://long', description: LONG }, () => LONG)
  server.method('example/long', {}, () => ({ text: LONG }))
  return server
}

const CALLS: [string, string, object, string | undefined][] = [
  ['a tool', 'tools/call', { name: 'long' }, 'long'],
  ['a tool that takes its time', 'tools/call', { name: 'late' }, 'late'],
  ['a tool that asks', 'tools/call', { name: 'asks' }, 'asks'],
  ['a prompt', 'prompts/get', { name: 'long' }, 'long'],
  ['a resource', 'resources/read', { uri: 'note://long' }, 'note://long'],
  ['a list', 'resources/list', {}, undefined],
  ['a method of its own', 'example/long', {}, undefined],
]

it.each(CALLS)(
  'a result over the limit is -32603, and the log says whose: %s',
  async (_what, method, params, target) => {
    const log: ServerLog[] = []
    const server = serverOf({ log: (event) => void log.push(event) })
    const { error } = await rpc(server, method, params)
    expect(error).toEqual({ code: -32603, message: 'Internal error (RESULT_TOO_LARGE)' })
    const [event] = log.filter(({ code }) => code === 'RESULT_TOO_LARGE')
    expect(event).toMatchObject({ level: 'error', method, ...(target === undefined ? {} : { target }) })
    expect(event?.message).toContain('maxResultLength')
  },
)

it('a result up to the limit goes out, and 1 MB does unless told otherwise', async () => {
  expect((await callTool(serverOf(), 'short')).error).toBeUndefined()
  const server = new Server({ name: 'long', version: '1.0.0' })
  server.tool('long', {}, () => LONG.repeat(1000))
  expect((await callTool(server, 'long')).error).toBeUndefined()
})

it.each([0, -1, 1.5, Number.NaN, '100'])('maxResultLength: %s is refused', (maxResultLength) => {
  expect(() => serverOf({ maxResultLength: maxResultLength as number })).toThrow('maxResultLength')
})
