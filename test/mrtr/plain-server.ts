import { fail, result, Server, type ServerOptions, ToolError } from 'rondo'

/** A server that never asks, with something of everything. */
export function plainServer(options: ServerOptions = {}): Server {
  const server = new Server(
    { name: 'plain', version: '1.2.3', title: 'Plain', instructions: 'Call add to add.' },
    { pageSize: 2, rateLimit: false, ...options },
  )
  const sum = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] } as const
  const numbers = {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
  } as const
  server.tool('add', { title: 'Add', description: 'Adds', input: numbers, output: sum }, (args) => {
    const { a, b } = args as { a: number; b: number }
    return { sum: a + b }
  })
  server.tool('say', { annotations: { readOnlyHint: true } }, () => 'said')
  server.tool('fail', {}, () => fail('It failed.'))
  server.tool('throw', {}, () => {
    throw new ToolError('It threw.')
  })
  server.tool('break', {}, () => {
    throw new Error('a secret')
  })
  server.tool('tell', {}, async (_args, ctx) => {
    ctx.progress(1, 2, 'half')
    ctx.log.info({ told: true })
    return result({ content: [{ type: 'text', text: 'told' }], _meta: { 'com.example/took': 12 } })
  })
  server.prompt('greet', { description: 'Greets', arguments: { who: { required: true } } }, ({ who }) => `Greet ${who}`)
  server.resource('note', { uri: 'note://one', mimeType: 'text/plain' }, () => 'One note')
  server.resource('bytes', { uri: 'note://bytes' }, () => new Uint8Array([0, 255]))
  server.resourceTemplate(
    'day',
    { uriTemplate: 'day://{day}', complete: { day: ['monday', 'tuesday'] } },
    ({ day }) => `It is ${day}`,
  )
  server.method('acme/double', {}, (params) => ({ doubled: Number(params['n']) * 2 }))
  return server
}

/** Requests that reach every corner of {@link plainServer}. */
export const REQUESTS: readonly (readonly [method: string, params: object])[] = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['tools/list', { cursor: 'nonsense' }],
  ['tools/call', { name: 'add', arguments: { a: 1, b: 2 } }],
  ['tools/call', { name: 'add', arguments: { a: 1 } }],
  ['tools/call', { name: 'add', arguments: [] }],
  ['tools/call', { name: 'say' }],
  ['tools/call', { name: 'fail' }],
  ['tools/call', { name: 'throw' }],
  ['tools/call', { name: 'break' }],
  ['tools/call', { name: 'tell' }],
  ['tools/call', { name: 'nothing' }],
  ['prompts/get', { name: 'greet', arguments: { who: 'Ada' } }],
  ['prompts/get', { name: 'greet' }],
  ['resources/read', { uri: 'note://one' }],
  ['resources/read', { uri: 'note://bytes' }],
  ['resources/read', { uri: 'day://monday' }],
  ['resources/read', { uri: 'note://none' }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'day://{day}' }, argument: { name: 'day', value: 'm' } }],
  ['acme/double', { n: 21 }],
  ['acme/nothing', {}],
]
