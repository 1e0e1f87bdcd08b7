import { isRondoError } from '../errors/rondo-error.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { checkElicitParams, type RequestedSchema } from './elicitation.ts'
import { compileForm } from './form.ts'
import { type InputRequestEntry } from './input-requests.ts'
import { METHODS } from './methods.ts'
import { checkSamplingParams } from './sampling.ts'

/** Keywords that a schema of `ctx.ask.form` may have, because they are written anew, and that a form itself has not. */
const REWRITTEN = [
  '$ref',
  'type',
  'const',
  'anyOf',
  'oneOf',
  'allOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const

/**
 * What keeps a client from answering an embedded request that an author wrote out, as one sentence, or `undefined`.
 *
 * @see client/elicitation, client/sampling and client/roots, "Protocol Messages", of the specification
 */
export function embeddedProblem({ method, params }: InputRequestEntry): string | undefined {
  switch (method) {
    case METHODS.elicitationCreate:
      return checkElicitParams(params) ?? formProblem(params)
    case METHODS.samplingCreateMessage:
      return checkSamplingParams(params)
    case METHODS.rootsList:
      return metaProblem(params)
  }
}

function metaProblem(params: JsonObject | undefined): string | undefined {
  const meta = params?.['_meta']
  return meta === undefined || isJsonObject(meta) ? undefined : 'its _meta must be an object'
}

function formProblem(params: JsonObject | undefined): string | undefined {
  const schema = params?.['requestedSchema']
  if (params?.['mode'] === 'url' || !isJsonObject(schema)) return undefined
  if (Object.hasOwn(schema, '$ref')) return 'its requestedSchema must not be a $ref; write the schema out'
  try {
    const { properties } = compileForm(schema).requestedSchema
    return rewrittenProblem(schema['properties'] as JsonObject, properties)
  } catch (error) {
    if (isRondoError(error, 'ASK_SCHEMA')) return error.message
    throw error
  }
}

/** A form goes out as it was written, so that it must stand there as it would be written anew. */
function rewrittenProblem(written: JsonObject, form: RequestedSchema['properties']): string | undefined {
  for (const name of Object.keys(form)) {
    const [given, wanted] = [written[name] as JsonObject, form[name]]
    // Titles beside an enum, as 2025-06-18 wrote them, are still taken.
    if (Object.hasOwn(given, 'enumNames') && given['type'] === 'string') continue
    const keyword = REWRITTEN.find((one) => Object.hasOwn(given, one) !== Object.hasOwn(wanted ?? {}, one))
    if (keyword === undefined) continue
    return `${keyword} of the property ${JSON.stringify(name)} of its requestedSchema: write it as ${JSON.stringify(wanted)}`
  }
  return undefined
}
