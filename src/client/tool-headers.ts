import { isRondoError, RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { encodeHeaderValue, type ParamHeader, paramHeaders } from '../protocol/param-headers.ts'
import { type Tool } from '../protocol/tool.ts'

/** What was learnt of one tool: its mirrored parameters, or why it may not be used. */
type Known = { readonly headers: readonly ParamHeader[] } | { readonly refused: string }

/**
 * What `tools/list` said of tool parameters that are mirrored into headers
 * (basic/transports/streamable-http, "Custom Headers from Tool Parameters").
 */
export class ToolHeaders {
  readonly #known = new Map<string, Known>()

  /**
   * Learns from listed tools and gives those that may be used.
   *
   * @param exclude is told of each tool left out, with the reason
   */
  learn(tools: readonly Tool[], exclude: (name: string, reason: string) => void): readonly Tool[] {
    let left: Tool[] | undefined
    tools.forEach((tool, index) => {
      const known = read(tool)
      this.#known.set(tool.name, known)
      if ('refused' in known) {
        left ??= tools.slice(0, index)
        exclude(tool.name, known.refused)
      } else {
        left?.push(tool)
      }
    })
    return left ?? tools
  }

  /**
   * Puts `mcp-param-*` headers of a call into `headers`; nothing when the tool was never listed.
   *
   * @param members members of the call's `params` as JSON text
   * @throws RondoError `RESPONSE_INVALID` when the tool's definition was refused
   */
  mirror(name: string, members: string, headers: Record<string, string>): void {
    if (this.#known.size === 0) return
    const known = this.#known.get(name)
    if (known === undefined) return
    if ('refused' in known) {
      throw new RondoError(
        'RESPONSE_INVALID',
        `The server's definition of the tool "${name}" is invalid: ${known.refused}`,
      )
    }
    if (known.headers.length === 0) return
    // Read back from what is sent, so that headers and body agree whatever became of the caller's object.
    const { arguments: args } = JSON.parse(`{${members}}`) as { arguments?: unknown }
    for (const header of known.headers) {
      const value = valueAt(args, header.path)
      if (value !== undefined) headers[`mcp-param-${header.name.toLowerCase()}`] = encodeHeaderValue(value)
    }
  }
}

function read(tool: Tool): Known {
  try {
    return { headers: paramHeaders(tool.inputSchema) }
  } catch (error) {
    return { refused: isRondoError(error) ? error.message : String(error) }
  }
}

function valueAt(args: unknown, path: readonly string[]): string | undefined {
  let value: unknown = args
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
