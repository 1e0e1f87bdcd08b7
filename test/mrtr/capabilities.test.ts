import { InputRequiredResult } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, EVERYTHING, rpc } from '../support/rpc.ts'
import { asking, askingServer, CALLS, FORM, METHODS, ROOTS, SAMPLE, URL_ASK } from './asking-server.ts'

const FIVE = {
  form: FORM,
  url: URL_ASK,
  sample: SAMPLE,
  tools: { ...SAMPLE, params: { ...SAMPLE.params, tools: [] } },
  roots: ROOTS,
} as const
const five = () => new InputRequiredResult({ inputRequests: FIVE, requestState: 'x' })

describe('capabilities', () => {
  it('S0.14 a state alone takes no capability', async () => {
    for (const { method, params } of CALLS) {
      const server = askingServer(() => new InputRequiredResult({ requestState: 'later' }))
      const { result } = await rpc(server, method, params, { capabilities: {} })
      expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string })
    }
  })

  it.each(CALLS)('S0.33 what another request declared counts for nothing: $name', async ({ method, params }) => {
    const server = askingServer(() => asking())
    expect((await rpc(server, method, params, { capabilities: EVERYTHING })).result).toBeDefined()
    expect((await rpc(server, method, params, { capabilities: {} })).error?.code).toBe(-32021)
    expect((await rpc(server, method, params, { capabilities: EVERYTHING })).result).toBeDefined()
  })

  it.each(['form', 'url', 'sample', 'tools', 'roots'] as const)(
    'S0.34 only %s uncovered withholds all five asks',
    async (lacking) => {
      const capabilities = {
        elicitation: lacking === 'form' ? { url: {} } : lacking === 'url' ? { form: {} } : { form: {}, url: {} },
        ...(lacking === 'sample' ? {} : { sampling: lacking === 'tools' ? {} : { tools: {} } }),
        ...(lacking === 'roots' ? {} : { roots: {} }),
      }
      const exchange = {}
      const server = askingServer(five)
      const text = JSON.stringify(await rpc(server, 'tools/call', CALLS[0]?.params, { capabilities, exchange }))
      expect(text).toContain('-32021')
      for (const word of ['inputRequests', 'requestState', 'Which?', 'example.com', 'roots/list']) {
        expect(text).not.toContain(word)
      }
    },
  )

  it.each(METHODS)('S1.21 $method answers an uncovered ask with -32021 and HTTP 400', async ({ method, params }) => {
    const reply = await rpc(
      askingServer(() => asking('x')),
      method,
      params,
      { capabilities: { roots: {} }, id: 'five' },
    )
    expect(reply).toMatchObject({ status: 400, id: 'five', error: { code: -32021 } })
    expect(reply.result).toBeUndefined()
  })

  it('S1.22 the data merge everything missing over all asks into one object', async () => {
    const server = askingServer(five)
    const data = async (capabilities: object): Promise<unknown> =>
      (await callTool(server, 'it', { a: '1' }, {}, { capabilities })).error?.data
    expect(await data({})).toEqual({
      requiredCapabilities: { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} },
    })
    const two = askingServer(() => asking())
    const reply = await callTool(two, 'it', { a: '1' }, {}, { capabilities: {} })
    expect(reply.error?.data).toEqual({ requiredCapabilities: { elicitation: { form: {} }, roots: {} } })
  })

  it('S1.23 what is listed is the missing part, and the message names the asks', async () => {
    const server = askingServer(five)
    const capabilities = { elicitation: {}, sampling: {}, roots: {} }
    const { error } = await callTool(server, 'it', { a: '1' }, {}, { capabilities })
    expect(error?.data).toEqual({ requiredCapabilities: { elicitation: { url: {} }, sampling: { tools: {} } } })
    expect(error?.message).toContain('url')
    expect(error?.message).toContain('tools')
    expect(error?.message).not.toMatch(/\b(form|sample|roots)\b/)
  })

  it.each(METHODS)('S1.44 $method answers with -32021 and the merged data', async ({ method, params }) => {
    const reply = await rpc(askingServer(five), method, params, { capabilities: { elicitation: { url: {} } } })
    expect(reply).toEqual({
      jsonrpc: '2.0',
      status: 400,
      id: reply.id,
      error: {
        code: -32021,
        message: expect.any(String) as string,
        data: { requiredCapabilities: { elicitation: { form: {} }, sampling: { tools: {} }, roots: {} } },
      },
    })
  })

  it('S1.44 the ask form is gated by the same rule', async () => {
    const server = askingServer(async (ctx) => {
      await Promise.all([ctx.ask.confirm('go', 'Go?'), ctx.ask.roots('dirs')])
      return 'never'
    })
    const { status, error } = await callTool(server, 'it', { a: '1' }, {}, { capabilities: { elicitation: {} } })
    expect([status, error?.code, error?.data]).toEqual([400, -32021, { requiredCapabilities: { roots: {} } }])
  })
})
