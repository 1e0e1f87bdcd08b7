import { type Refused } from './claims.ts'
import { type RingKey } from './crypto-port.ts'

/** The plain text of a token whose seal was good, or why it was not opened. */
export type Unsealed = { readonly ok: true; readonly plain: string; readonly kid: string | undefined } | Refused

/** What seals the plain text of tokens: a ring of keys, or the author's own pair (T10). */
export interface Sealer {
  /**
   * @throws RondoError `STATE_TOO_LARGE` (before any cryptography where the size is known then), `STATE_CRYPTO`
   */
  seal(plain: string): string | Promise<string>
  /** Never throws and never rejects. */
  open(token: string): Unsealed | Promise<Unsealed>
  /** A key of the ring, for HMACs: the one of this id, or the first when there is no such key. */
  key(kid?: string): RingKey | Promise<RingKey>
}
