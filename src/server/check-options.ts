import { checkedLimits } from './call-policy.ts'
import { checkIcons, checkOptions, optionalText, refuse } from './definition.ts'
import { milliseconds } from './duration.ts'
import { REVISIONS, type Revision } from '../protocol/revisions.ts'
import type { ServerInfo, ServerOptions } from './options.ts'

const KNOWN: Readonly<Record<keyof ServerOptions, true>> = {
  revisions: true,
  state: true,
  requestState: true,
  limits: true,
  onDivergence: true,
  detectNesting: true,
  pageSize: true,
  maxResultLength: true,
  cache: true,
  rateLimit: true,
  subscriptions: true,
  extensions: true,
  log: true,
  redact: true,
  now: true,
}
const STATE: Readonly<Record<keyof NonNullable<ServerOptions['state']>, true>> = {
  keys: true,
  crypto: true,
  audience: true,
  roundTtl: true,
  callTtl: true,
  maxBytes: true,
}
const FUNCTIONS = ['log', 'redact', 'now'] as const

/**
 * Checks what a server is made of, so that a misspelt or useless option is found where it is written.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function checkServerOptions(info: ServerInfo, options: ServerOptions): void {
  for (const key of ['name', 'version'] as const) {
    if (typeof info?.[key] !== 'string' || info[key] === '')
      refuse('Server', `${key} must be a text that is not empty.`)
  }
  for (const key of ['title', 'description', 'websiteUrl', 'instructions'] as const) {
    optionalText(info[key], key, 'Server')
  }
  if (info.websiteUrl !== undefined && !URL.canParse(info.websiteUrl))
    refuse('Server', 'websiteUrl must be a full URL.')
  if (info.icons !== undefined) checkIcons(info.icons, 'Server')
  checkOptions(options, Object.keys(KNOWN), 'Server options')
  for (const name of FUNCTIONS) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      refuse(`Option ${name}`, 'must be a function.')
  }
  const { requestState, onDivergence, state = {}, limits = {}, maxResultLength } = options
  if (maxResultLength !== undefined && !(Number.isSafeInteger(maxResultLength) && maxResultLength > 0)) {
    refuse('Option maxResultLength', 'must be a whole number of characters above zero.')
  }
  if (requestState !== undefined && requestState !== 'sealed' && requestState !== 'unprotected') {
    refuse('Option requestState', "must be 'sealed' or 'unprotected'.")
  }
  if (onDivergence !== undefined && onDivergence !== 'warn' && onDivergence !== 'fail') {
    refuse('Option onDivergence', "must be 'warn' or 'fail'.")
  }
  checkOptions(state, Object.keys(STATE), 'Option state')
  for (const name of ['roundTtl', 'callTtl'] as const) {
    if (state[name] !== undefined) milliseconds(state[name], `Option state.${name}`)
  }
  checkOptions(options.subscriptions ?? {}, ['max', 'perPrincipal', 'uris'], 'Option subscriptions')
  for (const [name, value] of Object.entries(options.subscriptions ?? {})) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= 0)) {
      refuse(`Option subscriptions.${name}`, 'must be a whole number from 0 up.')
    }
  }
  checkSealing(state)
  checkedLimits(limits, 'Server options')
}

/**
 * The revisions a server serves, newest first.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function servedRevisions(revisions: readonly Revision[] = REVISIONS): readonly Revision[] {
  const known = `It may list ${REVISIONS.join(', ')}.`
  if (!Array.isArray(revisions) || revisions.length === 0) {
    refuse('Option revisions', `must be a list of at least one revision. ${known}`)
  }
  const unknown = revisions.find((revision) => !REVISIONS.includes(revision))
  if (unknown !== undefined)
    refuse('Option revisions', `has ${JSON.stringify(unknown)}, which Rondo does not speak. ${known}`)
  return REVISIONS.filter((revision) => revisions.includes(revision))
}

function checkSealing({ crypto, maxBytes, audience }: NonNullable<ServerOptions['state']>): void {
  if (crypto !== undefined && (typeof crypto?.seal !== 'function' || typeof crypto.open !== 'function')) {
    refuse('Option state.crypto', 'must be an object with the functions seal and open.')
  }
  if (maxBytes !== undefined && !(Number.isSafeInteger(maxBytes) && maxBytes > 0)) {
    refuse('Option state.maxBytes', 'must be a whole number of bytes above zero.')
  }
  if (audience !== undefined && typeof audience !== 'string') refuse('Option state.audience', 'must be a text.')
}
