import { ERRORS } from '../errors/codes.ts'
import { type JsonRpcErrorObject } from '../jsonrpc/messages.ts'
import { type AskKind } from './handlers.ts'

/** What lets a client answer each kind of ask. */
const WAYS: readonly (readonly [path: string, kind: AskKind, handler: string])[] = [
  ['elicitation.form', 'form', 'onElicit'],
  ['elicitation.url', 'url', 'onUrl'],
  ['sampling.tools', 'sampleWithTools', 'onSampleWithTools'],
  ['sampling', 'sample', 'onSample'],
  ['roots', 'roots', 'onRoots'],
]

/**
 * What to do about a request that was refused for want of capabilities (`-32021`): names those that are missing, and the
 * options that declare them. `undefined` for any other error, and for capabilities that no option of ours declares.
 */
export function missingCapability({ code, data }: JsonRpcErrorObject): string | undefined {
  if (code !== ERRORS.CAPABILITY_MISSING.wire) return undefined
  const required = (data as { requiredCapabilities?: unknown } | undefined)?.requiredCapabilities
  let missing = WAYS.filter(([path]) => has(required, path))
  if (missing.some(([path]) => path === 'sampling.tools')) missing = missing.filter(([path]) => path !== 'sampling')
  if (missing.length === 0) return undefined
  const paths = missing.map(([path]) => `"${path}"`)
  const handlers = missing.map(([, , handler]) => handler)
  const kinds = missing.map(([, kind]) => `'${kind}'`)
  return (
    `This request did not declare ${paths.join(', ')}: give the handler ${handlers.join(', ')}, or ` +
    `asks: [${kinds.join(', ')}] to answer by hand.`
  )
}

function has(value: unknown, path: string): boolean {
  let at = value
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return true
}
