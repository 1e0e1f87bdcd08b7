import { type Icon } from './meta.ts'

/** Kinds of images that a client may show; SVG can carry code, so that showing it takes a choice. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/jpg', 'image/webp'])

/** How careful {@link isSafeIcon} is. */
export interface IconRules {
  /** Origin of the server, for icons by `https:`; without one, `data:` alone is taken. */
  readonly origin?: string | undefined
  /** Whether SVG is taken. */
  readonly svg?: boolean
}

/**
 * Whether a client may show an icon: an image in a `data:` URI, or one by `https:` of the server's own origin. It is to be
 * fetched without credentials, without following redirects elsewhere, and its bytes checked.
 *
 * @see basic/index, "`icons`", of the specification
 */
export function isSafeIcon({ src, mimeType }: Icon, { origin, svg = false }: IconRules = {}): boolean {
  const isImage = (type: string) => IMAGES.has(type) || (svg && type === 'image/svg+xml')
  if (mimeType !== undefined && !isImage(mimeType.toLowerCase())) return false
  if (!URL.canParse(src)) return false
  const url = new URL(src)
  if (url.protocol === 'data:') return isImage(/^data:([^;,]*)/i.exec(src)?.[1]?.toLowerCase() ?? '')
  return url.protocol === 'https:' && url.username === '' && url.password === '' && url.origin === origin
}
