import { fileURLToPath } from 'node:url'
import { connect, type Client } from 'rondo/client'
import { command } from 'rondo/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProcess, type ServerProcess } from '../start-process.ts'
import { ANSWERS, EXPECTED, KINDS, Matrix } from './matrix.ts'

const file = fileURLToPath(new URL('official-server.mjs', import.meta.url))
const matrix = new Matrix()

afterAll(() => console.log(`\nour client → official server\n${matrix.toString()}\n`))

describe.each(['http', 'stdio'] as const)('our client to the official server over %s', (transport) => {
  let server: ServerProcess | undefined
  let client: Client

  beforeAll(async () => {
    if (transport === 'http') server = await startProcess(file, ['http'])
    client = await connect(server?.url ?? command(process.execPath, [file, 'stdio']), {
      onElicit: () => ANSWERS.form,
      onUrl: () => ANSWERS.url,
      onSample: () => ANSWERS.sampling,
      onSampleWithTools: () => ANSWERS.sampling_tools,
      onRoots: () => ANSWERS.roots,
    })
  }, 60_000)

  afterAll(async () => {
    await client?.close()
    await server?.kill()
  })

  const said = (kind: (typeof KINDS)[number]) => `${EXPECTED[kind]} (state round 1)`

  test.each(KINDS)('S1.6 an official tool asks for %s', async (kind) => {
    matrix.set(`${transport}, return form`, kind, 'FAILED')
    const result = await client.callTool(`return_${kind}`)
    expect(result).toMatchObject({ content: [{ type: 'text', text: said(kind) }] })
    matrix.set(`${transport}, return form`, kind, 'ok')
  })

  test.each(KINDS)('S1.6 an official tool asks for %s and the round is driven by hand', async (kind) => {
    const round = await client.startTool(`return_${kind}`)
    if (round.kind !== 'input_required') throw new Error(`it did not ask but answered ${JSON.stringify(round)}`)
    expect(Object.keys(round.asks)).toEqual(['it'])
    const stored = JSON.parse(JSON.stringify(round)) as typeof round
    const outcome = await client.resume(stored, { it: ANSWERS[kind] })
    expect(outcome).toMatchObject({ kind: 'complete', result: { content: [{ type: 'text', text: said(kind) }] } })
  })

  test('S1.6 an official prompt asks', async () => {
    const { messages } = await client.getPrompt('return_form')
    expect(messages).toMatchObject([{ role: 'user', content: { type: 'text', text: said('form') } }])
  })

  test('S1.6 an official resource asks', async () => {
    const { contents } = await client.readResource('interop://return_form')
    expect(contents).toMatchObject([{ text: said('form') }])
  })

  test('S1.6 a tampered state is refused by the official server and typed by our client', async () => {
    const round = await client.startTool('return_form')
    if (round.kind !== 'input_required') throw new Error('it did not ask')
    const tampered = { ...round, token: `${round.token ?? ''}x` }
    await expect(client.resume(tampered, { it: ANSWERS.form })).rejects.toMatchObject({ code: 'ROUND_REFUSED' })
  })
})
