import { inspect } from 'node:util'
import { Server } from 'rondo'
import { type Client, connect, type ConnectOptions, InputRequiredError, type ToolArguments } from 'rondo/client'
import { listen } from 'rondo/node'
import { afterEach, describe, expect, test } from 'vitest'
import { asking, form, httpServer, json, scripted, text } from './scripted-server.ts'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const failed = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error)

describe('a client that did not declare what is asked', () => {
  const refusing = (requiredCapabilities: object, message = 'Not declared') =>
    scripted(() => ({ error: { code: -32021, message, data: { requiredCapabilities } } }))

  test.each([
    [{ elicitation: { form: {} } }, '"elicitation.form": give the handler onElicit, or asks: [\'form\']'],
    [
      { elicitation: { form: {}, url: {} }, roots: {} },
      '"elicitation.form", "elicitation.url", "roots": give the handler onElicit, onUrl, onRoots, or asks: ' +
        "['form', 'url', 'roots']",
    ],
    [{ sampling: {} }, '"sampling": give the handler onSample, or asks: [\'sample\']'],
    [
      { sampling: { tools: {} } },
      '"sampling.tools": give the handler onSampleWithTools, or asks: [\'sampleWithTools\']',
    ],
  ])('is told which handler is missing for %j', async (required, told) => {
    const client = await connect(refusing(required))
    await expect(client.callTool('t')).rejects.toMatchObject({
      code: 'RESPONSE_ERROR',
      wire: -32021,
      said: 'Not declared',
      message: `Not declared. This request did not declare ${told} to answer by hand.`,
      data: { requiredCapabilities: required },
    })
  })

  test.each([[{ extensions: { 'com.example/x': {} } }], [{}], [undefined]])(
    'and nothing is made up for %j',
    async (required) => {
      const client = await connect(refusing(required as object, 'No.'))
      await expect(client.callTool('t')).rejects.toMatchObject({ message: 'No.', said: 'No.' })
    },
  )

  test('by a server of ours too', async () => {
    const server = new Server({ name: 'a', version: '1' }, { state: { keys: 'ephemeral' } })
    server.tool('t', {}, async (_args, ctx) => String(await ctx.ask.confirm('sure', 'Sure?')))
    await expect((await connect(server)).callTool('t')).rejects.toThrow(/sure\. This .* onElicit, or asks: \['form'\]/)
  })
})

describe('what is printed of an error', () => {
  const server = scripted(() => asking({ a: form() }, 'a-long-token'))

  test('is not the token, nor what was answered, and both can be read', async () => {
    const client = await connect(server, { asks: ['form'] })
    const error = await failed(client.callTool('t'))
    if (!(error instanceof InputRequiredError)) throw new Error('wrong error')
    expect(inspect(error, { depth: 9 })).not.toContain('a-long-token')
    expect(error.round.token).toBe('a-long-token')
    expect(error.data).toMatchObject({ round: { token: 'a-long-token' }, answers: {} })
  })

  test('is not the token when a call asks on and on', async () => {
    const client = await connect(server, { onElicit: () => ({ action: 'cancel' }), maxRounds: 1 })
    const error = await failed(client.callTool('t'))
    expect(error).toMatchObject({
      code: 'CLIENT_ROUNDS_EXCEEDED',
      data: { limit: 1, round: { token: 'a-long-token' } },
    })
    expect(inspect(error, { depth: 9 })).not.toContain('a-long-token')
  })
})

describe('options that there are not', () => {
  test('of connect() are refused, and the known ones named', async () => {
    const attempt = connect(
      scripted(() => text('ok')),
      { onElicits: () => undefined } as ConnectOptions,
    )
    await expect(attempt).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: { option: 'onElicits' } })
    await expect(attempt).rejects.toThrow(/connect\(\) has no option "onElicits"\. It has asks, .*onElicit, /)
  })

  test('of calls and rounds are refused before anything is sent', async () => {
    const server = scripted(() => asking({ a: form() }, 's'))
    const client = await connect(server, { asks: ['form'] })
    const wrong = { timeOut: 5 } as object
    const args: ToolArguments = {}
    const refused = { code: 'CONFIG_INVALID', data: { option: 'timeOut' } }
    await expect(client.callTool('t', args, wrong)).rejects.toMatchObject(refused)
    await expect(client.getPrompt('p', {}, wrong)).rejects.toMatchObject(refused)
    await expect(client.readResource('a:b', wrong)).rejects.toMatchObject(refused)
    await expect(client.startTool('t', args, wrong)).rejects.toMatchObject(refused)
    expect(server.calls).toHaveLength(0)
    const round = await client.startTool('t')
    if (round.kind === 'complete') throw new Error('it should have asked')
    await expect(client.resume(round, { a: { action: 'cancel' } }, wrong)).rejects.toMatchObject(refused)
    expect(server.calls).toHaveLength(1)
  })
})

