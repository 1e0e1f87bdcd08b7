import { Ajv2020 } from 'ajv/dist/2020.js'
import { result, Server, type ServerLog } from 'rondo'
import { describe, expect, it } from 'vitest'
import { plainServer, REQUESTS } from '../mrtr/plain-server.ts'
import { callTool, rpc, textOf } from '../support/rpc.ts'

const CACHEABLE = [
  ['server/discover', {}],
  ['tools/list', {}],
  ['prompts/list', {}],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'note://one' }],
] as const

describe('caching', () => {
  it('MUST-cache-01 complete results of the six methods carry hints, and no others do', async () => {
    const server = plainServer()
    for (const [method, params] of CACHEABLE) {
      const hints = (await rpc(server, method, params)).result
      expect(Number.isInteger(hints?.['ttlMs'])).toBe(true)
      expect(['public', 'private']).toContain(hints?.['cacheScope'])
    }
    for (const [method, params] of REQUESTS.filter(([method]) => !CACHEABLE.some(([name]) => name === method))) {
      expect((await rpc(server, method, params)).result ?? {}).not.toHaveProperty('ttlMs')
    }
  })

  it('MUST-cache-09 what a caller may not see stays out of reach, whatever scope is set', async () => {
    const cache = { scope: 'public', ttlMs: '1 h' } as const
    const server = new Server({ name: 'guarded', version: '1.0.0' }, { cache })
    const visible = ({ principal }: { principal: string }) => principal === 'ada'
    server.tool('it', { visible }, () => 'secret')
    server.prompt('it', { visible, arguments: { a: { complete: ['secret'] } } }, () => 'secret')
    server.resource('it', { uri: 'it://one', visible, cache }, () => 'secret')
    server.resourceTemplate('it', { uriTemplate: 'it://two/{a}', visible, complete: { a: ['secret'] } }, () => 'secret')
    const requests = [
      ['tools/list', {}],
      ['tools/call', { name: 'it' }],
      ['prompts/list', {}],
      ['prompts/get', { name: 'it' }],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['resources/read', { uri: 'it://one' }],
      ['resources/read', { uri: 'it://two/1' }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'it' }, argument: { name: 'a', value: '' } }],
      [
        'completion/complete',
        { ref: { type: 'ref/resource', uri: 'it://two/{a}' }, argument: { name: 'a', value: '' } },
      ],
    ] as const
    const told = async (principal: string) => {
      const texts: string[] = []
      for (const [method, params] of requests) {
        texts.push(JSON.stringify(await rpc(server, method, params, { exchange: { principal } })))
      }
      return texts
    }
    for (const text of await told('eve')) {
      expect(text).not.toMatch(/secret|"name":"it"|inputSchema|uriTemplate/)
      expect(text).not.toContain('"public"')
    }
    for (const text of await told('ada')) expect(text).toMatch(/secret|"name":"it"/)
  })
})

describe('lists', () => {
  it.each([
    ['MUST-tools-02', 'tools/list'],
    ['MUST-prompts-02', 'prompts/list'],
    ['MUST-resources-02', 'resources/list'],
  ])('%s a list is the same for every connection and after every request: %s', async (_id, method) => {
    const server = plainServer()
    const list = async (id: string) => (await rpc(server, method, {}, { id, exchange: {} })).result
    const before = await list('a')
    for (const [other, params] of REQUESTS) await rpc(server, other, params)
    expect(await list('b')).toEqual(before)
    expect(await list('c')).toEqual(before)
    expect(JSON.stringify(before)).toContain('"name"')
  })
})

