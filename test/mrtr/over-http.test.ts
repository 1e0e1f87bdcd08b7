import { generateKey, type Server } from 'rondo'
import { connect, isRondoError } from 'rondo/client'
import { listen, type Listening } from 'rondo/node'
import { afterAll, describe, expect, it } from 'vitest'
import { MODERN, send } from '../support/http.ts'
import { requestText, type RpcReply } from '../support/rpc.ts'
import { asking, askingServer, CALLS, FILLED, METHODS } from './asking-server.ts'

const open: Listening[] = []
afterAll(async () => void (await Promise.all(open.map((listening) => listening.close()))))

async function urlOf(server: Server): Promise<string> {
  const listening = await listen(server, { port: 0, log: () => undefined })
  open.push(listening)
  return listening.url
}

/** Posts one modern request and reads the reply, its status beside it. */
async function post(url: string, method: string, params: object, capabilities?: object): Promise<RpcReply> {
  const { name, uri } = params as { name?: string; uri?: string }
  const headers = { ...MODERN, 'mcp-method': method, 'mcp-name': name ?? uri }
  const options = capabilities === undefined ? { id: 'same' } : { id: 'same', capabilities }
  const { status, text } = await send(url, { body: requestText(method, params, options), headers })
  return { status, ...(JSON.parse(text) as object) }
}

describe('over HTTP', () => {
  it('S1.41 an input-required result is a JSON reply with status 200', async () => {
    const url = await urlOf(askingServer(() => asking('x')))
    for (const { method, params } of CALLS) {
      const reply = await post(url, method, params)
      expect(reply).toMatchObject({ status: 200, id: 'same', result: { resultType: 'input_required' } })
    }
  })

  it('S1.21 an uncovered ask is HTTP 400 with the error in the body', async () => {
    const url = await urlOf(askingServer(() => asking('x')))
    for (const { method, params } of METHODS) {
      expect(await post(url, method, params, {})).toMatchObject({
        status: 400,
        error: { code: -32021, data: { requiredCapabilities: { elicitation: { form: {} }, roots: {} } } },
      })
    }
  })

  it('S1.31 every bad state is one and the same reply', async () => {
    const url = await urlOf(askingServer((ctx) => (ctx.requestState === undefined ? asking('x') : 'done')))
    const params = { name: 'it', arguments: { a: '1' } }
    const token = (await post(url, 'tools/call', params)).result?.requestState ?? ''
    const bad = ['', 'x', token.slice(1), `${token}A`, 42, `r1.aaaaaaaa.${'A'.repeat(300_000)}`]
    const replies = new Set<string>()
    for (const requestState of bad) {
      replies.add(JSON.stringify(await post(url, 'tools/call', { ...params, requestState })))
    }
    const other = { name: 'it', arguments: { a: '2' }, requestState: token }
    replies.add(JSON.stringify(await post(url, 'tools/call', other)))
    expect(replies.size).toBe(1)
    expect([...replies][0]).toContain('Invalid or expired requestState')
  })

  it('S1.32 the client answers and retries until the call is complete', async () => {
    const keys = generateKey()
    const server = askingServer(
      async (ctx) => {
        const which = await ctx.ask.text('which', 'Which?')
        const sure = await ctx.ask.confirm('sure', `Sure of ${which.action}?`)
        return `${which.action} ${sure}`
      },
      { state: { keys } },
    )
    const asked: string[] = []
    const client = await connect(await urlOf(server), {
      onElicit: ({ key, request }) => {
        asked.push(key)
        const { properties } = request.requestedSchema
        const content = Object.fromEntries(
          Object.entries(properties).map(([name, { type }]) => [name, type === 'boolean' ? true : 'this']),
        )
        return { action: 'accept', content }
      },
    })
    const result = await client.callTool('it', { a: '1' })
    expect(result.content).toEqual([{ type: 'text', text: 'accept true' }])
    expect((await client.getPrompt('it', { a: '1' })).messages[0]?.content).toMatchObject({ text: 'accept true' })
    expect((await client.readResource('it://one/1')).contents[0]).toMatchObject({ text: 'accept true' })
    expect(asked).toEqual(['which', 'sure', 'which', 'sure', 'which', 'sure'])
    await client.close()
  })

  it('S1.32 a round refused by the server is an error of its own, with the request to start again', async () => {
    const url = await urlOf(askingServer((ctx) => (ctx.requestState === undefined ? asking('x') : 'done')))
    const client = await connect(url, { asks: ['form', 'roots'] })
    const round = await client.startTool('it', { a: '1' })
    if (round.kind !== 'input_required') return expect.fail('was not asked')
    const forged = { ...round, token: `${String(round.token).slice(0, -1)}~` }
    const error: unknown = await client.resume(forged, { which: FILLED, dirs: { roots: [] } }).catch((e: unknown) => e)
    expect(isRondoError(error, 'ROUND_REFUSED')).toBe(true)
    expect((error as { request?: unknown }).request).toEqual(round.request)
    expect(await client.resume(round, { which: FILLED, dirs: { roots: [] } })).toMatchObject({ kind: 'complete' })
    await client.close()
  })

  it('S1.30 each round may go to another instance that shares the key alone', async () => {
    const keys = generateKey()
    const instance = async () =>
      urlOf(askingServer((ctx) => (ctx.requestState === undefined ? asking('x') : 'done'), { state: { keys } }))
    const [a, b] = [await instance(), await instance()]
    for (const { method, params, member } of CALLS) {
      const { result } = await post(a, method, params)
      const again = { ...params, requestState: result?.requestState, inputResponses: { which: FILLED } }
      expect((await post(b, method, again)).result).toHaveProperty(member)
    }
  })
})
