import { inputRequired, type InputRequiredResult, Server, type ServerOptions } from 'rondo'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { EVERYTHING, requestText } from '../support/rpc.ts'
import { plainServer, REQUESTS } from './plain-server.ts'

/** Everything a server says to {@link REQUESTS}, notifications included, a line each. */
async function transcript(server: Server, capabilities: object, more: object = {}): Promise<string> {
  const lines: string[] = []
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'debug' }
  for (const [index, [method, params]] of REQUESTS.entries()) {
    const text = requestText(method, { ...params, ...more }, { id: index, capabilities, meta })
    lines.push(`> ${method} ${JSON.stringify(params)}`)
    const { status, body } = await server.handle(text, { notify: (message) => void lines.push(message) })
    lines.push(`${status} ${String(body)}`)
  }
  return `${lines.join('\n')}\n`
}

describe('a server that never asks', () => {
  it('S1.47 answers as the golden file has it', async () => {
    await expect(await transcript(plainServer(), {})).toMatchFileSnapshot('golden/plain-server.txt')
  })

  it('S1.47 answers the same, byte for byte, whatever is set for asking', async () => {
    const plain = await transcript(plainServer(), {})
    const options: ServerOptions[] = [
      { state: { keys: 'k'.repeat(32), roundTtl: '1 min', callTtl: '2 min', audience: 'x', maxBytes: 1000 } },
      { requestState: 'unprotected', log: () => undefined },
      { limits: {}, onDivergence: 'fail', detectNesting: true },
    ]
    for (const set of options) expect(await transcript(plainServer(set), {})).toBe(plain)
    const passing = plainServer().use(async (_call, next) => next())
    expect(await transcript(passing, {})).toBe(plain)
  })

  it('S1.47 knows nothing of the words of asking', async () => {
    expect(await transcript(plainServer(), EVERYTHING)).not.toMatch(/input_required|inputRe|requestState/)
  })

  it('S1.49 answers the same whatever the client can be asked', async () => {
    const plain = await transcript(plainServer(), {})
    expect(await transcript(plainServer(), EVERYTHING)).toBe(plain)
    expect(await transcript(plainServer(), { elicitation: {}, extensions: { 'com.example/x': {} } })).toBe(plain)
  })

  it('S1.49 a null state is no state', async () => {
    expect(await transcript(plainServer(), {}, { requestState: null })).toBe(await transcript(plainServer(), {}))
  })
})

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T]

describe('options', () => {
  it('S1.48 none is required', () => {
    expectTypeOf<RequiredKeys<ServerOptions>>().toBeNever()
    expectTypeOf<RequiredKeys<NonNullable<ServerOptions['state']>>>().toBeNever()
    expectTypeOf<RequiredKeys<NonNullable<ServerOptions['limits']>>>().toBeNever()
    expectTypeOf<RequiredKeys<ConstructorParameters<typeof InputRequiredResult>[0] & object>>().toBeNever()
    expectTypeOf<Parameters<typeof inputRequired>[0]>().toEqualTypeOf<
      NonNullable<ConstructorParameters<typeof InputRequiredResult>[0]>
    >()
  })

  it('S1.48 a server with none set works', async () => {
    const server = new Server({ name: 'plain', version: '1.0.0' })
    server.tool('it', {}, () => inputRequired({ requestState: 'x' }))
    const { status, body } = await server.handle(requestText('tools/call', { name: 'it' }))
    expect([status, body?.includes('"input_required"')]).toEqual([200, true])
  })
})
