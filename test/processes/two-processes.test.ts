import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureBuilt } from '../ensure-built.ts'
import { startProcess, type ServerProcess } from '../start-process.ts'
import { accept, across, keys, message, round, text, type Call } from './rounds-by-hand.ts'

const file = fileURLToPath(new URL('server.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'rondo-processes-'))
const env = {
  RONDO_STATE_KEYS: 'a key that the processes share and nobody else has',
  EFFECTS: join(folder, 'effects'),
  VICTIM: join(folder, 'victim'),
}
const effects = () => readFileSync(env.EFFECTS, 'utf8').split('\n').slice(0, -1)
const tool = (name: string, args: object = {}): Call => ({ method: 'tools/call', params: { name, arguments: args } })
const value = (content: unknown) => accept({ value: content })

let processes: ServerProcess[]
let urls: string[]

beforeAll(async () => {
  await ensureBuilt()
  processes = await Promise.all([startProcess(file, [], env), startProcess(file, [], env)])
  urls = processes.map(({ url }) => url)
}, 180_000)

beforeEach(() => {
  writeFileSync(env.EFFECTS, '')
  writeFileSync(env.VICTIM, 'precious')
})

afterAll(async () => {
  await Promise.all((processes ?? []).map((one) => one.kill()))
  rmSync(folder, { recursive: true, force: true })
})

describe('each round on another process', () => {
  test('twenty asks in a loop', async () => {
    const answers = Array.from({ length: 20 }, (_, n) => ({ n }))
    let wire = await round(urls[0] ?? '', tool('loop'))
    for (const { n } of answers) {
      const [key, ...others] = keys(wire)
      expect(others).toEqual([])
      expect(message(wire, key ?? '')).toContain(`Number ${n + 1} of 20?`)
      wire = await round(urls[(n + 1) % 2] ?? '', tool('loop'), { [key ?? '']: value(n + 1) }, wire.requestState)
    }
    expect(text(wire)).toBe('sum 210')
  })

  test('two asks in parallel', async () => {
    const { rounds, last } = await across(urls, tool('parallel'), [{ left: value('L'), right: value('R') }])
    expect(keys(rounds[0] ?? {})).toEqual(['left', 'right'])
    expect(text(last)).toBe('L and R')
  })

  test('a race of asks keeps its winner when the loser is answered later', async () => {
    const { rounds, last } = await across(urls, tool('race'), [
      { bob: value('me') },
      { ann: value('I too') },
      { go: value(true) },
    ])
    expect(keys(rounds[0] ?? {})).toEqual(['ann', 'bob'])
    expect(message(rounds[1] ?? {}, 'go')).toContain('Take bob: me?')
    expect(text(last)).toBe('bob: me, true')
  })

  test('a step between asks runs once', async () => {
    const { rounds, last } = await across(urls, tool('step_between'), [
      { first: value('1') },
      { second: value('2') },
      { third: value('3') },
    ])
    expect(effects()).toEqual(['charge'])
    const charged = (n: number, key: string) => /0\.\d+/.exec(message(rounds[n] ?? {}, key))?.[0]
    expect(charged(1, 'second')).toBeDefined()
    expect(charged(2, 'third')).toBe(charged(1, 'second'))
    expect(text(last)).toBe('1, 2, 3')
  })

  test('a step that throws is not run again', async () => {
    const { last } = await across(urls, tool('step_throws'), [{ card: value('visa') }, { other: value('cash') }])
    expect(text(last)).toBe('Card refused, then charged cash')
    expect(effects()).toEqual(['charge visa', 'charge cash'])
  })

  test('an ask in a helper, in a scope of its own', async () => {
    const { rounds, last } = await across(urls, tool('helper'), [
      { card: value('Ada') },
      { 'payment/card': value('visa') },
    ])
    expect(keys(rounds[1] ?? {})).toEqual(['payment/card'])
    expect(text(last)).toBe('Ada paid with visa')
  })

  test.each([
    ['the first ask', [{ why: { action: 'decline' } }], 'Not deployed.', []],
    [
      'the second ask',
      [{ why: accept({ reason: 'Release 14 is due' }) }, { go: { action: 'decline' } }],
      'Not released, because Release 14 is due',
      ['build staging'],
    ],
    [
      'the second ask, by accepting and saying no',
      [{ why: accept({ reason: 'Release 14 is due' }) }, { go: value(false) }],
      'Not released, because Release 14 is due',
      ['build staging'],
    ],
  ])('a decline of %s', async (_place, answers, said, done) => {
    const { last } = await across(urls, tool('deploy', { env: 'staging' }), answers)
    expect(text(last)).toBe(said)
    expect(effects()).toEqual(done)
  })

  test('a decline of an ask that ends the call with its text', async () => {
    const first = await round(urls[0] ?? '', tool('loop'))
    const key = keys(first)[0] ?? ''
    const last = await round(urls[1] ?? '', tool('loop'), { [key]: { action: 'decline' } }, first.requestState)
    expect(last).toMatchObject({ isError: true, content: [{ type: 'text', text: 'Stopped.' }] })
  })

  test('an answer that does not fit is put again three times with the reason, then the call ends with it', async () => {
    let wire = await round(urls[0] ?? '', tool('strict'))
    expect(message(wire, 'why')).toBe('Why?')
    for (let n = 1; n <= 3; n++) {
      const key = keys(wire)[0] ?? ''
      wire = await round(urls[n % 2] ?? '', tool('strict'), { [key]: accept({ reason: 'short' }) }, wire.requestState)
      expect(message(wire, keys(wire)[0] ?? '')).toMatch(/^Why\?.+/s)
    }
    const key = keys(wire)[0] ?? ''
    const last = await round(urls[0] ?? '', tool('strict'), { [key]: accept({ reason: 'short' }) }, wire.requestState)
    expect(last.isError).toBe(true)
    expect(text(last)).toMatch(/reason/)
  })

  test('an answer that fits at the second try', async () => {
    const first = await round(urls[0] ?? '', tool('strict'))
    const second = await round(urls[1] ?? '', tool('strict'), { why: accept({ reason: 'short' }) }, first.requestState)
    const key = keys(second)[0] ?? ''
    const answer = { [key]: accept({ reason: 'long enough now' }) }
    expect(text(await round(urls[0] ?? '', tool('strict'), answer, second.requestState))).toBe(
      'because long enough now',
    )
  })

  test('one of three answers missing is asked for again, alone', async () => {
    const first = await round(urls[0] ?? '', tool('three'))
    expect(keys(first)).toEqual(['a', 'b', 'c'])
    const second = await round(urls[1] ?? '', tool('three'), { a: value('A'), c: value('C') }, first.requestState)
    expect(keys(second)).toEqual([expect.stringMatching(/^b(~2)?$/)])
    const key = keys(second)[0] ?? ''
    expect(text(await round(urls[0] ?? '', tool('three'), { [key]: value('B') }, second.requestState))).toBe('A B C')
  })

  test('a tool that fails in its second round', async () => {
    const { last } = await across(urls, tool('throws'), [{ name: value('Ada') }])
    expect(last).toMatchObject({ isError: true, content: [{ type: 'text', text: 'No Ada here' }] })
  })

  test('an ask in a prompt', async () => {
    const { rounds, last } = await across(urls, { method: 'prompts/get', params: { name: 'letter' } }, [
      { to: value('Ada') },
      { from: value('Bob') },
    ])
    expect(rounds.map(keys)).toEqual([['to'], ['from'], []])
    expect(last).toMatchObject({ messages: [{ role: 'user', content: { text: 'A letter to Ada from Bob' } }] })
  })

  test.each([
    ['static', 'diary://today', 'Opened with open sesame'],
    ['templated', 'diary://of/monday', 'monday opened with open sesame'],
  ])('an ask in a %s resource', async (_kind, uri, said) => {
    const { rounds, last } = await across(urls, { method: 'resources/read', params: { uri } }, [
      { password: value('open') },
      { again: value('sesame') },
    ])
    expect(rounds.map(keys)).toEqual([['password'], ['again'], []])
    expect(last).toMatchObject({ contents: [{ uri, text: said }] })
  })
})

describe('what stands behind an ask', () => {
  test('is not reached through a catch-all before somebody answered', async () => {
    const first = await round(urls[0] ?? '', tool('rm_after_catch'))
    expect(keys(first)).toEqual(['sure'])
    expect(existsSync(env.VICTIM)).toBe(true)
    const forged = await round(urls[1] ?? '', tool('rm_after_catch'), { sure: value(true) }, `${first.requestState}x`)
    expect(forged.error?.code).toBe(-32602)
    const stateless = await round(urls[1] ?? '', tool('rm_after_catch'), { sure: value(true) })
    expect(keys(stateless)).toEqual(['sure'])
    expect(existsSync(env.VICTIM)).toBe(true)
    await round(urls[1] ?? '', tool('rm_after_catch'), { sure: value(false) }, first.requestState)
    expect(existsSync(env.VICTIM)).toBe(false)
  })

  test('is not reached before somebody said yes', async () => {
    const first = await round(urls[0] ?? '', tool('rm_if_yes'))
    expect(existsSync(env.VICTIM)).toBe(true)
    for (const no of [{ action: 'decline' }, { action: 'cancel' }, value(false)]) {
      const last = await round(urls[1] ?? '', tool('rm_if_yes'), { sure: no }, first.requestState)
      expect(text(last)).toBe('Kept.')
      expect(existsSync(env.VICTIM)).toBe(true)
    }
    const last = await round(urls[1] ?? '', tool('rm_if_yes'), { sure: value(true) }, first.requestState)
    expect(text(last)).toBe('Deleted.')
    expect(existsSync(env.VICTIM)).toBe(false)
  })
})
