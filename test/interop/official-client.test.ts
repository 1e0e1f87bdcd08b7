import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt } from '../ensure-built.ts'
import { startProcess, type ServerProcess } from '../start-process.ts'
import { EXPECTED, KINDS, Matrix } from './matrix.ts'
import { officialClient } from './official-client.ts'

const file = fileURLToPath(new URL('rondo-server.mjs', import.meta.url))
const matrix = new Matrix()
const FORMS = ['ask', 'return'] as const
const suffix = { ask: '', return: ' (state round 1)' }

afterAll(() => console.log(`\nofficial client → our server\n${matrix.toString()}\n`))

describe.each(['http', 'stdio'] as const)('official client to our server over %s', (transport) => {
  let server: ServerProcess | undefined
  let client: Client

  const address = () => (server === undefined ? { file } : { url: server.url })

  beforeAll(async () => {
    await ensureBuilt()
    if (transport === 'http') server = await startProcess(file, ['http'])
    client = await officialClient(address(), { pin: '2026-07-28' })
  }, 180_000)

  afterAll(async () => {
    await client?.close()
    await server?.kill()
  })

  for (const form of FORMS) {
    test.each(KINDS)(`S1.6 a tool in the ${form} form asks for %s`, async (kind) => {
      matrix.set(`${transport}, ${form} form`, kind, 'FAILED')
      const result = await client.callTool({ name: `${form}_${kind}`, arguments: {} })
      expect(result).toMatchObject({ content: [{ type: 'text', text: EXPECTED[kind] + suffix[form] }] })
      expect(result.isError ?? false).toBe(false)
      matrix.set(`${transport}, ${form} form`, kind, 'ok')
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

  test('S1.6 the official client finds out by itself that our server is of 2026-07-28', async () => {
    const other = await officialClient(address(), 'auto')
    try {
      expect(other.getNegotiatedProtocolVersion()).toBe('2026-07-28')
      expect(other.getServerVersion()).toMatchObject({ name: 'interop', version: '1.0.0' })
      expect((await other.listTools()).tools.map(({ name }) => name)).toContain('ask_form')
    } finally {
      await other.close()
    }
  })
})
