import { WireError } from '../errors/wire-error.ts'
import { encodeNotification } from '../jsonrpc/encode.ts'
import { META } from '../protocol/meta.ts'
import { METHODS } from '../protocol/methods.ts'
import type { Change } from './changes.ts'
import { CANCELLED, type Answer, type Operation } from './operation.ts'
import { type Listed, Roster } from './roster.ts'
import type { ServerRequest } from './request.ts'
import type { Services } from './services.ts'
import { honoured, isEmpty, passing, type SubscriptionFilter } from './subscription-filter.ts'
import { callerOf } from './visible.ts'

const DEFAULTS = { max: 10_000, perPrincipal: 1000, uris: 1000 } as const

const METHOD = {
  tools: METHODS.toolsListChanged,
  prompts: METHODS.promptsListChanged,
  resources: METHODS.resourcesListChanged,
  resource: METHODS.resourceUpdated,
} as const

/** Clients that listen for changes, each by a request that stays open (basic/patterns/subscriptions). */
export class Subscriptions {
  readonly #services: Services
  readonly #limits: { readonly max: number; readonly perPrincipal: number; readonly uris: number }
  readonly #open = new Roster<Subscription>()
  readonly #counts = new Map<string, number>()

  constructor(services: Services) {
    const { max, perPrincipal, uris } = services.options.subscriptions ?? {}
    this.#services = services
    this.#limits = {
      max: max ?? DEFAULTS.max,
      perPrincipal: perPrincipal ?? DEFAULTS.perPrincipal,
      uris: uris ?? DEFAULTS.uris,
    }
  }

  /** `subscriptions/listen` */
  get operation(): Operation {
    return { run: (request) => this.#listen(request) }
  }

  /** Ends all of them, as it should be: the server stops. */
  end(reason: string): void {
    for (const subscription of this.#open.all()) subscription.end(reason)
  }

  #listen(request: ServerRequest): Answer | Promise<Answer> {
    const { limiter, registry } = this.#services
    // Paid for like a call, but it does not run: it only waits.
    if (limiter !== undefined) limiter.leave(limiter.enter(request.principal))
    const { exchange } = request
    const wanted = honoured(request.params['notifications'], registry, callerOf(request), this.#limits.uris)
    // Where a process ends with its request, changes made elsewhere would never get here.
    const filter = exchange.perRequestHost === true || exchange.notify === undefined ? {} : wanted
    const subscription = new Subscription(this.#services, request, filter)
    if (isEmpty(filter)) {
      subscription.acknowledge()
      return subscription.result()
    }
    this.#enter(request.principal)
    this.#open.add(subscription)
    return subscription.listen(() => this.#left(subscription, request.principal))
  }

  /** @throws WireError `SUBSCRIPTIONS_EXCEEDED` */
  #enter(principal: string): void {
    const count = this.#counts.get(principal) ?? 0
    const { max, perPrincipal } = this.#limits
    if (this.#open.size >= max || count >= perPrincipal) {
      const message = `There are as many subscriptions as ${count >= perPrincipal ? 'one caller' : 'this server'} may have. End one, or list again from time to time.`
      throw new WireError('SUBSCRIPTIONS_EXCEEDED', message)
    }
    this.#counts.set(principal, count + 1)
  }

  #left(subscription: Subscription, principal: string): void {
    this.#open.delete(subscription)
    const count = (this.#counts.get(principal) ?? 1) - 1
    if (count === 0) this.#counts.delete(principal)
    else this.#counts.set(principal, count)
  }
}

/** One client's request to listen. */
class Subscription implements Listed {
  place = -1
  readonly #services: Services
  readonly #request: ServerRequest
  readonly #filter: SubscriptionFilter
  #settle: ((answer: Answer) => void) | undefined

  constructor(services: Services, request: ServerRequest, filter: SubscriptionFilter) {
    this.#services = services
    this.#request = request
    this.#filter = filter
  }

  /** First of all, what of the filter is honoured ("Acknowledgment"). */
  acknowledge(): void {
    this.#send(METHODS.subscriptionsAcknowledged, { notifications: this.#filter })
  }

  /** Text of the result, which says that it ended as it should ("Graceful Closure"). */
  result(): string {
    return this.#services.stamp.complete({ _meta: { [META.subscriptionId]: this.#request.id } })
  }

  async listen(left: () => void): Promise<Answer> {
    const { changes, registry } = this.#services
    const { exchange } = this.#request
    const passes = passing(this.#filter, registry, callerOf(this.#request))
    const settled = new Promise<Answer>((resolve) => (this.#settle = resolve))
    exchange.onCancel?.(() => this.#settle?.(CANCELLED))
    exchange.onEnd?.((reason) => this.end(reason))
    this.acknowledge()
    const stop = changes.listen((all) => {
      for (const change of all) if (passes(change)) this.#tell(change)
    })
    const answer = await settled
    stop()
    left()
    return answer
  }

  /** The server's doing: announced, then answered (basic/patterns/cancellation; H5). */
  end(reason: string): void {
    this.#send(METHODS.cancelled, { requestId: this.#request.id, reason })
    this.#settle?.(this.result())
  }

  #tell(change: Change): void {
    this.#send(METHOD[change.kind], change.kind === 'resource' ? { uri: change.uri } : {})
  }

  #send(method: string, params: object): void {
    const _meta = { [META.subscriptionId]: this.#request.id }
    this.#request.exchange.notify?.(encodeNotification(method, { ...params, _meta }))
  }
}
