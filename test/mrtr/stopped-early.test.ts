import { Server, type Exchange, type Middleware } from 'rondo'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { rpc } from '../support/rpc.ts'

interface Setting {
  readonly server: Server
  /** Settles when everything before the handler has been reached, and lets it go on when called. */
  readonly gate: Promise<() => void>
  readonly entered: () => boolean
  readonly call: (exchange: Exchange) => ReturnType<typeof rpc>
}

type What = 'input' | 'arguments' | 'params' | 'middleware'

const REQUESTS: Record<What, [method: string, params: object]> = {
  input: ['tools/call', { name: 't' }],
  arguments: ['prompts/get', { name: 'p', arguments: { a: 'x' } }],
  params: ['acme/m', {}],
  middleware: ['tools/call', { name: 't' }],
}

/** A call that is held up before its handler by something asynchronous. */
function setUp(what: What): Setting {
  let reached: (go: () => void) => void
  let open: (passed: true) => void
  let entered = false
  const gate = new Promise<() => void>((resolve) => (reached = resolve))
  const passed = new Promise<true>((resolve) => (open = resolve))
  const held = (): Promise<true> => {
    reached(() => open(true))
    return passed
  }
  const server = new Server({ name: 's', version: '1.0.0' }, { log: () => undefined })
  const schema = z.object({ a: z.string().default('x').refine(held) })
  const handler = () => {
    entered = true
    return 'went'
  }
  server.tool('t', what === 'input' ? { input: schema } : {}, handler)
  server.prompt('p', { arguments: schema }, handler)
  server.method('acme/m', { params: schema }, () => ({ went: handler() }))
  const wait: Middleware = async (_call, next) => {
    await held()
    return next()
  }
  if (what === 'middleware') server.use(wait)
  const [method, params] = REQUESTS[what]
  return { server, gate, entered: () => entered, call: (exchange) => rpc(server, method, params, { exchange }) }
}

const BEFORE: What[] = ['input', 'arguments', 'params', 'middleware']

it.each(BEFORE)('a server that stops while %s is awaited starts no handler', async (what) => {
  const { server, gate, entered, call } = setUp(what)
  const reply = call({})
  const go = await gate
  server.close()
  go()
  expect(await reply).toMatchObject({ status: 503, error: { code: -32603, message: 'Internal error (SERVER_CLOSED)' } })
  expect(entered()).toBe(false)
})

it.each(BEFORE)('a call that is cancelled while %s is awaited starts no handler', async (what) => {
  const { gate, entered, call } = setUp(what)
  let gone = false
  const reply = call({
    // As transports do: who comes later is told at once.
    onCancel: (listener) => (gone ? listener('gone') : undefined),
  })
  const go = await gate
  gone = true
  go()
  expect(await reply).toEqual({ status: 0 })
  expect(entered()).toBe(false)
})

it('a server that stops signals the handlers of custom methods, too', async () => {
  const server = new Server({ name: 's', version: '1.0.0' })
  server.method('acme/m', {}, (_params, ctx) => new Promise<object>((done) => ctx.signal.addEventListener('abort', () => done({}))))
  const reply = rpc(server, 'acme/m')
  await Promise.resolve()
  server.close()
  expect(await reply).toEqual({ status: 0 })
}) // prettier-ignore