describe('tools', () => {
  it('MUST-tools-04 an input schema that is no valid schema object is refused at registration', () => {
    const server = new Server({ name: 'schemas', version: '1.0.0' })
    for (const input of [null, true, 'object', [], 42, { type: 'nonsense' }, { type: 'object', properties: 1 }]) {
      expect(() => server.tool('it', { input } as object, () => '')).toThrow(
        expect.objectContaining({ code: 'DEFINITION_INVALID' }) as Error,
      )
    }
  })

  it('MUST-tools-04 every listed input schema is a valid one', async () => {
    const ajv = new Ajv2020()
    const tools = (await rpc(plainServer({ pageSize: 100 }), 'tools/list')).result?.['tools'] as {
      inputSchema: { type: string }
    }[]
    expect(tools.length).toBeGreaterThan(5)
    for (const { inputSchema } of tools) {
      expect(inputSchema.type).toBe('object')
      expect(ajv.validateSchema(inputSchema)).toBe(true)
    }
  })

  it('MUST-tools-08 a tool hidden from a caller is unknown to them', async () => {
    const entered: string[] = []
    const server = new Server({ name: 'guarded', version: '1.0.0' })
    server.tool('it', { visible: ({ principal }) => principal === 'ada' }, (_args, ctx) => {
      entered.push(ctx.principal)
      return 'done'
    })
    const call = (principal: string) => callTool(server, 'it', {}, {}, { exchange: { principal } })
    expect((await call('eve')).error).toEqual((await callTool(server, 'it')).error)
    expect((await call('eve')).error).toMatchObject({ code: -32602 })
    expect(textOf(await call('ada'))).toBe('done')
    expect(entered).toEqual(['ada'])
  })

  const content = (block: unknown) => [
    ['in a list', [block]],
    ['alone', block],
    ['in a full result', result({ content: [block] } as never)],
  ]
  const bad: [string, unknown][] = [
    ['an image without data', { type: 'image', mimeType: 'image/png' }],
    ['an image that is no base64', { type: 'image', data: 'not base64!', mimeType: 'image/png' }],
    ['an image without a MIME type', { type: 'image', data: 'AAAA' }],
    ['audio with a MIME type that is none', { type: 'audio', data: 'AAAA', mimeType: 'loud' }],
    ['text that is none', { type: 'text', text: 42 }],
    ['a link without a URI', { type: 'resource_link', name: 'x' }],
    ['a resource without contents', { type: 'resource', resource: { uri: 'x://y' } }],
    ['a type nobody knows', { type: 'video', data: 'AAAA', mimeType: 'video/mp4' }],
  ]
  it.each(bad)('MUST-tools-10 %s does not go out', async (_name, block) => {
    for (const [where, value] of content(block)) {
      const log: ServerLog[] = []
      const server = new Server({ name: 'outputs', version: '1.0.0' }, { log: (event) => void log.push(event) })
      server.tool('it', {}, () => value as string)
      const reply = await callTool(server, 'it')
      expect([where, reply.error?.code]).toEqual([where, -32603])
      expect(log.map(({ code }) => code)).toContain('RESULT_INVALID')
    }
  })
})

describe('prompts', () => {
  async function prompted(content: unknown) {
    const server = new Server({ name: 'prompts', version: '1.0.0' }, { log: () => undefined })
    server.prompt('it', {}, () => ({ role: 'user', content }) as never)
    return rpc(server, 'prompts/get', { name: 'it' })
  }

  it.each([
    ['MUST-prompts-03', 'image', 'image/png'],
    ['MUST-prompts-04', 'audio', 'audio/wav'],
  ])('%s data of %s content is base64 with a valid MIME type', async (_id, type, mimeType) => {
    expect((await prompted({ type, data: 'AP8=', mimeType })).result).toBeDefined()
    for (const bad of [{ data: 'AP8' }, { data: 'A P8=' }, { data: 1 }, {}]) {
      expect((await prompted({ type, mimeType, ...bad })).error?.code).toBe(-32603)
    }
    for (const bad of [{ mimeType: 'png' }, { mimeType: '' }, { mimeType: 'a/b/c' }, { mimeType: 1 }, {}]) {
      expect((await prompted({ type, data: 'AP8=', ...bad })).error?.code).toBe(-32603)
    }
  })

  it('MUST-prompts-05 an embedded resource has a URI, and text or base64 data', async () => {
    const embedded = (resource: unknown) => prompted({ type: 'resource', resource })
    const uri = 'note://one'
    for (const good of [
      { uri, text: '' },
      { uri, mimeType: 'text/plain', text: 'x' },
      { uri, blob: 'AP8=' },
    ]) {
      expect((await embedded(good)).result).toBeDefined()
    }
    for (const bad of [
      { text: 'x' },
      { uri },
      { uri: 'no uri', text: 'x' },
      { uri, blob: 'x' },
      { uri, text: 1 },
      'x',
    ]) {
      expect((await embedded(bad)).error?.code).toBe(-32603)
    }
  })
})

