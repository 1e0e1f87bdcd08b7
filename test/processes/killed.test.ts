import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from 'rondo/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../ensure-built.ts'
import { startProcess } from '../start-process.ts'
import { accept, round } from './rounds-by-hand.ts'

const file = fileURLToPath(new URL('server.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rondo-killed-'))
const env = { RONDO_STATE_KEYS: 'a key that the processes share and nobody else has', EFFECTS: join(folder, 'effects') }
const effects = () => readFileSync(env.EFFECTS, 'utf8').split('\n').slice(0, -1)

beforeAll(async () => {
  await ensureBuilt()
  writeFileSync(env.EFFECTS, '')
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a two-question call started on one process, killed with SIGKILL, is finished by another that shares only the key', async () => {
  const first = await startProcess(file, [], env)
  const client = await connect(first.url, { asks: ['form'] })
  const started = await client.startTool('deploy', { env: 'production' })
  await client.close()
  await first.kill()
  expect(isAlive(first.pid)).toBe(false)
  if (started.kind !== 'input_required') throw new Error('it did not ask')
  const stored = JSON.stringify(started)

  const second = await startProcess(file, [], env)
  expect(second.pid).not.toBe(first.pid)
  try {
    const other = await connect(second.url, { asks: ['form'] })
    const asked = await other.resume(JSON.parse(stored) as typeof started, {
      why: { action: 'accept', content: { reason: 'Release 14 is due' } },
    })
    if (asked.kind !== 'input_required') throw new Error('it did not ask the second question')
    expect(Object.keys(asked.asks)).toEqual(['go'])
    const done = await other.resume(asked, { go: { action: 'accept', content: { value: true } } })
    expect(done).toMatchObject({
      kind: 'complete',
      result: { content: [{ type: 'text', text: 'Released b1, because Release 14 is due' }] },
    })
    expect(effects()).toEqual(['build production', 'release b1'])
    await other.close()
  } finally {
    await second.kill()
  }
})

test('a process with another key refuses the call', async () => {
  const first = await startProcess(file, [], env)
  const stranger = await startProcess(file, [], {
    ...env,
    RONDO_STATE_KEYS: 'quite another key that is long enough as well',
  })
  try {
    const call = { method: 'tools/call', params: { name: 'deploy', arguments: { env: 'production' } } } as const
    const { requestState } = await round(first.url, call)
    const refused = await round(stranger.url, call, { why: accept({ reason: 'Release 14 is due' }) }, requestState)
    expect(refused.error).toEqual({ code: -32602, message: 'Invalid or expired requestState' })
  } finally {
    await first.kill()
    await stranger.kill()
  }
})
