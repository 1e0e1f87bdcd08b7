import { PassThrough } from 'node:stream'
import { connect, httpTransport, memoryTransport } from 'rondo/client'
import { fetchHandler } from 'rondo/fetch'
import { listen, nodeHandler } from 'rondo/node'
import { command, serve } from 'rondo/stdio'
import { describe, expect, test } from 'vitest'

const receiver = { handle: () => ({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":{}}' }) }

/** Values that each option refuses. */
type Table = Readonly<Record<string, readonly unknown[]>>

const HTTP: Table = {
  path: ['mcp', '', 7, null, ['/mcp']],
  health: ['health', true, 0, null],
  principal: ['ada', {}, null, true],
  challenge: ['Bearer\r\nx: y', 'gr\u00fc\u00df', 7, null],
  cors: ['*', 1, [], null, { origins: '*' }, { maxAge: '5' }, { allowHeaders: 'x-key' }, { credentials: 'yes' }],
  origins: [
    'https://app.example',
    true,
    {},
    null,
    ['app.example'],
    ['*'],
    ['https://*.example'],
    [7],
    new Set(['null']),
  ],
  hosts: ['mcp.example', true, {}, null, [7], ['https://mcp.example'], ['*'], ['mcp.example/mcp'], ['']],
  maxBodyBytes: ['1mb', 0, -1, Number.NaN, null],
  log: [true, {}, 'debug', null],
  streamAfter: ['10', -1, Number.NaN, null],
  keepAlive: ['15', 0, -1, null],
  heldLimit: ['1', 0, null],
  unreadAfter: ['60', 0, -1, null],
  perRequestHost: ['no', 1, null],
  clock: [1, 'now', null],
  paths: ['/mcp'],
}
const LISTEN: Table = {
  ...HTTP,
  port: ['abc', '3920', -1, 65_536, 1.5, Number.NaN, null],
  host: [7, null, ['127.0.0.1'], true],
  timeouts: [5, 'long', [], null, { headers: '5' }, { body: 5 }],
}
const SERVE: Table = {
  maxLineBytes: ['1mb', 0, -1, null],
  grace: ['1s', -1, Number.NaN, null],
  heldLimit: [0, '1', null],
  principal: [7, {}, null],
  auth: ['token', 7, null],
  log: ['debug', true, null],
  stdin: ['input', {}, 0, null],
  stdout: ['output', {}, 1, null],
  exit: ['no', 0, null],
  stderr: ['inherit'],
}
const COMMAND: Table = {
  env: ['A=b', ['A=b'], { A: 1 }, null],
  cwd: [7, {}, null],
  stderr: ['pipe', true, null],
  restart: ['no', 0, null],
  grace: ['1s', -1, null],
  maxLine: [0, 'many', null],
  shell: [true],
}
const CONNECT: Table = {
  timeout: ['5s', -1, Number.NaN, null],
  maxTimeout: ['5s', null],
  connectTimeout: ['5s', -1],
  maxRounds: ['5', null],
  maxWait: ['5', -1],
  serial: ['yes', 1],
  onElicit: [true, {}, 'accept'],
  onUrl: [true],
  onSample: ['model'],
  onSampleWithTools: [{}],
  onRoots: [['file:///a']],
  onWait: [true],
  clientInfo: [true, 'me', null],
  asks: ['form', [7], {}],
  capabilities: ['all', []],
  headers: ['Authorization: x', new Headers({ a: 'b' }), new Map(), [['a', 'b']], { a: 7 }],
  log: ['debug', {}],
  host: ['localhost'],
  maxResponseBytes: ['1mb', 0],
  principal: [7],
  auth: ['token'],
  lazy: ['yes', 1],
  retries: [3],
}

const rows = (table: Table) =>
  Object.entries(table).flatMap(([option, values]) => values.map((value) => [option, value] as const))

async function refused(option: string, attempt: () => unknown): Promise<void> {
  const error: unknown = await Promise.resolve()
    .then(attempt)
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'CONFIG_INVALID', data: { option } })
  expect((error as Error).message).toContain(`"${option}"`)
}

describe('options that cannot be used are refused where they are given', () => {
  test.each(rows(LISTEN))('listen: %s: %j', (option, value) =>
    refused(option, () => listen(receiver, { port: 0, [option]: value })),
  )

  test.each(rows(HTTP))('nodeHandler: %s: %j', (option, value) =>
    refused(option, () => nodeHandler(receiver, { [option]: value })),
  )

  test.each(rows(HTTP))('fetchHandler: %s: %j', (option, value) =>
    refused(option, () => fetchHandler(receiver, { [option]: value })),
  )

  test.each(rows(SERVE))('serve: %s: %j', (option, value) =>
    refused(option, () => serve(receiver, { stdin: new PassThrough(), stdout: new PassThrough(), [option]: value })),
  )

  test.each(rows(COMMAND))('command: %s: %j', (option, value) =>
    refused(option, () => command('node', ['a.js'], { [option]: value })),
  )

  test.each(rows(CONNECT))('connect: %s: %j', (option, value) =>
    refused(option, () => connect(receiver, { lazy: true, [option]: value })),
  )

  test.each(['1mb', 0, null])('httpTransport: maxResponseBytes: %j', (value) =>
    refused('maxResponseBytes', () => httpTransport('http://localhost', { maxResponseBytes: value as never })),
  )

  test.each([7, null])('memoryTransport: address: %j', (value) =>
    refused('address', () => memoryTransport(receiver, { address: value as never })),
  )
})

describe('options that can', () => {
  test.each([
    {},
    { origins: ['https://app.example', 'null', 'chrome-extension://abc'], hosts: ['a.example', '[::1]:80'] },
    { origins: '*' as const, cors: { maxAge: 5 }, health: false as const, timeouts: {} },
    { origins: undefined, hosts: undefined, cors: false, path: '/', principal: undefined, log: undefined },
  ])('are taken: %j', async (options) => {
    await (await listen(receiver, { port: 0, ...options })).close()
  })
})

describe('what is no list of options, and what is no server', () => {
  test.each([null, 'fast', 3920, []])('options that are %j', async (options) => {
    const wrong = options as never
    const attempts: (() => unknown)[] = [
      () => listen(receiver, wrong),
      () => nodeHandler(receiver, wrong),
      () => fetchHandler(receiver, wrong),
      () => serve(receiver, wrong),
      () => command('node', [], wrong),
      () => connect(receiver, wrong),
    ]
    for (const attempt of attempts) {
      await expect(Promise.resolve().then(attempt)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    }
  })

  test.each([undefined, null, {}, 'server', () => undefined])('a server that is %j', async (server) => {
    const wrong = server as never
    const attempts: (() => unknown)[] = [
      () => listen(wrong),
      () => nodeHandler(wrong),
      () => fetchHandler(wrong),
      () => serve(wrong),
    ]
    for (const attempt of attempts) {
      await expect(Promise.resolve().then(attempt)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    }
  })

  test('a deadline that is none', async () => {
    const listening = await listen(receiver, { port: 0 })
    await expect(listening.close({ deadline: 'soon' as never })).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    await listening.close()
  })

  test.each(['a.js', [7], null])('arguments of a command that are %j', (args) => {
    expect(() => command('node', args as never)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })

  test('a value is never quoted: it may be a secret in the wrong place', async () => {
    const headers = 'Bearer my-secret'
    await expect(connect(receiver, { headers: headers as never })).rejects.toThrow(
      'The option "headers" of connect() must be a plain object of texts by name, or a function, not a string.',
    )
  })
})
