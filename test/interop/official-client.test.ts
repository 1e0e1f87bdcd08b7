import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt } from '../ensure-built.ts'
import { startProcess, type ServerProcess } from '../start-process.ts'
import { EXPECTED, KINDS, Matrix } from './matrix.ts'
import { type Address, officialClient } from './official-client.ts'
import { v1Client } from './v1-client.ts'

const file = fileURLToPath(new URL('rondo-server.mjs', import.meta.url))
const matrix = new Matrix()
const FORMS = ['ask', 'return'] as const
/** What the tests call, the same in both versions of the official client. */
interface Calling {
  callTool(params: object): Promise<unknown>
  getPrompt(params: { name: string }): Promise<{ messages: unknown[] }>
  readResource(params: { uri: string }): Promise<{ contents: unknown[] }>
  close(): Promise<void>
}

const CLIENTS: Readonly<Record<string, (address: Address) => Promise<Calling>>> = {
  '2.4 at 2026-07-28': (address) => officialClient(address, { pin: '2026-07-28' }),
  '2.4 at 2025-11-25': (address) => officialClient(address, 'legacy'),
  '1.32 at 2025-11-25': v1Client,
}
const suffix = { ask: '', return: ' (state round 1)' }

afterAll(() => console.log(`\nofficial client → our server\n${matrix.toString()}\n`))

const PEERS = (['http', 'stdio'] as const).flatMap((transport) =>
  Object.keys(CLIENTS).map((version) => [version, transport] as const),
)

describe.each(PEERS)('official client %s to our server over %s', (version, transport) => {
  let server: ServerProcess | undefined
  let client: Calling

  const address = () => (server === undefined ? { file } : { url: server.url })

  beforeAll(async () => {
    await ensureBuilt()
    if (transport === 'http') server = await startProcess(file, ['http'])
    client = await (CLIENTS[version] as (at: Address) => Promise<Calling>)(address())
  }, 180_000)

  afterAll(async () => {
    await client?.close()
    await server?.kill()
  })

  for (const form of FORMS) {
    test.each(KINDS)(`S1.6 a tool in the ${form} form asks for %s`, async (kind) => {
      matrix.set(`${version}, ${transport}, ${form} form`, kind, 'FAILED')
      const result = await client.callTool({ name: `${form}_${kind}`, arguments: {} })
      expect(result).toMatchObject({ content: [{ type: 'text', text: EXPECTED[kind] + suffix[form] }] })
      expect(result).not.toHaveProperty('isError', true)
      matrix.set(`${version}, ${transport}, ${form} form`, kind, 'ok')
    })

    test(`S1.6 a prompt in the ${form} form asks`, async () => {
      const { messages } = await client.getPrompt({ name: `${form}_form` })
      expect(messages).toMatchObject([{ role: 'user', content: { type: 'text', text: EXPECTED.form + suffix[form] } }])
    })

    test(`S1.6 a resource in the ${form} form asks`, async () => {
      const { contents } = await client.readResource({ uri: `interop://${form}_form` })
      expect(contents).toMatchObject([{ uri: `interop://${form}_form`, text: EXPECTED.form + suffix[form] }])
    })
  }
})

describe.each(['http', 'stdio'] as const)('official client to our server over %s', (transport) => {
  test('S1.6 it finds out by itself that our server is of 2026-07-28', async () => {
    await ensureBuilt()
    const server = transport === 'http' ? await startProcess(file, ['http']) : undefined
    const client = await officialClient(server === undefined ? { file } : { url: server.url }, 'auto')
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
      expect(client.getServerVersion()).toMatchObject({ name: 'interop', version: '1.0.0' })
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ask_form')
    } finally {
      await client.close()
      await server?.kill()
    }
  }, 180_000)
})
