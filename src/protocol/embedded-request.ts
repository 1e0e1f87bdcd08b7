import { type JsonObject } from '../jsonrpc/messages.ts'
import { type RequestedSchema } from './elicitation.ts'
import { type EmbeddableMethod, METHODS } from './methods.ts'

/** An embedded request that this package made out of parts nobody else can change: it goes out as it is. */
export class EmbeddedRequest {
  readonly method: EmbeddableMethod
  declare readonly params?: JsonObject
  readonly #schemaText: string | undefined

  constructor(method: EmbeddableMethod, params?: JsonObject, schemaText?: string) {
    this.method = method
    if (params !== undefined) this.params = Object.freeze(params)
    this.#schemaText = schemaText
    Object.freeze(this)
  }

  /** A form; `schemaText` is the JSON text of its schema. */
  static form(message: string, requestedSchema: RequestedSchema, schemaText: string): EmbeddedRequest {
    return new EmbeddedRequest(METHODS.elicitationCreate, { mode: 'form', message, requestedSchema }, schemaText)
  }

  /** The same form with a reason for putting it again. */
  because(reason: string): EmbeddedRequest {
    const params = { ...this.params, message: `${String(this.params?.['message'])}\n\n(${reason})` }
    return new EmbeddedRequest(this.method, params, this.#schemaText)
  }

  /** Its JSON text. That of a schema is known, so it is not made again. */
  text(): string {
    if (this.#schemaText === undefined) return JSON.stringify(this)
    const message = JSON.stringify(this.params?.['message'])
    return `{"method":"${this.method}","params":{"mode":"form","message":${message},"requestedSchema":${this.#schemaText}}}`
  }
}
