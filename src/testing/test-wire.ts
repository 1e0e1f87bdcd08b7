import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject, type JsonRpcErrorObject, type JsonRpcNotification } from '../jsonrpc/messages.ts'
import { type ClientCapabilities } from '../protocol/capabilities.ts'
import { META } from '../protocol/meta.ts'
import { MODERN_REVISION } from '../protocol/revisions.ts'
import { type AuthInfo, type Exchange, type TestSetting } from '../server/exchange.ts'
import { type ServerLog } from '../server/log.ts'
import { type InProcessServer } from '../transport/memory/client.ts'

/** Who sends a test's request, to which server, at what time. */
export interface WireSetting {
  readonly server: InProcessServer
  readonly principal: string
  readonly auth: AuthInfo | undefined
  readonly capabilities: ClientCapabilities
  readonly onDivergence: 'warn' | 'fail'
  readonly detectNesting: boolean
  readonly hold: number
  now(): number
}

/** All that came of one request. */
export interface WireReply {
  readonly result: JsonObject | undefined
  readonly error: JsonRpcErrorObject | undefined
  /** Text of the journal that a suspended round left behind. */
  readonly journal: string | undefined
  readonly log: readonly ServerLog[]
  readonly notifications: readonly JsonRpcNotification[]
}

let lastId = 0

/** Sends one request as text and reads the reply. */
export async function send(setting: WireSetting, method: string, params: JsonObject): Promise<WireReply> {
  const { server, principal, auth, capabilities, onDivergence, detectNesting, hold } = setting
  const id = ++lastId
  const _meta = {
    [META.protocolVersion]: MODERN_REVISION,
    [META.clientCapabilities]: capabilities,
    [META.clientInfo]: { name: 'rondo/testing', version: '0' },
    [META.logLevel]: 'debug',
    [META.progressToken]: id,
  }
  let journal: string | undefined
  const log: ServerLog[] = []
  const notifications: JsonRpcNotification[] = []
  const testing: TestSetting = {
    onDivergence,
    detectNesting,
    hold,
    now: () => setting.now(),
    suspended: (text) => (journal = text),
    log: (event) => log.push(event),
  }
  const exchange: Exchange = {
    principal,
    ...(auth === undefined ? {} : { auth }),
    testing,
    notify: (message) => notifications.push(JSON.parse(message) as JsonRpcNotification),
  }
  const { body } = await server.handle(
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
    exchange,
  )
  if (body === undefined) throw new RondoError('RESPONSE_INVALID', `The server gave no reply to ${method}`)
  const { result, error } = JSON.parse(body) as { result?: JsonObject; error?: JsonRpcErrorObject }
  return { result, error, journal, log, notifications }
}