describe('resources', () => {
  it('MUST-resources-05 one that does not exist is never answered with empty contents', async () => {
    const server = new Server({ name: 'resources', version: '1.0.0' }, { log: () => undefined })
    server.resourceTemplate('it', { uriTemplate: 'it://{a}' }, ({ a }) => (a === 'here' ? 'text' : undefined))
    server.resource('gone', { uri: 'gone://it' }, () => undefined)
    for (const uri of ['it://nowhere', 'gone://it', 'other://x']) {
      const reply = await rpc(server, 'resources/read', { uri })
      expect(reply.error).toMatchObject({ code: -32602, data: { uri } })
      expect(JSON.stringify(reply)).not.toContain('contents')
    }
  })

  it('MUST-resources-06 a URI that is none is refused', async () => {
    const entered: string[] = []
    const server = new Server({ name: 'resources', version: '1.0.0' })
    server.resourceTemplate('it', { uriTemplate: 'it://{a}' }, ({ a }) => {
      entered.push(a)
      return 'text'
    })
    for (const uri of [
      undefined,
      42,
      null,
      {},
      '',
      'relative',
      'it:',
      '//x',
      'it://a b',
      'it://a\n',
      'it://a\u0000',
      'it://\ud800',
    ]) {
      const reply = await rpc(server, 'resources/read', { uri })
      expect([uri, reply.error?.code]).toEqual([uri, -32602])
    }
    expect(entered).toEqual([])
  })

  it('MUST-resources-07 binary data is encoded', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const server = new Server({ name: 'resources', version: '1.0.0' })
    server.resource('a', { uri: 'it://a' }, () => bytes)
    server.resource('b', { uri: 'it://b' }, () => [{ blob: bytes.subarray(1, 4) }])
    const read = async (uri: string) => {
      const contents = (await rpc(server, 'resources/read', { uri })).result?.['contents'] as { blob: string }[]
      return contents[0]?.blob
    }
    expect(await read('it://a')).toBe(Buffer.from(bytes).toString('base64'))
    expect(await read('it://b')).toBe('AQID')
  })
})

describe('utilities', () => {
  it('MUST-complete-03 completions are limited in rate, per caller', async () => {
    const server = plainServer({ rateLimit: { burst: 3, perSecond: 0.001 } as never })
    const ref = { type: 'ref/resource', uri: 'day://{day}' }
    const ask = (principal: string) =>
      rpc(server, 'completion/complete', { ref, argument: { name: 'day', value: '' } }, { exchange: { principal } })
    const replies = []
    for (let i = 0; i < 5; i += 1) replies.push(await ask('ada'))
    expect(replies.map(({ error }) => error === undefined)).toEqual([true, true, true, false, false])
    expect((await ask('eve')).error).toBeUndefined()
  })

  it('MUST-progress-01 a progress token is a string or an integer', async () => {
    const server = plainServer()
    const call = (progressToken: unknown, notify: (text: string) => void = () => undefined) =>
      callTool(server, 'tell', {}, {}, { meta: { progressToken }, exchange: { notify } })
    for (const token of [1.5, null, true, {}, []]) expect((await call(token)).error?.code).toBe(-32602)
    for (const token of ['', 'p', 0, -1, 2 ** 40]) {
      const sent: string[] = []
      expect((await call(token, (text) => void sent.push(text))).error).toBeUndefined()
      expect(JSON.parse(sent[0] ?? '')).toMatchObject({ params: { progressToken: token } })
    }
  })

  it('MUST-log-01 a server that logs declares it', async () => {
    const { capabilities } = (await rpc(plainServer(), 'server/discover')).result ?? {}
    expect(capabilities).toHaveProperty('logging')
  })
})
