import { expect, it } from 'vitest'
import { Server, type ServerLog } from '../entry/index.ts'
import { callTool, rpc } from '../../test/support/rpc.ts'

const warnings = (logs: readonly ServerLog[], code: string) => logs.filter((event) => event.code === code)

it('what is said once a thing is bounded, whatever peers and handlers call their things', async () => {
  const logs: ServerLog[] = []
  const server = new Server(
    { name: 's', version: '1.0.0' },
    { log: (event) => void logs.push(event), rateLimit: false },
  )
  server.tool('t', {}, async (args, ctx) => {
    await ctx.scope(String(args['scope'])).ask.text('password', 'Your password?', { title: 'Password' })
    return 'x'
  })
  const ask = (scope: string) => callTool(server, 't', { scope })
  await ask('first')
  await ask('first')
  expect(warnings(logs, 'form-asks-secret')).toHaveLength(1)
  for (let i = 0; i < 1100; i += 1) await ask(`more-${i}`)
  logs.length = 0
  await ask('more-1099')
  expect(warnings(logs, 'form-asks-secret')).toHaveLength(0)
  // Said again: it was forgotten, and did not stay in memory for ever.
  await ask('first')
  expect(warnings(logs, 'form-asks-secret')).toHaveLength(1)
})

it('a row that is left out is told once, and another of its lister too', async () => {
  const logs: ServerLog[] = []
  const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => void logs.push(event) })
  server.resources(() => ({
    resources: [
      { uri: 'no uri', name: 'a' },
      { uri: 'a:b', name: '' },
    ],
  }))
  await rpc(server, 'resources/list')
  await rpc(server, 'resources/list')
  expect(warnings(logs, 'resource-left-out')).toHaveLength(2)
})

it('E1 an ask that is tested in place of its answer is warned of once for a handler and a key, with the way out', async () => {
  const logs: ServerLog[] = []
  const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => void logs.push(event) })
  const careless = (name: string, key: string) =>
    server.tool(name, {}, (_args, ctx) => (Boolean(ctx.ask.confirm(key, 'Delete?')) ? 'deleted' : 'kept'))
  careless('one', 'go')
  careless('two', 'go')
  for (const name of ['one', 'one', 'two', 'one', 'two']) await callTool(server, name)
  const told = warnings(logs, 'NOT_AWAITED')
  expect(told.map(({ target, level }) => [target, level])).toEqual([
    ['one', 'warn'],
    ['two', 'warn'],
  ])
  expect(told[0]?.message).toMatch(/ask "go".*nobody was asked.*Write await before it/)
})
