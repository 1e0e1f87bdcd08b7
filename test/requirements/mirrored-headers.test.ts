import { Server } from 'rondo'
import { connect } from 'rondo/client'
import { listen } from 'rondo/node'
import { describe, expect, it } from 'vitest'
import { send } from '../support/http.ts'
import { requestText, rpc } from '../support/rpc.ts'

/** Registers a tool with these properties, and says what came of it. */
function registered(properties: object, more: object = {}): string {
  const server = new Server({ name: 'headers', version: '1.0.0' })
  try {
    server.tool('it', { input: { type: 'object', properties, ...more } as never }, () => '')
    return 'taken'
  } catch (error) {
    return (error as { code: string }).code
  }
}

const marked = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name })

describe('annotated parameters, at registration', () => {
  it('MUST-http-21 a header name is a token that is not empty', () => {
    for (const name of ['Region', 'x', 'A-b_c.1', "!#$%&'*+-.^_`|~"]) {
      expect([name, registered({ a: marked(name) })]).toEqual([name, 'taken'])
    }
    for (const name of ['', ' ', 'a b', 'a:b', 'é', 'a\r\nb', 'a\n', '\u0000', 'a/b', '(a)', 42, null, {}]) {
      expect([name, registered({ a: marked(name) })]).toEqual([name, 'DEFINITION_INVALID'])
    }
  })

  it('MUST-http-22 header names are unique without regard to case', () => {
    expect(registered({ a: marked('Region'), b: marked('Zone') })).toBe('taken')
    expect(registered({ a: marked('Region'), b: marked('region') })).toBe('DEFINITION_INVALID')
    const deep = { type: 'object', properties: { b: marked('REGION') } }
    expect(registered({ a: marked('Region'), deep })).toBe('DEFINITION_INVALID')
  })

  it('MUST-http-23 only integers, strings and booleans are annotated', () => {
    for (const type of ['integer', 'string', 'boolean']) expect(registered({ a: marked('A', type) })).toBe('taken')
    for (const type of ['number', 'object', 'array', 'null', 'any', ['string', 'null'], null]) {
      expect([type, registered({ a: marked('A', type) })]).toEqual([type, 'DEFINITION_INVALID'])
    }
  })

  it('MUST-http-25 an annotated property is reached through properties alone', () => {
    const inside = { type: 'object', properties: { a: marked('A') } }
    expect(registered({ deep: { type: 'object', properties: { deeper: inside } } })).toBe('taken')
    const elsewhere: [string, object, object?][] = [
      ['items', { list: { type: 'array', items: inside } }],
      ['prefixItems', { list: { type: 'array', prefixItems: [inside] } }],
      ['oneOf', { a: { oneOf: [marked('A')] } }],
      ['anyOf', {}, { anyOf: [inside] }],
      ['allOf', {}, { allOf: [inside] }],
      ['not', { a: { not: marked('A') } }],
      ['if', {}, { if: inside }],
      ['then', {}, { if: true, then: inside }],
      ['else', {}, { if: true, else: inside }],
      ['additionalProperties', {}, { additionalProperties: marked('A') }],
      ['patternProperties', {}, { patternProperties: { a: marked('A') } }],
      ['$ref', { a: { $ref: '#/$defs/a' } }, { $defs: { a: marked('A') } }],
      ['the root', {}, { 'x-mcp-header': 'A' }],
    ]
    for (const [where, properties, more] of elsewhere) {
      expect([where, registered(properties, more)]).toEqual([where, 'DEFINITION_INVALID'])
    }
  })

  it('MUST-http-25 a tool that was refused does not hide the others', async () => {
    const server = new Server({ name: 'headers', version: '1.0.0' })
    server.tool('good', {}, () => '')
    expect(() =>
      server.tool('bad', { input: { type: 'object', properties: { a: marked('') } } as never }, () => ''),
    ).toThrow()
    expect((await rpc(server, 'tools/list')).result?.['tools']).toMatchObject([{ name: 'good' }])
  })
})

describe('a mirrored integer', () => {
  const server = () => {
    const made = new Server({ name: 'headers', version: '1.0.0' })
    const input = { type: 'object', properties: { n: marked('N', 'integer') } } as never
    made.tool('it', { input }, (args) => JSON.stringify(args))
    return made
  }
  const call = async (url: string, n: string, header: string): Promise<number> => {
    const body = requestText('tools/call', { name: 'it', arguments: { n: 0 } }).replace('"n":0', `"n":${n}`)
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'it', 'mcp-param-n': header }
    const { status, text } = await send(url, { body, headers })
    return status === 200 ? 200 : (JSON.parse(text) as { error: { code: number } }).error.code
  }

  it('MUST-http-24 lies within the safe range on its way in', async () => {
    await using listening = await listen(server(), { port: 0, log: () => undefined })
    const { url } = listening
    expect(await call(url, '9007199254740991', '9007199254740991')).toBe(200)
    expect(await call(url, '-9007199254740991', '-9007199254740991')).toBe(200)
    expect(await call(url, '42', '42.0')).toBe(200)
    // 2^53 and 2^53 + 1 are one and the same double: a header may not name a value that another reader sees otherwise.
    expect(await call(url, '9007199254740993', '9007199254740992')).toBe(-32020)
    expect(await call(url, '9007199254740992', '9007199254740993')).toBe(-32020)
    for (const header of ['1e400', '0x1', '1e0', ' ', '', '+1', '1.5', 'one']) {
      expect([header, await call(url, '1', header)]).toEqual([header, -32020])
    }
    expect(await call(url, '1e400', '1')).toBe(-32020)
  })

  it('MUST-http-24 lies within the safe range on its way out', async () => {
    await using listening = await listen(server(), { port: 0, log: () => undefined })
    const client = await connect(listening.url)
    await client.listTools()
    expect((await client.callTool('it', { n: Number.MAX_SAFE_INTEGER })).isError).toBeUndefined()
    await expect(client.callTool('it', { n: 2 ** 53 })).rejects.toThrow()
    await client.close()
  })
})
