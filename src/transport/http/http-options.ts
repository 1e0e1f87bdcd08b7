import {
  ABOVE_ZERO,
  BOOLEAN,
  either,
  FROM_ZERO,
  FUNCTION,
  OBJECT,
  oneOf,
  type OptionKind,
  type OptionKinds,
  optionsOf,
  TEXTS,
} from '../../errors/option-check.ts'
import type { CorsOptions } from './cors.ts'
import type { HttpOptions } from './handler.ts'
import type { SessionOptions } from './legacy/sessions.ts'
import { isHeaderValue } from './principal.ts'

const PATH: OptionKind = {
  is: 'a path that starts with "/", as "/mcp" does',
  fits: (value) => typeof value === 'string' && value.startsWith('/'),
}
const CHALLENGE: OptionKind = {
  is: 'printable ASCII, as a header value is',
  fits: (value) => typeof value === 'string' && isHeaderValue(value),
}
const CORS: OptionKinds<CorsOptions> = {
  allowHeaders: TEXTS,
  exposeHeaders: TEXTS,
  credentials: BOOLEAN,
  maxAge: FROM_ZERO,
}
const SESSIONS: OptionKinds<SessionOptions> = {
  max: ABOVE_ZERO,
  idle: ABOVE_ZERO,
  eventBuffer: FROM_ZERO,
  pollAfter: FROM_ZERO,
}
/** A list that names no origin would let nobody in, and say nothing. */
const ORIGINS: OptionKind = {
  is: 'a list of origins such as "https://app.example.com", "*" alone, or a function',
  fits: (value) => typeof value === 'function' || value === '*' || isListOf(value, isOrigin),
}
const HOSTS: OptionKind = {
  is: 'a list of names such as "mcp.example.com", with or without a port',
  fits: (value) => isListOf(value, (host) => /^[^/*@\s]+$/.test(host)),
}

/** What each of {@link HttpOptions} may be. */
export const HTTP_OPTIONS: OptionKinds<HttpOptions> = {
  path: PATH,
  health: either(PATH, oneOf(false)),
  principal: FUNCTION,
  challenge: CHALLENGE,
  cors: either(BOOLEAN, optionsOf(CORS)),
  origins: ORIGINS,
  hosts: HOSTS,
  maxBodyBytes: ABOVE_ZERO,
  log: FUNCTION,
  streamAfter: FROM_ZERO,
  keepAlive: ABOVE_ZERO,
  heldLimit: ABOVE_ZERO,
  unreadAfter: ABOVE_ZERO,
  sessions: optionsOf(SESSIONS),
  perRequestHost: BOOLEAN,
  clock: OBJECT,
}

function isListOf(value: unknown, fits: (item: string) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string' && fits(item))
}

function isOrigin(item: string): boolean {
  return item === 'null' || /^[a-z][a-z\d+.-]*:\/\/[^*]+$/i.test(item)
}
