import { RondoError } from '../errors/rondo-error.ts'
import { shown } from '../errors/value-text.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import { isElicitResult, type ElicitResult } from '../protocol/elicitation.ts'
import { checkContent, compileForm, type CompiledForm } from '../protocol/form.ts'
import { issuesText } from '../protocol/issue.ts'
import { copyJson } from '../protocol/json-copy.ts'
import { METHODS } from '../protocol/methods.ts'
import { isListRootsResult, type ListRootsResult } from '../protocol/roots.ts'
import {
  checkSamplingParams,
  isCreateMessageResult,
  type CreateMessageRequestParams,
  type CreateMessageResult,
} from '../protocol/sampling.ts'
import type { Validated } from '../protocol/schema.ts'
import { sensitiveFields } from '../protocol/sensitive-fields.ts'
import type { Schema } from '../protocol/standard-schema.ts'
import type { AskSpec, Checked } from '../replay/ask.ts'
import { shortDigest } from '../replay/fingerprint.ts'
import type { AskOptions, FormAnswer, UrlAnswer } from './ask.ts'
import { EmbeddedRequest } from '../protocol/embedded-request.ts'
import { milliseconds } from './duration.ts'
import { after, type Maybe } from './maybe.ts'

/** What an ask whose deadline passed comes back with. */
const CANCELLED: ElicitResult = { action: 'cancel' }

/** A form as asks use it. What is worked out from its schema is worked out once. */
export interface AskForm extends CompiledForm {
  /** JSON text of the schema. */
  readonly schemaText: string
  /** What stands for it in fingerprints. */
  readonly print: string
  /** Properties that look like secrets. */
  readonly secrets: readonly string[]
}

/** Asks by form: content goes through the author's schema before the handler sees it (E17). */
export function formSpec<T>(name: string, message: string, form: AskForm, options: AskOptions): AskSpec<FormAnswer<T>> {
  const { requestedSchema, schemaText, print } = form
  return limited(name, options, {
    name,
    kind: 'form',
    print: `${message}\n${print}`,
    schemaPrint: print,
    text: message,
    payload: EmbeddedRequest.form(message, requestedSchema, schemaText),
    withReason: appendReason,
    late: CANCELLED,
    check: (answer) => checkForm<T>(answer, form),
  })
}

/** A form that the author's own schema describes. Compiled once per schema object, so define schemas outside handlers. */
export function authoredForm(schema: Schema): AskForm {
  let form = compiled.get(schema)
  if (form === undefined) {
    const made = askForm(compileForm(schema))
    form = { ...made, print: shortDigest(made.schemaText) }
    compiled.set(schema, form)
  }
  return form
}

const compiled = new WeakMap<object, AskForm>()

function askForm({ requestedSchema, validate }: CompiledForm): AskForm {
  const schemaText = JSON.stringify(requestedSchema)
  return { requestedSchema, validate, schemaText, print: schemaText, secrets: sensitiveFields(requestedSchema) }
}

/** A form of one property, `value`: what the short forms send. */
export function valueForm(property: JsonObject): AskForm {
  const requestedSchema = {
    type: 'object',
    properties: { value: property },
    required: ['value'],
  } as unknown as CompiledForm['requestedSchema']
  return askForm({
    requestedSchema,
    validate(content): Validated {
      const problem = checkContent(requestedSchema, content)
      if (problem === undefined) return { ok: true, value: content }
      return { ok: false, issues: [{ path: [], message: problem }] }
    },
  })
}

export function urlSpec(name: string, message: string, url: string, options: AskOptions): AskSpec<UrlAnswer> {
  if (typeof url !== 'string' || !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    throw new RondoError(
      'ASK_SCHEMA',
      `The URL of ask "${name}" is not an absolute http(s) URL: ${shown(url)}. Give a full one, such as https://example.com/pay.`,
    )
  }
  return limited(name, options, {
    name,
    kind: 'url',
    print: url,
    schemaPrint: '',
    text: `${message} ${url}`,
    payload: new EmbeddedRequest(METHODS.elicitationCreate, { mode: 'url', message, url }),
    late: CANCELLED,
    check(answer): Checked<UrlAnswer> {
      return isElicitResult(answer) ? { ok: true, value: { action: answer.action } } : { ok: 'missing' }
    },
  })
}

export function sampleSpec(
  name: string,
  params: CreateMessageRequestParams,
  options: AskOptions,
): AskSpec<CreateMessageResult> {
  const problem = checkSamplingParams(params)
  if (problem !== undefined)
    throw new RondoError('ASK_SCHEMA', `The sampling request "${name}" is unusable: ${problem}`)
  const copy = copyJson(params, 'params') as JsonObject
  const print = JSON.stringify(copy)
  return limited(name, options, {
    name,
    kind: 'sample',
    print,
    schemaPrint: '',
    text: print,
    payload: new EmbeddedRequest(METHODS.samplingCreateMessage, copy),
    check: (answer) => (isCreateMessageResult(answer) ? { ok: true, value: answer } : { ok: 'missing' }),
  })
}

export function rootsSpec(name: string): AskSpec<ListRootsResult> {
  return {
    name,
    kind: 'roots',
    print: '',
    schemaPrint: '',
    text: METHODS.rootsList,
    payload: new EmbeddedRequest(METHODS.rootsList),
    check: (answer) => (isListRootsResult(answer) ? { ok: true, value: answer } : { ok: 'missing' }),
  }
}

/** The ask with its deadline and its pin, where it has any. */
function limited<A>(name: string, { pin, within }: AskOptions, spec: AskSpec<A>): AskSpec<A> {
  if (pin === undefined && within === undefined) return spec
  if (pin !== undefined && pin !== 'strict' && pin !== 'schema' && pin !== 'key') {
    throw new RondoError('ASK_SCHEMA', `The pin of ask "${name}" must be 'strict', 'schema' or 'key'.`)
  }
  if (within !== undefined && spec.late === undefined) {
    throw new RondoError('ASK_SCHEMA', `Ask "${name}" takes no deadline: nothing could come back when it has passed.`)
  }
  return {
    ...spec,
    ...(pin === undefined ? {} : { pin }),
    ...(within === undefined ? {} : { within: milliseconds(within, `within of ask "${name}"`) }),
  }
}

function checkForm<T>(answer: unknown, form: CompiledForm): Maybe<Checked<FormAnswer<T>>> {
  if (!isElicitResult(answer)) return { ok: 'missing' }
  if (answer.action !== 'accept') return { ok: true, value: { action: answer.action } }
  return after(form.validate(answer.content ?? {}), (validated): Checked<FormAnswer<T>> =>
    validated.ok
      ? { ok: true, value: { action: 'accept', content: validated.value as T } }
      : { ok: false, reason: issuesText(validated.issues) },
  )
}

function appendReason(payload: unknown, reason: string): unknown {
  return (payload as EmbeddedRequest).because(reason)
}
