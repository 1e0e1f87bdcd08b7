import { describe, expect, it } from 'vitest'
import { parseMessage, parseValue, type Parsed } from './parse.ts'

const params = (parsed: Parsed): unknown => (parsed.kind === 'request' ? parsed.params : parsed)
const text = (value: string): string => `{"jsonrpc":"2.0","id":1,"method":"m","params":${value}}`

describe('-0 in a message', () => {
  it.each(['{"a":-0}', '{"a": -0.0}', '{"a":[-0,-0e5,[-0]]}', '{"a":\n-0}', '{"__proto__":-0,"b":{"__proto__":[-0]}}'])(
    'is 0 in %j',
    (given) => {
      const zeros = JSON.parse(JSON.stringify(JSON.parse(given))) as unknown
      expect(params(parseMessage(text(given)))).toStrictEqual(zeros)
      expect(params(parseValue(JSON.parse(text(given))))).toStrictEqual(zeros)
    },
  )

  it('leaves everything else as it was', () => {
    const given = '{"a":[-0.5,-1,0,"-0",":-0",null,true,-0.0000001]}'
    expect(params(parseMessage(text(given)))).toStrictEqual(JSON.parse(given))
  })

  it('is looked for without throwing and without end', () => {
    const loop: Record<string, unknown> = { jsonrpc: '2.0', id: 1, method: 'm', params: Object.freeze({ a: -0 }) }
    loop['self'] = loop
    expect(parseValue(loop).kind).toBe('request')
    const odd = { jsonrpc: '2.0', id: 1, method: 'm', more: { get a(): never { throw new Error('no') } } } // prettier-ignore
    expect(parseValue(odd).kind).toBe('request')
    const deep = `${'['.repeat(7_000)}-0${']'.repeat(7_000)}`
    expect(parseMessage(text(`{"a":${deep}}`)).kind).toBe('request')
  })
})
