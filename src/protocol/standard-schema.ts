/** One thing a library found wrong, and where. */
export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** Outcome of a library's validation. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

/** Which JSON Schema dialect is wanted. */
export interface StandardJsonSchemaOptions {
  readonly target: string
}

/** Properties of a Standard Schema, version 1, with its JSON Schema companion. */
export interface StandardSchemaProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly jsonSchema: {
    readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>
    readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>
  }
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
}

/**
 * A schema of any library that follows Standard Schema and gives JSON Schema: zod 4.2 and newer, ArkType, Valibot through
 * `toStandardJsonSchema()` of `@valibot/to-json-schema`.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaProps<Input, Output>
}

/** A JSON Schema written out as an object: 2020-12, or draft-07 when `$schema` says so. */
export interface JsonSchemaObject {
  readonly '~standard'?: never
  readonly [keyword: string]: unknown
}

/** What `input`, `output` and `schema` options take. */
export type Schema = StandardSchema | JsonSchemaObject

/**
 * Type of the value that a schema gives after validation. A plain JSON Schema, or none, gives a record: its types are
 * not worked out.
 */
export type InferOutput<S> = S extends StandardSchema
  ? NonNullable<S['~standard']['types']>['output']
  : Record<string, unknown>

/** Type of the value that a schema takes. */
export type InferInput<S> = S extends StandardSchema
  ? NonNullable<S['~standard']['types']>['input']
  : Record<string, unknown>

/** Whether `schema` is one of a library, and not a plain JSON Schema. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'function') return false
  const standard = (schema as { '~standard'?: unknown })['~standard']
  return typeof standard === 'object' && standard !== null && (standard as { version?: unknown }).version === 1
}
