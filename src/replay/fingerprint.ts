import { digest } from '#context'
import { type AskSpec } from './ask.ts'

/** Characters kept of a digest: 128 bits. */
const LENGTH = 22

/** Longest text that is its own fingerprint: a digest would take longer to make than a few characters more to carry. */
const SHORT = 96

/**
 * Fingerprint of the question an answer is pinned to (E16): over the author's kind and text, never over what the
 * engine adds, or an ask put again with a reason would not know its answer. A digest, or the text itself when that is
 * short; the line feed after the kind tells them apart.
 */
export function fingerprint(spec: AskSpec<unknown>): string {
  const text = `${spec.kind}\n${pinned(spec)}`
  return text.length <= SHORT ? text : shortDigest(text)
}

/** Digest of a part of a question's text that is the same for many, to be made once. */
export function shortDigest(text: string): string {
  return digest(text).slice(0, LENGTH)
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
