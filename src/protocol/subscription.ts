/** Which changes a client wants to hear of (basic/patterns/subscriptions). */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  /** URIs of resources. */
  readonly resourceSubscriptions?: readonly string[]
}
