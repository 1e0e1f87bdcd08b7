import type { JsonObject } from '../jsonrpc/messages.ts'
import type { RequestedSchema } from '../protocol/elicitation.ts'
import type { InputRequestEntry } from '../protocol/input-requests.ts'
import { METHODS } from '../protocol/methods.ts'

/** An ask as it goes out: an embedded request that nobody can change. */
export class Asked implements InputRequestEntry {
  readonly method: InputRequestEntry['method']
  declare readonly params?: JsonObject
  readonly #schemaText: string | undefined

  constructor(method: InputRequestEntry['method'], params?: JsonObject, schemaText?: string) {
    this.method = method
    if (params !== undefined) this.params = Object.freeze(params)
    this.#schemaText = schemaText
    Object.freeze(this)
  }

  /** A form; `schemaText` is the JSON text of its schema. */
  static form(message: string, requestedSchema: RequestedSchema, schemaText: string): Asked {
    return new Asked(METHODS.elicitationCreate, { mode: 'form', message, requestedSchema }, schemaText)
  }

  /** The same form with a reason for putting it again. */
  because(reason: string): Asked {
    const params = { ...this.params, message: `${String(this.params?.['message'])}\n\n(${reason})` }
    return new Asked(this.method, params, this.#schemaText)
  }

  /** Its JSON text. That of a schema is known, so it is not made again. */
  text(): string {
    if (this.#schemaText === undefined) return JSON.stringify(this)
    const message = JSON.stringify(this.params?.['message'])
    return `{"method":"${this.method}","params":{"mode":"form","message":${message},"requestedSchema":${this.#schemaText}}}`
  }
}
