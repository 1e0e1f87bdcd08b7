import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { type InferInput, type InferOutput, type Schema } from './standard-schema.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const expect = <_T extends true>(): void => undefined
const accept = <S extends Schema>(schema: S): S => schema

const zod = accept(z.object({ env: z.enum(['a', 'b']), n: z.number().default(1), s: z.string().transform(Number) }))
expect<Equal<InferOutput<typeof zod>, { env: 'a' | 'b'; n: number; s: number }>>()
expect<Equal<InferInput<typeof zod>, { env: 'a' | 'b'; n?: number | undefined; s: string }>>()

const ark = accept(type({ env: "'a'|'b'", 'n?': 'number' }))
expect<Equal<InferOutput<typeof ark>, { env: 'a' | 'b'; n?: number }>>()

const valibot = accept(toStandardJsonSchema(v.object({ env: v.picklist(['a', 'b']), n: v.optional(v.number(), 1) })))
expect<Equal<InferOutput<typeof valibot>, { env: 'a' | 'b'; n: number }>>()
expect<Equal<InferInput<typeof valibot>, { env: 'a' | 'b'; n?: number | undefined }>>()

const plain = accept({ type: 'object', properties: { a: { type: 'string' } } })
expect<Equal<InferOutput<typeof plain>, Record<string, unknown>>>()
expect<Equal<InferOutput<undefined>, Record<string, unknown>>>()

const union = accept(
  z.discriminatedUnion('kind', [z.object({ kind: z.literal('x') }), z.object({ kind: z.literal('y') })]),
)
expect<Equal<InferOutput<typeof union>, { kind: 'x' } | { kind: 'y' }>>()

// @ts-expect-error Valibot schemas need their converter
accept(v.object({ a: v.string() }))
// @ts-expect-error a schema is an object
accept('object')
