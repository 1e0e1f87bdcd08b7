/** RFC 6838 type and subtype, with parameters or without. */
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?;.*)?$/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * What is wrong with a piece of content that is about to be sent, as the end of a sentence, or `undefined` when it is
 * fit to go out (server/tools, "Tool Result"; server/prompts, "PromptMessage").
 */
export function contentProblem(block: unknown): string | undefined {
  if (!isPlain(block)) return 'is no object'
  const { type, annotations, _meta } = block
  const problem = blockProblem(type, block)
  if (problem !== undefined || (annotations === undefined && _meta === undefined)) return problem
  return annotationsProblem(annotations) ?? metaProblem(_meta)
}

function blockProblem(type: unknown, block: Members): string | undefined {
  switch (type) {
    case 'text':
      return typeof block['text'] === 'string' ? undefined : 'has no text that is a string'
    case 'image':
    case 'audio':
      return mediaProblem(block)
    case 'resource_link':
      return linkProblem(block)
    case 'resource': {
      const problem = resourceContentsProblem(block['resource'])
      return problem === undefined ? undefined : `has a resource that ${problem}`
    }
    default:
      return 'is of no known type (text, image, audio, resource, resource_link)'
  }
}

/** The same for contents of a resource (server/resources, "Reading Resources"). */
export function resourceContentsProblem(contents: unknown): string | undefined {
  if (!isPlain(contents)) return 'is no object'
  const { uri, mimeType, text, blob, _meta } = contents
  if (!isUri(uri)) return 'has no URI'
  if (mimeType !== undefined && !isMimeType(mimeType)) return 'has a mimeType that is none'
  if (_meta !== undefined && !isPlain(_meta)) return metaProblem(_meta)
  if (typeof text === 'string') return undefined
  if (typeof blob !== 'string') return 'has neither text nor blob'
  return isBase64(blob) ? undefined : 'has a blob that is not base64'
}

function mediaProblem({ data, mimeType }: Members): string | undefined {
  if (!isMimeType(mimeType)) return "has no MIME type, such as 'image/png'"
  return typeof data === 'string' && isBase64(data) ? undefined : 'has no data in base64'
}

function linkProblem({ name, uri, title, description, mimeType, size, icons }: Members): string | undefined {
  if (typeof name !== 'string') return 'has no name'
  if (!isUri(uri)) return 'has no URI'
  if (title !== undefined && typeof title !== 'string') return 'has a title that is no text'
  if (description !== undefined && typeof description !== 'string') return 'has a description that is no text'
  if (mimeType !== undefined && !isMimeType(mimeType)) return 'has a mimeType that is none'
  if (size !== undefined && !(Number.isSafeInteger(size) && (size as number) >= 0)) {
    return 'has a size that is no whole number of bytes'
  }
  if (icons === undefined) return undefined
  return isPlainArray(icons) && icons.every(isIcon)
    ? undefined
    : 'has icons that are none ({ src, mimeType?, sizes?, theme? })'
}

function isIcon(icon: unknown): boolean {
  if (!isPlain(icon)) return false
  const { src, mimeType, sizes, theme } = icon
  return (
    isUri(src) &&
    (mimeType === undefined || isMimeType(mimeType)) &&
    (sizes === undefined || isIconSizes(sizes)) &&
    (theme === undefined || isIconTheme(theme))
  )
}

function annotationsProblem(annotations: unknown): string | undefined {
  if (annotations === undefined) return undefined
  if (!isPlain(annotations)) return 'has annotations that are no object'
  const { audience, priority, lastModified } = annotations
  if (audience !== undefined && !isAudience(audience)) {
    return "has an audience that is no array of 'user' and 'assistant'"
  }
  if (priority !== undefined && !isPriority(priority)) {
    return 'has a priority that is no number from 0 to 1'
  }
  if (lastModified !== undefined && !isDateText(lastModified)) {
    return 'has a lastModified that is no date in ISO 8601'
  }
  return undefined
}

function metaProblem(meta: unknown): string | undefined {
  return meta === undefined || isPlain(meta) ? undefined : 'has _meta that is no object'
}

/** Whether `value` may be an annotation's `audience` (server/resources, "Annotations"). */
export function isAudience(value: unknown): boolean {
  return isPlainArray(value) && value.every((role) => role === 'user' || role === 'assistant')
}

/** Whether `value` may be an annotation's `priority`: a number from 0 to 1. */
export function isPriority(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}

/** Whether `value` may be an annotation's `lastModified`: a date as text. */
export function isDateText(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}

/** Whether `value` may be an icon's `sizes` (basic/index, "`icons`"). */
export function isIconSizes(value: unknown): boolean {
  return isPlainArray(value) && value.every((size) => typeof size === 'string')
}

/** Whether `value` may be an icon's `theme`. */
export function isIconTheme(value: unknown): boolean {
  return value === 'light' || value === 'dark'
}

type Members = Readonly<Record<string, unknown>>

/** An object that JSON writes as one. */
function isPlain(value: unknown): value is Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return typeof (value as Members)['toJSON'] !== 'function'
}

/** Whether `value` is an array that JSON writes as one. */
export function isPlainArray(value: unknown): value is unknown[] {
  return Array.isArray(value) && typeof (value as { toJSON?: unknown }).toJSON !== 'function'
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text)
}

/** Whether `value` is a MIME type. */
export function isMimeType(value: unknown): value is string {
  return typeof value === 'string' && MIME_TYPE.test(value)
}

/** A scheme and something after it; more is the business of whoever reads it. */
function isUri(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/.test(value)
}
