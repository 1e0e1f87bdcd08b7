import { RondoError } from '../errors/rondo-error.ts'
import { type ClientCapabilities, mergeCapabilities } from '../protocol/capabilities.ts'
import { type Implementation, isExtensionId, META } from '../protocol/meta.ts'
import { type AskKind, type Handlers } from './handlers.ts'

const BY_KIND: Readonly<Record<AskKind, ClientCapabilities>> = {
  form: { elicitation: { form: {} } },
  url: { elicitation: { url: {} } },
  sample: { sampling: {} },
  sampleWithTools: { sampling: { tools: {} } },
  roots: { roots: {} },
}

/** Kinds of ask that handlers can answer. */
export function handledKinds(handlers: Handlers): AskKind[] {
  const kinds: AskKind[] = []
  if (handlers.onElicit) kinds.push('form')
  if (handlers.onUrl) kinds.push('url')
  if (handlers.onSample) kinds.push('sample')
  if (handlers.onSampleWithTools) kinds.push('sampleWithTools')
  if (handlers.onRoots) kinds.push('roots')
  return kinds
}

/**
 * Capabilities to declare for kinds of ask, on top of the host's own.
 *
 * @throws RondoError `CONFIG_INVALID` for an unknown kind or an extension id that is none
 */
export function capabilitiesFor(kinds: Iterable<AskKind>, further: ClientCapabilities = {}): ClientCapabilities {
  let capabilities = further
  for (const id of Object.keys(further.extensions ?? {})) {
    if (!isExtensionId(id)) throw new RondoError('CONFIG_INVALID', `"${id}" is not an extension id: it needs a prefix`)
  }
  for (const kind of kinds) {
    const added = Object.hasOwn(BY_KIND, kind) ? BY_KIND[kind] : undefined
    if (added === undefined) throw new RondoError('CONFIG_INVALID', `"${String(kind)}" is not a kind of ask`)
    capabilities = mergeCapabilities(capabilities, added)
  }
  return capabilities
}

/** The constant part of `_meta`, kept as text so that a request only has to put it in. */
export class Declaration {
  readonly capabilities: ClientCapabilities
  readonly #clientInfo: Implementation | undefined
  #version = ''
  #text = ''

  constructor(capabilities: ClientCapabilities, clientInfo: Implementation | undefined) {
    this.capabilities = capabilities
    this.#clientInfo = clientInfo
  }

  /** Members of `_meta` as JSON text, without braces. */
  members(version: string): string {
    if (version !== this.#version) {
      this.#version = version
      const meta = {
        [META.protocolVersion]: version,
        [META.clientInfo]: this.#clientInfo,
        [META.clientCapabilities]: this.capabilities,
      }
      this.#text = JSON.stringify(meta).slice(1, -1)
    }
    return this.#text
  }
}
