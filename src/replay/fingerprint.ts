import { digest } from '#context'
import { type AskSpec } from './ask.ts'

/** Characters kept of the digest: 128 bits. */
const LENGTH = 22

/**
 * Fingerprint of the question an answer is pinned to (E16): over the author's kind and text, never over what the
 * engine adds, or an ask put again with a reason would not know its answer.
 */
export function fingerprint(spec: AskSpec<unknown>): string {
  return digest(`${spec.kind}\n${pinned(spec)}`).slice(0, LENGTH)
}

function pinned(spec: AskSpec<unknown>): string {
  switch (spec.pin) {
    case 'key':
      return ''
    case 'schema':
      return spec.schemaPrint
    case 'strict':
    case undefined:
      return spec.print
  }
}
