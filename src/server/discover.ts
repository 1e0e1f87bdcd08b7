import { isJsonObject } from '../jsonrpc/json-object.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { ServerCapabilities } from '../protocol/discover.ts'
import { isExtensionId } from '../protocol/meta.ts'
import type { Revision } from '../protocol/revisions.ts'
import type { CacheHint } from './cache-hint.ts'
import { definitionJson, refuse } from './definition.ts'
import type { Registry } from './registry.ts'
import type { Stamp } from './stamp.ts'

/** What a server can do beside what is registered. */
export interface CapabilityOptions {
  /** Whether handlers may send log messages to the client; true by default. */
  readonly logging?: boolean | undefined
  /** Whether clients can be told of changes: lists then declare `listChanged`, resources `subscribe`. */
  readonly changes?: boolean | undefined
  /** Extensions by identifier, with their settings (basic/versioning, "Extension Negotiation"). */
  readonly extensions?: Readonly<Record<string, object>> | undefined
}

/** What {@link discovery} is made of. */
export interface DiscoveryOptions extends CapabilityOptions {
  readonly registry: Registry
  readonly stamp: Stamp
  readonly hint: CacheHint
  readonly instructions?: string | undefined
  /** Revisions served, newest first. */
  readonly versions: readonly Revision[]
}

/**
 * What `server/discover` answers: the JSON text of a whole complete result, made anew only when the registry changed.
 *
 * @throws RondoError `DEFINITION_INVALID` for extensions that are not named or set as the specification says.
 * @see server/discover of the specification
 */
export function discovery(options: DiscoveryOptions): () => string {
  const { registry, stamp, hint, instructions, versions } = options
  checkExtensions(options.extensions)
  let version = -1
  let text = ''
  return () => {
    if (registry.version !== version) {
      version = registry.version
      const capabilities = serverCapabilities(registry, options)
      const body: JsonObject = { supportedVersions: versions, capabilities }
      if (instructions !== undefined) body.instructions = instructions
      text = stamp.complete(body, hint)
    }
    return text
  }
}

/**
 * The capabilities a server declares: those it has, or once had, something for. `listChanged` and `subscribe` are declared
 * only by who serves subscriptions.
 */
export function serverCapabilities(registry: Registry, options: CapabilityOptions): ServerCapabilities {
  const list = options.changes === true ? { listChanged: true } : {}
  const subscribe = options.changes === true ? { subscribe: true } : {}
  return {
    ...(registry.offers('tools') ? { tools: list } : {}),
    ...(registry.offers('prompts') ? { prompts: list } : {}),
    ...(registry.offers('resources') ? { resources: { ...list, ...subscribe } } : {}),
    ...(registry.offers('completions') ? { completions: {} } : {}),
    ...(options.logging === false ? {} : { logging: {} }),
    ...(options.extensions === undefined ? {} : { extensions: options.extensions as Record<string, JsonObject> }),
  }
}

function checkExtensions(extensions: Readonly<Record<string, object>> | undefined): void {
  if (extensions === undefined) return
  const where = 'Option extensions'
  if (!isJsonObject(extensions)) refuse(where, 'must be an object of settings by identifier.')
  for (const [id, settings] of Object.entries(extensions)) {
    if (!isExtensionId(id)) {
      refuse(
        where,
        `${JSON.stringify(id)} is no identifier: it needs a prefix and a name, such as 'com.example/search'.`,
      )
    }
    if (!isJsonObject(settings)) refuse(where, `the settings of ${id} must be an object; {} when there are none.`)
  }
  definitionJson(extensions, where)
}
