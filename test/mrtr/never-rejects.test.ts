import { inputRequired, Server, ToolError, WireError, type ServerLog, type ServerOptions } from 'rondo'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { callTool, requestText, rpc, type RpcReply } from '../support/rpc.ts'

const no = (): never => {
  throw new Error('no')
}
const brand = (name: string, more: object = {}): object => Object.assign({ [Symbol.for(name)]: true }, more)
const getter = (target: object, name: string): object => Object.defineProperty(target, name, { get: no })
const trapped = new Proxy(
  {},
  Object.fromEntries(
    Reflect.ownKeys(Reflect)
      .filter((key) => typeof key === 'string')
      .map((key) => [key, no]),
  ),
)

/** What somebody's code may throw, made anew each time. */
const THROWN: readonly [string, () => unknown][] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['0', () => 0],
  ['a text', () => 'a secret'],
  ['a symbol', () => Symbol('s')],
  ['a BigInt', () => 1n],
  ['a function', () => no],
  ['an object without prototype', () => Object.create(null) as unknown],
  ['a proxy all of whose traps throw', () => trapped],
  ['an error', () => new Error('a secret')],
  ['an error without a message', () => Object.assign(new Error('x'), { message: undefined })],
  ['an error whose message cannot be read', () => getter(new Error('x'), 'message')],
  ['an error whose stack cannot be read', () => getter(new Error('x'), 'stack')],
  [
    'an error that is its own cause',
    () => {
      const error = new Error('x')
      error.cause = error
      return error
    },
  ],
  ...(
    [
      {},
      { code: undefined },
      { code: null },
      { code: 7 },
      { code: {} },
      { code: trapped },
      { code: Symbol('s') },
      { code: 'toString' },
      { code: '__proto__' },
      { code: 'FROM_THE_FUTURE' },
      { code: 'STATE_REFUSED' },
      { code: 'INVALID_PARAMS', message: 'a secret' },
      { code: 'RESPONSE_ERROR', message: 'a secret' },
      { code: 'ASK_UNFIT' },
    ] as object[]
  ).map((more): [string, () => unknown] => [
    `a Rondo error by its brand alone, ${describeIt(more)}`,
    () => brand('rondo.error', more),
  ]),
  ['a Rondo error whose code cannot be read', () => getter(brand('rondo.error'), 'code')],
  ...(
    [
      { wire: 7 },
      { wire: 7, message: 5 },
      { wire: NaN, message: 'x' },
      { wire: 1.5, message: 'x' },
      { wire: -32001, message: 'x' },
      { wire: -32602, message: 'x', code: 'PARSE_ERROR' },
      { wire: 7, message: trapped },
      { wire: 7, message: 'x', code: 'INVALID_PARAMS' },
      { wire: 7, message: 'x', data: 1n },
    ] as object[]
  ).flatMap((more): [string, () => unknown][] => [
    [`half a wire error, ${describeIt(more)}`, () => brand('rondo.error', { code: 'WIRE_CUSTOM', ...more })],
    [
      `half a wire error that shows itself, ${describeIt(more)}`,
      () => brand('rondo.error', { code: 'WIRE_CUSTOM', toJSON: () => undefined, ...more }),
    ],
    [
      `half a wire error that cannot be shown, ${describeIt(more)}`,
      () => brand('rondo.error', { code: 'WIRE_CUSTOM', toJSON: no, ...more }),
    ],
  ]),
  ...(['wire', 'message', 'data', 'status', 'toJSON', 'code'] as const).map((name): [string, () => unknown] => [
    `a wire error whose ${name} cannot be read`,
    () => getter(new WireError(1, 'x'), name),
  ]),
  ...(
    [
      ['message', 5],
      ['message', trapped],
      ['status', 0],
      ['status', 'x'],
      ['status', 99_999],
      ['wire', 'x'],
      ['wire', NaN],
      ['data', 1n],
      ['data', trapped],
      ['toJSON', () => undefined],
      ['toJSON', 5],
    ] as const
  ).map(([name, odd]): [string, () => unknown] => [
    `a wire error whose ${name} is odd (${typeof odd})`,
    () => Object.defineProperty(new WireError(1, 'x'), name, { value: odd }),
  ]),
  ['a tool error by its brand alone', () => brand('rondo.tool-error')],
  ['a tool error whose message cannot be read', () => getter(new ToolError('x'), 'message')],
]

