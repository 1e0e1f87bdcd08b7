import { type ClientCapabilities } from '../protocol/capabilities.ts'
import { type DiscoverResult } from '../protocol/discover.ts'
import { type Implementation, META } from '../protocol/meta.ts'
import { type Tool } from '../protocol/tool.ts'
import { abandoned } from '../replay/thenable.ts'
import { type CallSetting } from './calls.ts'
import { type ClientHost, clientHost } from './client-host.ts'
import {
  type CallLimits,
  type CallOptions,
  type ClientLog,
  type ClientOptions,
  type RequestCallOptions,
  type DeliveryListener,
  type WaitListener,
} from './client-options.ts'
import { capabilitiesFor, Declaration, handledKinds } from './declaration.ts'
import { type Era, type EraAdapter, type EraSign } from './era.ts'
import { type AskingServer, type Handlers } from './handlers.ts'
import { ModernEra } from './modern-era.ts'
import { type RequestTimes } from './request-scope.ts'
import { type Transport } from './transport.ts'

/** Milliseconds; each has an option of the same name. */
const DEFAULTS = { timeout: 60_000, maxTimeout: 600_000, connectTimeout: 10_000 } as const

/** Who the client says it is unless told. The version is that of package.json; a test holds them together. */
export const DEFAULT_CLIENT_INFO: Implementation = Object.freeze({ name: 'rondo', version: '0.1.0' })

/** What holds for every request of a client, worked out once. */
export class ClientSetting implements CallSetting {
  readonly host: ClientHost
  readonly limits: CallLimits
  readonly handlers: Handlers
  readonly onWait: WaitListener['onWait']
  readonly onUndelivered: DeliveryListener['onUndelivered']
  readonly connectTimeout: number
  discovered: DiscoverResult | undefined
  readonly #transport: Transport
  readonly #options: ClientOptions
  readonly #clientInfo: Implementation | undefined
  readonly #declaration: Declaration
  readonly #times: RequestTimes
  readonly #modern: ModernEra
  #era: Era

  constructor(transport: Transport, options: ClientOptions) {
    this.#transport = transport
    this.#options = options
    this.host = options.host ?? clientHost
    this.limits = options
    this.handlers = options
    this.onWait = options.onWait
    this.onUndelivered = options.onUndelivered
    this.connectTimeout = options.connectTimeout ?? DEFAULTS.connectTimeout
    this.#clientInfo = options.clientInfo === false ? undefined : (options.clientInfo ?? DEFAULT_CLIENT_INFO)
    const kinds = [...handledKinds(options), ...(options.asks ?? [])]
    this.#declaration = this.declareExactly(capabilitiesFor(kinds, options.capabilities))
    this.#times = {
      timeout: options.timeout ?? DEFAULTS.timeout,
      maxTimeout: options.maxTimeout ?? DEFAULTS.maxTimeout,
    }
    const { headers, log } = options
    this.#modern = new ModernEra({ transport, host: this.host, headers, log: log && harmless(log) })
    this.#era = this.#modern
  }

  era(): Era {
    return this.#era
  }

  /** Goes on with a server of another era from here. */
  async adopt(adapter: EraAdapter, sign: EraSign): Promise<void> {
    this.#era = await adapter.adopt(this.#transport, sign)
  }

  usableTools(tools: readonly Tool[]): readonly Tool[] {
    return this.#modern.usableTools(tools)
  }

  declare(options: CallOptions | undefined): Declaration {
    if (options === undefined) return this.#declaration
    if (options.asks) return this.declareExactly(capabilitiesFor(options.asks, this.#options.capabilities))
    const given = handledKinds(options)
    if (given.length === 0) return this.#declaration
    return this.declareExactly(capabilitiesFor(given, this.#declaration.capabilities))
  }

  declareExactly(capabilities: ClientCapabilities): Declaration {
    return new Declaration(capabilities, this.#clientInfo)
  }

  times(options: RequestCallOptions | undefined): RequestTimes {
    if (options?.timeout === undefined && options?.maxTimeout === undefined) return this.#times
    return {
      timeout: options.timeout ?? this.#times.timeout,
      maxTimeout: options.maxTimeout ?? this.#times.maxTimeout,
    }
  }

  server(): AskingServer {
    const info = this.discovered?._meta?.[META.serverInfo]
    return { address: this.#transport.address, name: info?.name, title: info?.title, version: info?.version }
  }
}

/** A log that fails must not fail the request it tells of. */
function harmless(log: (entry: ClientLog) => unknown): (entry: ClientLog) => void {
  return (entry) => {
    try {
      abandoned(log(entry))
    } catch {
      // Nobody is left to tell.
    }
  }
}
