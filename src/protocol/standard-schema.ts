/** Where in a value something is wrong. */
export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** Outcome of a validation. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

/** Which JSON Schema dialect, and the library's own options. */
export interface StandardJsonSchemaOptions {
  readonly target: string
  readonly libraryOptions?: Record<string, unknown> | undefined
}

/** The JSON Schema companion of Standard Schema. */
export interface StandardJsonSchemaConverter {
  readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>
  readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>
}

/** Properties of a Standard Schema, version 1, that Rondo uses. */
export interface StandardSchemaProps<Input = unknown, Output = Input> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
  readonly jsonSchema?: StandardJsonSchemaConverter | undefined
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
}

/** A schema of any library that follows Standard Schema: zod, ArkType, Valibot … */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardSchemaProps<Input, Output>
}

/** A JSON Schema (2020-12) written out as an object. */
export type JsonSchemaObject = { readonly [keyword: string]: unknown } & { readonly '~standard'?: never }

/** What `input`, `output` and `schema` options take. */
export type Schema = StandardSchema | JsonSchemaObject

/** Type of the value a schema gives after validation. */
export type InferOutput<S> = S extends {
  readonly '~standard': { readonly types?: { readonly output: infer T } | undefined }
}
  ? T
  : Record<string, unknown>

/** Type of the value a schema takes. */
export type InferInput<S> = S extends {
  readonly '~standard': { readonly types?: { readonly input: infer T } | undefined }
}
  ? T
  : Record<string, unknown>

/** Whether `schema` is one of a library, not a plain JSON Schema. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return (
    ((typeof schema === 'object' && schema !== null) || typeof schema === 'function') &&
    (schema as { '~standard'?: { version?: unknown } })['~standard']?.version === 1
  )
}
