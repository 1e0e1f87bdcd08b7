import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { setOwn } from './json-copy.ts'
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

/**
 * What the client must have declared to be sent this request; nothing for a method that cannot be embedded. The same
 * table as `requiredClientCapabilitiesForInputRequest` of the official TypeScript SDK.
 *
 * @see client/elicitation, client/sampling, client/roots, "Capabilities", of the specification
 */
export function requiredForInputRequest(entry: CapabilityBearer): ClientCapabilities {
  const params: { mode?: unknown; tools?: unknown; toolChoice?: unknown } = entry.params ?? {}
  switch (entry.method) {
    case METHODS.elicitationCreate:
      return { elicitation: params.mode === 'url' ? { url: {} } : { form: {} } }
    case METHODS.samplingCreateMessage:
      return { sampling: params.tools !== undefined || params.toolChoice !== undefined ? { tools: {} } : {} }
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
 * The part of `required` that `declared` does not cover; `{}` when nothing is missing. A declared value that is not an
 * object covers only an empty requirement; `null` and `false` cover nothing. A bare `elicitation: {}` covers form.
 *
 * @see basic/index, "Per-request protocol fields", and client/elicitation, "Capabilities", of the specification
 */
export function missingCapabilities(required: ClientCapabilities, declared: unknown): ClientCapabilities {
  return pruneImpliedForm(missingTree(required as JsonObject, declared), declared)
}

/** Whether `declared` covers all of `required`. */
export function coversCapabilities(declared: unknown, required: ClientCapabilities): boolean {
  return isEmpty(missingCapabilities(required, declared) as JsonObject)
}

function mergeTrees(a: JsonObject, b: JsonObject): JsonObject {
  const merged: JsonObject = { ...a }
  for (const key of Object.keys(b)) {
    const left = own(merged, key)
    const right = b[key]
    if (isJsonObject(left) && isJsonObject(right)) setOwn(merged, key, mergeTrees(left, right))
    else if (!isJsonObject(left) && right !== undefined) setOwn(merged, key, right)
  }
  return merged
}

function missingTree(required: JsonObject, declared: unknown): JsonObject {
  const missing: JsonObject = {}
  for (const key of Object.keys(required)) {
    const wanted = required[key]
    if (wanted === undefined) continue
    const given = isJsonObject(declared) ? own(declared, key) : undefined
    if (given === undefined || given === null || given === false) {
      setOwn(missing, key, wanted)
    } else if (isJsonObject(wanted)) {
      const below = missingTree(wanted, given)
      if (!isEmpty(below)) setOwn(missing, key, below)
    }
  }
  return missing
}

function pruneImpliedForm(missing: JsonObject, declared: unknown): JsonObject {
  const { elicitation, ...rest } = missing
  if (!isJsonObject(elicitation) || own(elicitation, 'form') === undefined || !isBareElicitation(declared))
    return missing
  const { form: _implied, ...others } = elicitation
  return isEmpty(others) ? rest : { ...rest, elicitation: others }
}

/** Declarations of 2025-06-18 name no mode: the only one there was is meant. */
function isBareElicitation(declared: unknown): boolean {
  const elicitation = isJsonObject(declared) ? own(declared, 'elicitation') : undefined
  return isJsonObject(elicitation) && own(elicitation, 'url') === undefined && own(elicitation, 'form') === undefined
}

function own(tree: JsonObject, key: string): unknown {
  return Object.hasOwn(tree, key) ? tree[key] : undefined
}

function isEmpty(tree: JsonObject): boolean {
  return Object.keys(tree).length === 0
}
