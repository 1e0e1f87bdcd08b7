import { META } from './meta.ts'

/** A tracestate key: lower-case, with an optional tenant (W3C Trace Context, "key"). */
const STATE_KEY = /^(?:[a-z0-9][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/
const BAGGAGE_KEY = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const BAGGAGE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

/**
 * Which trace key of a `_meta` does not hold what W3C Trace Context and Baggage say it must, or `undefined`.
 *
 * @see basic/index, "OpenTelemetry trace context", of the specification
 */
export function badTraceKey(meta: Readonly<Record<string, unknown>>): string | undefined {
  const checks = [
    [META.traceparent, isTraceparent],
    [META.tracestate, isTracestate],
    [META.baggage, isBaggage],
  ] as const
  return checks.find(([key, check]) => {
    const value = Object.hasOwn(meta, key) ? meta[key] : undefined
    return value !== undefined && !(typeof value === 'string' && check(value))
  })?.[0]
}

function isTraceparent(value: string): boolean {
  const [, version, trace, parent, more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/.exec(value) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return false
  return !/^0+$/.test(trace!) && !/^0+$/.test(parent!)
}

function isTracestate(value: string): boolean {
  const members = value.split(',').map((member) => member.trim())
  return members.length <= 32 && members.every((member) => member === '' || isStateMember(member))
}

function isStateMember(member: string): boolean {
  const equals = member.indexOf('=')
  return equals !== -1 && STATE_KEY.test(member.slice(0, equals)) && STATE_VALUE.test(member.slice(equals + 1))
}

function isBaggage(value: string): boolean {
  return value.split(',').every((member) => {
    const [pair = '', ...properties] = member.split(';').map((part) => part.trim())
    return isBaggagePair(pair, true) && properties.every((property) => isBaggagePair(property, false))
  })
}

function isBaggagePair(pair: string, needsValue: boolean): boolean {
  const equals = pair.indexOf('=')
  if (equals === -1) return !needsValue && BAGGAGE_KEY.test(pair)
  return BAGGAGE_KEY.test(pair.slice(0, equals).trimEnd()) && BAGGAGE_VALUE.test(pair.slice(equals + 1).trimStart())
}