function describeIt(more: object): string {
  return (
    Object.entries(more)
      .map(
        ([name, value]) =>
          `${name}: ${value === trapped ? 'a proxy' : typeof value === 'string' ? value : typeof value}`,
      )
      .join(', ') || 'with nothing'
  )
}

type Thrower = () => never
type Case = (server: (options?: ServerOptions) => Server, thrower: Thrower) => Promise<RpcReply>

const accepted = { a: { action: 'accept', content: { a: 'x', value: true } } }
const throwingSchema = (thrower: Thrower) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'mine',
    validate: thrower,
    jsonSchema: { input: () => ({ type: 'object', properties: { a: { type: 'string' } } }), output: () => ({}) },
  },
})

async function twoRounds(server: Server): Promise<RpcReply> {
  const first = await callTool(server, 't')
  return callTool(server, 't', {}, { requestState: first.result?.requestState, inputResponses: accepted })
}

const tool = (server: Server, run: Parameters<Server['tool']>[2], options: object = {}): Server => {
  server.tool('t', options, run as never)
  return server
}

/** Every function that a user gives, where it is called. */
const FUNCTIONS: readonly [string, Case][] = [
  ['a tool', (make, thrower) => callTool(tool(make(), thrower), 't')],
  [
    'a prompt',
    (make, thrower) => {
      const s = make()
      s.prompt('p', {}, thrower)
      return rpc(s, 'prompts/get', { name: 'p' })
    },
  ],
  [
    'a resource',
    (make, thrower) => {
      const s = make()
      s.resource('r', { uri: 'a:b' }, thrower)
      return rpc(s, 'resources/read', { uri: 'a:b' })
    },
  ],
  [
    'a template',
    (make, thrower) => {
      const s = make()
      s.resourceTemplate('r', { uriTemplate: 'a:{b}' }, thrower)
      return rpc(s, 'resources/read', { uri: 'a:b' })
    },
  ],
  [
    'a custom method',
    (make, thrower) => {
      const s = make()
      s.method('acme/m', {}, thrower)
      return rpc(s, 'acme/m')
    },
  ],
  [
    'the schema of a custom method',
    (make, thrower) => {
      const s = make()
      s.method('acme/m', { params: throwingSchema(thrower) }, () => ({}))
      return rpc(s, 'acme/m')
    },
  ],
  [
    'the input of a tool',
    (make, thrower) =>
      callTool(
        tool(make(), () => 'x', { input: throwingSchema(thrower) }),
        't',
      ),
  ],
  [
    'the output of a tool',
    (make, thrower) =>
      callTool(
        tool(make(), () => 'x', { output: throwingSchema(thrower) }),
        't',
      ),
  ],
  [
    'a transform of zod',
    (make, thrower) =>
      callTool(
        tool(make(), () => 'x', { input: z.object({ a: z.string().default('x').refine(thrower) }) }),
        't',
      ),
  ],
  [
    'the schema of a form',
    (make, thrower) =>
      twoRounds(
        tool(make(), async (_args: unknown, ctx) => {
          await ctx.ask.form('a', { message: 'x', schema: throwingSchema(thrower) })
          return 'x'
        }),
      ),
  ],
  [
    'a toJSON of what a tool returns',
    (make, thrower) =>
      callTool(
        tool(make(), () => ({ type: 'text', text: 'x', annotations: { audience: [{ toJSON: thrower }] } }) as never),
        't',
      ),
  ],
  [
    'a step',
    (make, thrower) =>
      callTool(
        tool(make(), async (_args: unknown, ctx) => {
          await ctx.step('a', thrower)
          return 'x'
        }),
        't',
      ),
  ],
  [
    'a poll',
    (make, thrower) =>
      callTool(
        tool(make(), async (_args: unknown, ctx) => {
          await ctx.waitFor('a', thrower)
          return 'x'
        }),
        't',
      ),
  ],
  [
    'a clean-up',
    (make, thrower) =>
      callTool(
        tool(make(), (_args: unknown, ctx) => {
          ctx.onAttemptEnd(thrower)
          return 'x'
        }),
        't',
      ),
  ],
  [
    'a visible rule',
    (make, thrower) =>
      callTool(
        tool(make(), () => 'x', { visible: thrower }),
        't',
      ),
  ],
  [
    'a visible rule, listed',
    (make, thrower) =>
      rpc(
        tool(make(), () => 'x', { visible: thrower }),
        'tools/list',
      ),
  ],
  [
    'a lister',
    (make, thrower) => {
      const s = make()
      s.resources(thrower)
      return rpc(s, 'resources/list')
    },
  ],
  [
    'a lister of a template',
    (make, thrower) => {
      const s = make()
      s.resourceTemplate('r', { uriTemplate: 'a:{b}', list: thrower }, () => 'x')
      return rpc(s, 'resources/list')
    },
  ],
  [
    'a row of a lister',
    (make, thrower) => {
      const s = make()
      s.resources(() => ({
        resources: [
          { uri: 'a:b', name: 'x' },
          Object.defineProperty({ uri: 'a:c' } as never, 'name', { get: thrower }),
        ],
      }))
      return rpc(s, 'resources/list')
    },
  ],
  [
    'a completer',
    (make, thrower) => {
      const s = make()
      s.prompt('p', { arguments: { a: { complete: thrower } } }, () => 'x')
      return rpc(s, 'completion/complete', {
        ref: { type: 'ref/prompt', name: 'p' },
        argument: { name: 'a', value: 'x' },
      })
    },
  ],
  [
    'middleware',
    (make, thrower) =>
      callTool(
        tool(make().use(thrower), () => 'x'),
        't',
      ),
  ],
  [
    'middleware around a list',
    (make, thrower) =>
      rpc(
        tool(make().use(thrower), () => 'x'),
        'tools/list',
      ),
  ],
  [
    'middleware after next',
    (make, thrower) =>
      callTool(
        tool(
          make().use(async (_call, next) => {
            await next()
            return thrower()
          }),
          () => 'x',
        ),
        't',
      ),
  ],
  [
    'a failed outcome',
    (make, thrower) =>
      callTool(
        tool(
          make().use(() => {
            try {
              return thrower()
            } catch (error) {
              return { kind: 'failed', error }
            }
          }),
          () => 'x',
        ),
        't',
      ),
  ],
  [
    'the kind of an outcome',
    (make, thrower) =>
      callTool(
        tool(
          make().use(() => Object.defineProperty({} as never, 'kind', { get: thrower })),
          () => 'x',
        ),
        't',
      ),
  ],
  [
    'the log',
    (make, thrower) =>
      callTool(
        tool(make({ log: thrower }), () => 'x'),
        't',
      ),
  ],
  [
    'the clock',
    (make, thrower) =>
      twoRounds(
        tool(
          make({ now: thrower }),
          async (_args: unknown, ctx) => `${ctx.now()}${String(await ctx.ask.confirm('a', '?'))}`,
        ),
      ),
  ],
  [
    'the clock of a handler that takes its time',
    (make, thrower) =>
      callTool(
        tool(make({ now: thrower }), () => new Promise((done) => setTimeout(done, 2, 'x'))),
        't',
      ),
  ],
  [
    'redact',
    (make, thrower) =>
      rpc(
        tool(make({ redact: thrower }), (_args: unknown, ctx) => {
          ctx.log.info('x')
          return 'x'
        }),
        'tools/call',
        { name: 't' },
        { meta: { 'io.modelcontextprotocol/logLevel': 'debug' }, exchange: { notify: () => undefined } },
      ),
  ],
  [
    'the keys',
    (make, thrower) =>
      twoRounds(
        tool(make({ state: { keys: thrower } }), async (_args: unknown, ctx) =>
          String(await ctx.ask.confirm('a', '?')),
        ),
      ),
  ],
  [
    'own sealing',
    (make, thrower) =>
      callTool(
        tool(
          make({ state: { keys: 'k'.repeat(32), crypto: { seal: thrower, open: (text) => text as never } } }),
          async (_args: unknown, ctx) => String(await ctx.ask.confirm('a', '?')),
        ),
        't',
      ),
  ],
  [
    'own opening',
    (make, thrower) =>
      twoRounds(
        tool(
          make({ state: { keys: 'k'.repeat(32), crypto: { seal: (text) => text as never, open: thrower } } }),
          async (_args: unknown, ctx) => String(await ctx.ask.confirm('a', '?')),
        ),
      ),
  ],
  [
    'a member of what asks',
    (make, thrower) =>
      callTool(
        tool(
          make(),
          () =>
            Object.defineProperty({ resultType: 'input_required' }, 'inputRequests', {
              get: thrower,
              enumerable: true,
            }) as never,
        ),
        't',
      ),
  ],
  [
    'a member of an ask',
    (make, thrower) =>
      callTool(
        tool(make(), () =>
          inputRequired({
            inputRequests: { a: Object.defineProperty({} as never, 'method', { get: thrower, enumerable: true }) },
          }),
        ),
        't',
      ),
  ],
]