describe('requests', () => {
  const wrong = { timeOut: 5 } as never

  test.each<[string, (client: Client) => unknown]>([
    ['listTools', (client) => client.listTools({}, wrong)],
    ['listPrompts', (client) => client.listPrompts({}, wrong)],
    ['listResources', (client) => client.listResources({}, wrong)],
    ['listResourceTemplates', (client) => client.listResourceTemplates({}, wrong)],
    ['tools', async (client) => client.tools(wrong)],
    ['prompts', async (client) => client.prompts(wrong)],
    ['resources', async (client) => client.resources(wrong)],
    ['resourceTemplates', async (client) => client.resourceTemplates(wrong)],
    ['complete', (client) => client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, {}, wrong)],
    ['discover', (client) => client.discover(wrong)],
    ['ready', (client) => client.ready(wrong)],
    ['request', (client) => client.request('x/y', {}, wrong)],
    ['params of a page', (client) => client.listTools(wrong)],
  ])('an option that there is not is refused by %s', async (_method, send) => {
    const server = scripted(() => text('ok'))
    const client = await connect(server)
    const seen = server.seen.length
    await expect(send(client)).rejects.toMatchObject({ code: 'CONFIG_INVALID', data: { option: 'timeOut' } })
    expect(server.seen).toHaveLength(seen)
  })

  test.each([
    ['timeout', '5'],
    ['timeout', Number.NaN],
    ['maxTimeout', -1],
    ['maxRounds', 'many'],
    ['maxWait', null],
    ['serial', 1],
    ['signal', {}],
    ['onElicit', 'yes'],
    ['onWait', {}],
    ['onProgress', true],
    ['onLog', []],
    ['logLevel', 'loud'],
    ['meta', 'x'],
    ['headers', new Headers({ a: 'b' })],
    ['headers', new Map([['a', 'b']])],
    ['headers', [['a', 'b']]],
    ['headers', { a: 1 }],
    ['asks', 'form'],
  ])('an option of a call that cannot be %s: %j', async (option, value) => {
    const server = scripted(() => text('ok'))
    const client = await connect(server)
    await expect(client.callTool('t', {}, { [option]: value })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      data: { option },
    })
    expect(server.calls).toHaveLength(0)
  })

  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  test.each<[string, (client: Client) => Promise<unknown>]>([
    ['arguments with a circle', (client) => client.callTool('t', cyclic)],
    ['arguments with a bigint', (client) => client.callTool('t', { a: 1n })],
    ['arguments that are a list', (client) => client.callTool('t', [] as never)],
    ['arguments that are a text', (client) => client.startTool('t', 'x' as never)],
    ['arguments that are null', (client) => client.getPrompt('p', null as never)],
    ['no name', (client) => client.callTool(undefined as never)],
    ['no URI', (client) => client.readResource(undefined as never)],
    ['a URI that is an object', (client) => client.readResource(new URL('file:///a') as never)],
    ['no method', (client) => client.request(undefined as never)],
    ['params with a bigint', (client) => client.request('x/y', { a: 1n })],
    ['a reference with a circle', (client) => client.complete(cyclic as never, { name: 'a', value: '' })],
    ['_meta with a bigint', (client) => client.callTool('t', {}, { meta: { 'com.example/a': 1n } })],
    ['_meta with a bigint in params', (client) => client.request('x/y', { _meta: { 'com.example/a': 1n } })],
  ])('%s is refused before anything is sent', async (_what, send) => {
    const server = scripted(() => text('ok'))
    const client = await connect(server)
    await expect(send(client)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect(server.calls).toHaveLength(0)
  })
})

describe('an address that is wrong', () => {
  test('a path beside the endpoint of a server of ours', async () => {
    const server = new Server({ name: 'a', version: '1' }, { state: { keys: 'ephemeral' } })
    const listening = await listen(server, { port: 0 })
    open.push(listening)
    const attempt = connect(listening.url.replace('/mcp', '/nope'))
    await expect(attempt).rejects.toMatchObject({ code: 'HTTP_STATUS', data: { status: 404 } })
    await expect(attempt).rejects.toThrow(
      /\/nope something that is not an MCP endpoint answered \(HTTP 404: There is nothing here\. The endpoint is \/mcp\)\. Is the URL right\? The endpoint may be at http:\/\/127\.0\.0\.1:\d+\/mcp\.$/,
    )
  })

  test.each([
    ['127.0.0.1:3920/mcp', 'http://127.0.0.1:3920/mcp'],
    ['localhost:3920', 'http://localhost:3920'],
    ['localhost/mcp', 'http://localhost/mcp'],
    ['[::1]:3920/mcp', 'http://[::1]:3920/mcp'],
    ['mcp.example.com/mcp?a=b', 'https://mcp.example.com/mcp?a=b'],
    ['mcp.example.com:8443', 'http://mcp.example.com:8443'],
    ['box:3920/mcp', 'http://box:3920/mcp'],
  ])('%s, without its scheme, is told with the one that was meant', async (given, meant) => {
    await expect(connect(given)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(/ Did you mean (\S+)\?$/) as unknown,
    })
    await expect(connect(given)).rejects.toThrow(` Did you mean ${meant}?`)
  })

  test.each([
    '',
    '/mcp',
    'server',
    'ws://localhost/mcp',
    'file:///mcp',
    'a b',
    'http://',
    'C:\\server',
    'localhost:99999',
  ])('nothing is guessed of %j', async (given) => {
    const attempt = connect(given)
    await expect(attempt).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await expect(attempt).rejects.toThrow(/URL of an MCP server\.$/)
  })

  test('a program is told how it is reached', async () => {
    await expect(connect('./server.js')).rejects.toThrow('command()')
  })

  test('a page that is none is not quoted', async () => {
    const server = await httpServer((_request, response) => void response.writeHead(404).end('<html>\u001b[2J'))
    open.push(server)
    await expect(connect(server.url)).rejects.toThrow(/answered \(HTTP 404\)\. Is the URL right\?$/)
  })

  test('what is said of it ends with one full stop', async () => {
    const server = await httpServer((_request, response) =>
      json(response, 400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Not initialized.' } }),
    )
    open.push(server)
    await expect(connect(server.url)).rejects.toThrow(/-32000 Not initialized\. It may be/)
  })

  test('a server that is not there, and one that breaks off, are told apart', async () => {
    const gone = await httpServer(() => undefined)
    await gone.close()
    await expect(connect(gone.url)).rejects.toThrow(/ could not be reached: /)
    const broken = await httpServer((_request, response) => void response.destroy())
    open.push(broken)
    await expect(connect(broken.url)).rejects.toThrow(/ broke off before it replied: /)
  })
})
