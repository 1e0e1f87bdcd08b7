import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type Binding, type Times, tokenCodec } from '../../src/token/token-codec.ts'

const folder = new URL('./', import.meta.url)

/** A token as it was sealed, and what it was sealed for. */
interface KeptToken {
  readonly name: string
  readonly binding: Binding
  readonly times: Times
  readonly body: string
  readonly token: string
}

/** What one release left behind. The keys are test keys and protect nothing. */
export interface History {
  readonly release: string
  readonly recorded: number
  readonly keys: readonly string[]
  readonly tokens: readonly KeptToken[]
  readonly hmac: { readonly text: string; readonly result: string }
}

/** Every history there is, oldest release first. */
export function histories(): readonly History[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tokens.json'))
    .map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as History)
    .sort((a, b) => a.release.localeCompare(b.release, 'en', { numeric: true }))
}

/** Seals a few tokens of every kind and keeps them as the history of `release`. */
export async function recordHistory(release: string, now: number): Promise<void> {
  const file = new URL(`${release}.tokens.json`, folder)
  if (existsSync(file)) return
  const keys = ['history key one '.repeat(3), 'history key two '.repeat(3)]
  const times = { roundExpires: now + 3_600_000, callExpires: now + 86_400_000 }
  const plain = { method: 'tools/call', target: 'deploy\n{"env":"staging"}', audience: 'deploys', principal: 'ada' }
  const cases: readonly Omit<KeptToken, 'token' | 'times'>[] = [
    { name: 'a tool', binding: plain, body: '{"step":1}' },
    { name: 'an anonymous caller', binding: { ...plain, principal: '' }, body: 'x' },
    { name: 'a handler with a version', binding: { ...plain, version: '7' }, body: 'x' },
    { name: 'a prompt', binding: { ...plain, method: 'prompts/get', target: 'greet\n{}' }, body: 'x' },
    { name: 'a resource', binding: { ...plain, method: 'resources/read', target: 'file:///é' }, body: 'x' },
    { name: 'an empty body', binding: plain, body: '' },
    { name: 'a body beyond ASCII', binding: plain, body: 'é\u2028\n\u{1f600}' },
    { name: 'a body UTF-8 cannot say', binding: plain, body: 'a\ud800b' },
    { name: 'a long body', binding: plain, body: 'long '.repeat(400) },
  ]
  const codec = tokenCodec({ keys })
  const tokens: KeptToken[] = []
  for (const kept of cases) {
    tokens.push({ ...kept, times, token: await codec.seal(kept.binding, kept.body, times) })
  }
  const hmac = { text: 'a step', result: await codec.hmac('a step') }
  const history: History = { release, recorded: now, keys, tokens, hmac }
  writeFileSync(file, `${JSON.stringify(history, null, 2)}\n`)
}
