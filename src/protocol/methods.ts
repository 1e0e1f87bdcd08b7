/** Every method name of every revision Rondo speaks; the one place they are written. */
export const METHODS = {
  // Requests of 2026-07-28.
  serverDiscover: 'server/discover',
  toolsList: 'tools/list',
  toolsCall: 'tools/call',
  promptsList: 'prompts/list',
  promptsGet: 'prompts/get',
  resourcesList: 'resources/list',
  resourceTemplatesList: 'resources/templates/list',
  resourcesRead: 'resources/read',
  complete: 'completion/complete',
  subscriptionsListen: 'subscriptions/listen',

  // Requests a server embeds in an input-required result.
  elicitationCreate: 'elicitation/create',
  samplingCreateMessage: 'sampling/createMessage',
  rootsList: 'roots/list',

  // Notifications of 2026-07-28.
  cancelled: 'notifications/cancelled',
  progress: 'notifications/progress',
  message: 'notifications/message',
  toolsListChanged: 'notifications/tools/list_changed',
  promptsListChanged: 'notifications/prompts/list_changed',
  resourcesListChanged: 'notifications/resources/list_changed',
  resourceUpdated: 'notifications/resources/updated',
  subscriptionsAcknowledged: 'notifications/subscriptions/acknowledged',

  // Only in older revisions.
  initialize: 'initialize',
  initialized: 'notifications/initialized',
  ping: 'ping',
  loggingSetLevel: 'logging/setLevel',
  resourcesSubscribe: 'resources/subscribe',
  resourcesUnsubscribe: 'resources/unsubscribe',
  rootsListChanged: 'notifications/roots/list_changed',
  elicitationComplete: 'notifications/elicitation/complete',
} as const

/**
 * The requests an input-required result may carry.
 *
 * @see basic/patterns/mrtr, "InputRequests", of the specification
 */
export const EMBEDDABLE_METHODS = Object.freeze([
  METHODS.elicitationCreate,
  METHODS.samplingCreateMessage,
  METHODS.rootsList,
] as const)

/** One of {@link EMBEDDABLE_METHODS}. */
export type EmbeddableMethod = (typeof EMBEDDABLE_METHODS)[number]
