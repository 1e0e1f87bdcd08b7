import type { JsonObject } from '../jsonrpc/messages.ts'
import { EXPIRES_META } from '../protocol/expiry.ts'
import type { InputRequestMap } from '../protocol/input-requests.ts'
import { META, type Implementation } from '../protocol/meta.ts'
import { ResultType } from '../protocol/result-type.ts'
import { EmbeddedRequest } from '../protocol/embedded-request.ts'
import type { CacheHint } from './cache-hint.ts'
import { InstantText } from './instant-text.ts'
import { checkResultMeta, membersText } from './result-body.ts'

/**
 * Puts on a result what every result carries: `resultType`, the server's identity in `_meta`, cache hints where the
 * result is cacheable (basic/index, "Responses"; server/utilities/caching).
 */
export class Stamp {
  /** JSON text of the `_meta` member of a result that has none of its own. */
  readonly meta: string
  readonly #expiresHead: string
  readonly #instant = new InstantText()
  /** Who the server is. */
  readonly info: Implementation

  constructor(info: Implementation) {
    this.info = info
    this.meta = JSON.stringify({ [META.serverInfo]: info })
    this.#expiresHead = `${this.meta.slice(0, -1)},${JSON.stringify(EXPIRES_META)}:"`
  }

  /**
   * JSON text of a complete result.
   *
   * @throws RondoError `RESULT_INVALID` for what JSON cannot say
   */
  complete(body: JsonObject, cache?: CacheHint): string {
    return this.#render(ResultType.complete, body, cache)
  }

  /**
   * JSON text of an input-required result, which is never cacheable.
   *
   * @param expires until when the state is taken, in milliseconds since 1970
   */
  inputRequired(inputRequests: InputRequestMap | undefined, requestState?: string, expires?: number): string {
    const requests = inputRequests === undefined ? '' : `,"inputRequests":${requestsText(inputRequests)}`
    const state = requestState === undefined ? '' : `,"requestState":${JSON.stringify(requestState)}`
    const meta = expires === undefined ? this.meta : `${this.#expiresHead}${this.#instant.of(expires)}"}`
    return `{"resultType":"${ResultType.inputRequired}"${requests}${state},"_meta":${meta}}`
  }

  #render(resultType: string, body: JsonObject, cache: CacheHint | undefined): string {
    const hints = cache === undefined ? '' : `,"ttlMs":${cache.ttlMs},"cacheScope":"${cache.scope}"`
    if (body['_meta'] === undefined && body['resultType'] === undefined && (cache === undefined || !saysCache(body))) {
      return `{"resultType":"${resultType}"${inner(body)}${hints},"_meta":${this.meta}}`
    }
    const { _meta: own, resultType: _said, ...rest } = body
    // The server's word counts, and a member may not come twice.
    const { ttlMs: _ttl, cacheScope: _scope, ...members } = rest
    return `{"resultType":"${resultType}"${inner(cache === undefined ? rest : members)}${hints},"_meta":${this.#metaText(own)}}`
  }

  #metaText(own: unknown): string {
    if (own === undefined) return this.meta
    checkResultMeta(own)
    return membersText({ [META.serverInfo]: this.info, ...own })
  }
}

function requestsText(requests: InputRequestMap): string {
  let text = ''
  for (const key of Object.keys(requests)) {
    const entry = requests[key]
    text += `,${JSON.stringify(key)}:${entry instanceof EmbeddedRequest ? entry.text() : JSON.stringify(entry)}`
  }
  return `{${text.slice(1)}}`
}

function saysCache(body: JsonObject): boolean {
  return body['ttlMs'] !== undefined || body['cacheScope'] !== undefined
}

/** The members of an object as JSON text, each after a comma. */
function inner(members: object): string {
  const text = membersText(members)
  return text.length > 2 ? `,${text.slice(1, -1)}` : ''
}
