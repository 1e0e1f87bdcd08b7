/** RFC 6838 type and subtype, with parameters or without. */
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: ?;.*)?$/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * What is wrong with a piece of content that is about to be sent, as the end of a sentence, or `undefined` when it is
 * fit to go out (server/tools, "Tool Result"; server/prompts, "PromptMessage").
 */
export function contentProblem(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null) return 'is no object'
  const { type, text, uri, name, resource } = block as Record<string, unknown>
  switch (type) {
    case 'text':
      return typeof text === 'string' ? undefined : 'has no text that is a string'
    case 'image':
    case 'audio':
      return mediaProblem(block as Record<string, unknown>)
    case 'resource_link':
      if (typeof name !== 'string') return 'has no name'
      return isUri(uri) ? undefined : 'has no URI'
    case 'resource': {
      const problem = resourceContentsProblem(resource)
      return problem === undefined ? undefined : `has a resource that ${problem}`
    }
    default:
      return 'is of no known type (text, image, audio, resource, resource_link)'
  }
}

/** The same for contents of a resource (server/resources, "Reading Resources"). */
export function resourceContentsProblem(contents: unknown): string | undefined {
  if (typeof contents !== 'object' || contents === null) return 'is no object'
  const { uri, mimeType, text, blob } = contents as Record<string, unknown>
  if (!isUri(uri)) return 'has no URI'
  if (mimeType !== undefined && !isMimeType(mimeType)) return 'has a mimeType that is none'
  if (typeof text === 'string') return undefined
  if (typeof blob !== 'string') return 'has neither text nor blob'
  return isBase64(blob) ? undefined : 'has a blob that is not base64'
}

function mediaProblem({ data, mimeType }: Record<string, unknown>): string | undefined {
  if (!isMimeType(mimeType)) return "has no MIME type, such as 'image/png'"
  return typeof data === 'string' && isBase64(data) ? undefined : 'has no data in base64'
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
