import { type METHODS } from './methods.ts'

/** What every property of a form may have. */
interface Labelled {
  readonly title?: string
  readonly description?: string
}

/** String formats that forms know. */
export const FORM_FORMATS = Object.freeze(['email', 'uri', 'date', 'date-time'] as const)
export type FormFormat = (typeof FORM_FORMATS)[number]

export interface StringSchema extends Labelled {
  readonly type: 'string'
  readonly minLength?: number
  readonly maxLength?: number
  readonly format?: FormFormat
  readonly default?: string
}

export interface NumberSchema extends Labelled {
  readonly type: 'number' | 'integer'
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
}

export interface BooleanSchema extends Labelled {
  readonly type: 'boolean'
  readonly default?: boolean
}

/** A choice, and how it is shown. */
export interface TitledChoice {
  readonly const: string
  readonly title: string
}

export interface UntitledSingleSelectEnumSchema extends Labelled {
  readonly type: 'string'
  readonly enum: readonly string[]
  readonly default?: string
}

export interface TitledSingleSelectEnumSchema extends Labelled {
  readonly type: 'string'
  readonly oneOf: readonly TitledChoice[]
  readonly default?: string
}

export interface UntitledMultiSelectEnumSchema extends Labelled {
  readonly type: 'array'
  readonly minItems?: number
  readonly maxItems?: number
  readonly items: { readonly type: 'string'; readonly enum: readonly string[] }
  readonly default?: readonly string[]
}

export interface TitledMultiSelectEnumSchema extends Labelled {
  readonly type: 'array'
  readonly minItems?: number
  readonly maxItems?: number
  readonly items: { readonly anyOf: readonly TitledChoice[] }
  readonly default?: readonly string[]
}

/** Titles beside an enum, as 2025-06-18 wrote them. */
export interface LegacyTitledEnumSchema extends Labelled {
  readonly type: 'string'
  readonly enum: readonly string[]
  readonly enumNames?: readonly string[]
  readonly default?: string
}

export type EnumSchema =
  | UntitledSingleSelectEnumSchema
  | TitledSingleSelectEnumSchema
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema
  | LegacyTitledEnumSchema

/** One property of a form (client/elicitation, "Requested Schema"). */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema

/** Schema of a form: a flat object of primitive properties. */
export interface RequestedSchema {
  readonly $schema?: string
  readonly type: 'object'
  readonly properties: { readonly [name: string]: PrimitiveSchemaDefinition }
  readonly required?: readonly string[]
}

export interface ElicitRequestFormParams {
  /** Absent means form. */
  readonly mode?: 'form'
  readonly message: string
  readonly requestedSchema: RequestedSchema
}

export interface ElicitRequestURLParams {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams

/** A question to the person at the client. */
export interface ElicitRequest {
  readonly method: typeof METHODS.elicitationCreate
  readonly params: ElicitRequestParams
}

/** One value of a filled form. */
export type FormValue = string | number | boolean | readonly string[]

/** What the person did with a question. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Only with `accept`, and only of a form. */
  readonly content?: { readonly [name: string]: FormValue }
  readonly [key: string]: unknown
}

/**
 * Whether `value` reads as an answer to an elicitation; its content is checked against the schema elsewhere. Some clients
 * write `content: null` beside a decline or a cancel.
 */
export function isElicitResult(value: unknown): value is ElicitResult {
  if (typeof value !== 'object' || value === null) return false
  const { action, content } = value as { action?: unknown; content?: unknown }
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return false
  return content === undefined || (content === null && action !== 'accept') || isFormContent(content)
}

/**
 * What an elicitation's params lack, as one sentence, or `undefined`: a message, and a schema or a valid URL. What the
 * schema says is not looked at.
 *
 * @see client/elicitation, "Protocol Messages", of the specification
 */
export function checkElicitParams(params: unknown): string | undefined {
  if (typeof params !== 'object' || params === null) return 'an elicitation needs params'
  const { mode, message, requestedSchema, url } = params as Record<string, unknown>
  if (typeof message !== 'string') return 'an elicitation needs a message'
  if (mode === 'url') return typeof url === 'string' && URL.canParse(url) ? undefined : 'its url must be a valid URL'
  if (mode !== undefined && mode !== 'form') return 'its mode must be form or url'
  const { type, properties } = (requestedSchema ?? {}) as Record<string, unknown>
  if (type === 'object' && typeof properties === 'object' && properties !== null) return undefined
  return 'a form needs a requestedSchema of the type object, with properties'
}

function isFormContent(content: unknown): boolean {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return false
  return Object.values(content).every(isFormValue)
}

function isFormValue(value: unknown): value is FormValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string')
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}
