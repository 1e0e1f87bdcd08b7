/** How many may listen for changes. */
export interface SubscriptionOptions {
  /** Subscriptions at the same time; 10,000 by default. */
  readonly max?: number | undefined
  /** Those of one principal; 1,000 by default. All who are anonymous share one allowance. */
  readonly perPrincipal?: number | undefined
  /** Resources that one of them may name; 1,000 by default. */
  readonly uris?: number | undefined
}
