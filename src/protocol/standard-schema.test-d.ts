import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { z } from 'zod'
import { type InferInput, type InferOutput, type Schema } from './standard-schema.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Takes a value of exactly the type wanted. */
const same =
  <Wanted>() =>
  <Given>(_value: Given, ..._different: Equal<Wanted, Given> extends true ? [] : [never]) =>
    undefined
const output = <S extends Schema>(_schema: S): InferOutput<S> => undefined as never
const input = <S extends Schema>(_schema: S): InferInput<S> => undefined as never

same<{ env: 'a' | 'b'; n: number; s: number }>()(
  output(z.object({ env: z.enum(['a', 'b']), n: z.number().default(1), s: z.string().transform(Number) })),
)
same<{ n?: number | undefined; s: string }>()(
  input(z.object({ n: z.number().default(1), s: z.string().transform(Number) })),
)
same<{ kind: 'x' } | { kind: 'y' }>()(
  output(z.discriminatedUnion('kind', [z.object({ kind: z.literal('x') }), z.object({ kind: z.literal('y') })])),
)

same<{ env: 'a' | 'b'; n?: number }>()(output(type({ env: "'a'|'b'", 'n?': 'number' })))

same<{ env: 'a' | 'b'; n: number }>()(
  output(toStandardJsonSchema(v.object({ env: v.picklist(['a', 'b']), n: v.optional(v.number(), 1) }))),
)
same<{ n?: number | undefined }>()(input(toStandardJsonSchema(v.object({ n: v.optional(v.number(), 1) }))))

same<Record<string, unknown>>()(output({ type: 'object', properties: { a: { type: 'string' } } }))
same<Record<string, unknown>>()(undefined as never as InferOutput<undefined>)

// @ts-expect-error the check itself tells types apart
same<{ a: string }>()(output(z.object({ a: z.number() })))
// @ts-expect-error Valibot schemas need their converter
output(v.object({ a: v.string() }))
// @ts-expect-error a schema is an object
output('object')
