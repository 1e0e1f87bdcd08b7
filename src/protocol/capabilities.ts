import { type JsonObject } from '../jsonrpc/messages.ts'
import { METHODS } from './methods.ts'

/** What a client declares it can do, with every request (basic/index, "Per-request protocol fields"). */
export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject }
  readonly sampling?: { readonly tools?: JsonObject; readonly context?: JsonObject }
  readonly roots?: JsonObject
  readonly extensions?: { readonly [id: string]: JsonObject }
  readonly experimental?: { readonly [name: string]: JsonObject }
}

/** The part of an embedded request that decides what the client must have declared for it. */
export interface CapabilityBearer {
  readonly method: string
  readonly params?: object | null | undefined
}

/** What the client must have declared to be sent this request. Nothing for a method that cannot be embedded. */
export function requiredForInputRequest(entry: CapabilityBearer): ClientCapabilities {
  const params = entry.params ?? {}
  switch (entry.method) {
    case METHODS.elicitationCreate:
      return { elicitation: (params as { mode?: unknown }).mode === 'url' ? { url: {} } : { form: {} } }
    case METHODS.samplingCreateMessage:
      return { sampling: 'tools' in params || 'toolChoice' in params ? { tools: {} } : {} }
    case METHODS.rootsList:
      return { roots: {} }
    default:
      return {}
  }
}

/** Both sets of capabilities as one. Where one says an object and the other something else, the object stays. */
export function mergeCapabilities(a: ClientCapabilities, b: ClientCapabilities): ClientCapabilities {
  return mergeTrees(a as JsonObject, b as JsonObject)
}

/**
 * The part of `required` that `declared` does not cover; `{}` when nothing is missing. A bare `elicitation: {}` covers
 * form (client/elicitation, "Capabilities").
 */
export function missingCapabilities(required: ClientCapabilities, declared: unknown): ClientCapabilities {
  const missing = missingTree(required as JsonObject, declared)
  return pruneImpliedForm(missing, declared)
}

/** Whether the client said it takes form elicitation, in either of the two ways. */
export function declaresForm(declared: unknown): boolean {
  return Object.keys(missingCapabilities({ elicitation: { form: {} } }, declared)).length === 0
}

function mergeTrees(a: JsonObject, b: JsonObject): JsonObject {
  const merged: JsonObject = { ...a }
  for (const key of Object.keys(b)) {
    const left = Object.hasOwn(merged, key) ? merged[key] : undefined
    const right = b[key]
    const value = isTree(left) && isTree(right) ? mergeTrees(left, right) : isTree(left) ? left : right
    Object.defineProperty(merged, key, { value, writable: true, enumerable: true, configurable: true })
  }
  return merged
}

function missingTree(required: JsonObject, declared: unknown): JsonObject {
  const missing: JsonObject = {}
  const has = isTree(declared) ? declared : {}
  for (const key of Object.keys(required)) {
    const wanted = required[key]
    const given = Object.hasOwn(has, key) ? has[key] : undefined
    if (given === undefined || given === null || given === false) {
      Object.defineProperty(missing, key, { value: wanted, writable: true, enumerable: true, configurable: true })
      continue
    }
    if (!isTree(wanted)) continue
    const below = missingTree(wanted, given)
    if (Object.keys(below).length === 0) continue
    Object.defineProperty(missing, key, { value: below, writable: true, enumerable: true, configurable: true })
  }
  return missing
}

function pruneImpliedForm(missing: JsonObject, declared: unknown): JsonObject {
  const elicitation = missing['elicitation']
  if (!isTree(elicitation) || !Object.hasOwn(elicitation, 'form') || !isBareElicitation(declared)) return missing
  const { form: _implied, ...others } = elicitation
  if (Object.keys(others).length > 0) return { ...missing, elicitation: others }
  const { elicitation: _covered, ...rest } = missing
  return rest
}

/** Declarations of 2025-06-18 name no mode: the only one there was is meant. */
function isBareElicitation(declared: unknown): boolean {
  if (!isTree(declared) || !Object.hasOwn(declared, 'elicitation')) return false
  const elicitation = declared['elicitation']
  return isTree(elicitation) && !Object.hasOwn(elicitation, 'url') && !Object.hasOwn(elicitation, 'form')
}

function isTree(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