/** Whether it may be on the wire: one outcome, of the shape that JSON-RPC has for it, without what was thrown. */
function expectWhole(reply: RpcReply, name: string): void {
  expect([200, 400, 404, 503], name).toContain(reply.status)
  expect(
    [reply.result, reply.error].filter((part) => part !== undefined),
    name,
  ).toHaveLength(1)
  if (reply.error !== undefined) {
    expect(Number.isInteger(reply.error.code), name).toBe(true)
    expect(typeof reply.error.message, name).toBe('string')
  }
  expect(JSON.stringify(reply), name).not.toContain('a secret')
}

/** They give no promise that anybody could wait for. */
const SYNCHRONOUS = /^(?:a transform of zod|a row of|the kind of|a member of)/

it.each(FUNCTIONS)('E6 %s may throw anything, and there is one whole reply', async (what, play) => {
  const servers = (options: ServerOptions = {}) =>
    new Server({ name: 's', version: '1.0.0' }, { log: () => undefined, ...options })
  for (const [name, make] of THROWN) {
    const throws = (): never => {
      throw make()
    }
    expectWhole(await play(servers, throws), name)
    if (!SYNCHRONOUS.test(what)) expectWhole(await play(servers, (() => Promise.reject(make())) as never), name)
  }
})

describe('messages that frameworks hand over', () => {
  const message = JSON.parse(requestText('tools/call', { name: 't' })) as Record<string, unknown>
  it.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['a proxy', () => trapped],
    ['a method that cannot be read', () => getter({ ...message }, 'method')],
    ['params that are a proxy', () => ({ ...message, params: trapped })],
    ['_meta that is a proxy', () => ({ ...message, params: { _meta: trapped } })],
    ['a notification with a proxy', () => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: trapped })],
    ['a name that cannot be read', () => ({ ...message, params: getter({ _meta: message['params'] }, 'name') })],
  ])('E6 %s is one whole reply', async (_what, make) => {
    const logs: ServerLog[] = []
    const server = new Server({ name: 's', version: '1.0.0' }, { log: (event) => void logs.push(event) })
    const reply = await server.handle(make())
    expect([200, 202, 400, 404]).toContain(reply.status)
  })
})
