/**
 * `_meta` key under which an input-required result says until when its `requestState` is taken: an ISO 8601 instant.
 * For hosts that keep a round for later; a client that ignores it loses nothing.
 */
export const EXPIRES_META = 'dev.rondo/requestStateExpires'
