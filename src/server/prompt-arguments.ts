import { quoted } from './quoted.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { WireError } from '../errors/wire-error.ts'
import type { JsonObject } from '../jsonrpc/messages.ts'
import type { PromptArgument } from '../protocol/prompt.ts'
import type { CompiledSchema, Validated } from '../protocol/schema.ts'
import { isStandardSchema, type InferOutput, type StandardSchema } from '../protocol/standard-schema.ts'
import { completer, type CompleteFn, type Completer } from './completer.ts'
import { definedSchema } from './defined-schema.ts'
import { checkOptions, optionalText, refuse } from './definition.ts'
import { after, type Maybe } from './maybe.ts'

/** An argument of a prompt. On the wire every argument is a text. */
export interface PromptArgumentOptions {
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Whether a prompt without it is refused; false by default. */
  readonly required?: boolean | undefined
  /** Suggestions while a person types. */
  readonly complete?: Completer | undefined
}

/** Arguments by name, or a schema over an object of texts. */
export type PromptArgumentsOption =
  { readonly [name: string]: PromptArgumentOptions } | StandardSchema | PromptJsonSchema

/**
 * A JSON Schema as told from arguments by name: its `type` is written out. Keywords are listed, since any other member
 * makes it an argument.
 */
export interface PromptJsonSchema {
  readonly type: 'object'
  readonly properties?: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | object
  readonly patternProperties?: Readonly<Record<string, object>>
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>
  readonly $schema?: string
  readonly $id?: string
  readonly $defs?: Readonly<Record<string, object>>
  readonly $comment?: string
  readonly title?: string
  readonly description?: string
}

/** What a prompt's handler gets. */
export type PromptArguments<A> = [A] extends [{ readonly '~standard': object }]
  ? InferOutput<A>
  : [A] extends [{ readonly type: string }]
    ? Record<string, unknown>
    : [A] extends [object]
      ? { readonly [K in keyof A as Required1<A[K]> extends true ? K : never]: string } & {
          readonly [K in keyof A as Required1<A[K]> extends true ? never : K]?: string
        }
      : Record<string, never>

type Required1<O> = O extends { readonly required: true } ? true : false

/** Arguments, ready for use. */
export interface PromptArgumentsCheck {
  /** As they are listed; `undefined` when there are none. */
  readonly listed: readonly PromptArgument[] | undefined
  readonly complete: ReadonlyMap<string, CompleteFn>
  /** Names a completion may be asked for. */
  readonly names: ReadonlySet<string>
  /**
   * The handler's arguments from `params.arguments`.
   *
   * @throws WireError `INVALID_PARAMS` (also by rejection) when one is missing, unknown or unfit.
   */
  check(args: unknown): Maybe<unknown>
}

/**
 * Checks the `arguments` option of a prompt.
 *
 * @param complete completers by name, for arguments given as a schema.
 * @throws RondoError `DEFINITION_INVALID`
 */
export function promptArguments(
  given: PromptArgumentsOption | undefined,
  complete: Readonly<Record<string, Completer>> | undefined,
  where: string,
): PromptArgumentsCheck {
  if (given !== undefined && !isStandardSchema(given) && !isJsonObject(given)) {
    refuse(where, 'arguments must be an object of arguments by name, or a schema.')
  }
  const listed = given === undefined ? [] : isSchema(given) ? [] : listNamed(given, where)
  const schema = given !== undefined && isSchema(given) ? compile(given, where) : undefined
  if (schema !== undefined) listed.push(...listSchema(schema.json))
  const names = new Set(listed.map((argument) => argument.name))
  const completers = new Map<string, CompleteFn>()
  for (const [name, one] of completersOf(schema === undefined ? given : undefined, complete)) {
    if (!names.has(name)) refuse(where, `complete names ${JSON.stringify(name)}, which is not among the arguments.`)
    completers.set(name, completer(one, `${where}: argument ${JSON.stringify(name)}`))
  }
  const required = listed.filter((argument) => argument.required === true).map((argument) => argument.name)
  return {
    listed: listed.length === 0 ? undefined : listed,
    complete: completers,
    names,
    check: (args) => {
      const texts = checkTexts(args, names, required)
      return schema === undefined ? texts : after(schema.validate(texts), valueOf)
    },
  }
}

function isSchema(given: PromptArgumentsOption): given is StandardSchema | PromptJsonSchema {
  return isStandardSchema(given) || typeof given.type === 'string'
}

function compile(schema: StandardSchema | PromptJsonSchema, where: string): CompiledSchema {
  return definedSchema(isStandardSchema(schema) ? schema : { ...schema }, 'input', 'arguments', where)
}

function listNamed(given: Readonly<Record<string, PromptArgumentOptions>>, where: string): PromptArgument[] {
  return Object.entries(given).map(([name, options]) => {
    const at = `${where}: argument ${JSON.stringify(name)}`
    if (!isJsonObject(options)) refuse(at, 'give an object, such as { description: "…", required: true }.')
    checkOptions(options, ['title', 'description', 'required', 'complete'], at)
    const { title, description, required } = options as PromptArgumentOptions
    optionalText(title, 'title', at)
    optionalText(description, 'description', at)
    if (required !== undefined && typeof required !== 'boolean') refuse(at, 'required must be true or false.')
    return listedArgument(name, title, description, required)
  })
}

function listSchema(schema: JsonObject): PromptArgument[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, property]) => {
    const { title, description } = isJsonObject(property) ? property : {}
    return listedArgument(name, text(title), text(description), required.includes(name))
  })
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function listedArgument(
  name: string,
  title: string | undefined,
  description: string | undefined,
  required: boolean | undefined,
): PromptArgument {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(required === undefined ? {} : { required }),
  }
}

function completersOf(
  named: PromptArgumentsOption | undefined,
  complete: Readonly<Record<string, Completer>> | undefined,
): [string, Completer][] {
  const inline = Object.entries((named ?? {}) as Readonly<Record<string, PromptArgumentOptions>>).flatMap(
    ([name, options]): [string, Completer][] => (options.complete === undefined ? [] : [[name, options.complete]]),
  )
  return [...inline, ...Object.entries(complete ?? {})]
}

/** The arguments as texts, without prototype; server/prompts, "Error Handling". */
function checkTexts(args: unknown, names: ReadonlySet<string>, required: readonly string[]): Record<string, string> {
  if (args !== undefined && !isJsonObject(args)) throw invalid('Prompt arguments must be an object of texts')
  const texts = Object.create(null) as Record<string, string>
  for (const [name, value] of Object.entries(args ?? {})) {
    if (!names.has(name)) throw invalid(`Unknown prompt argument ${quoted(name)}`)
    if (typeof value !== 'string') throw invalid(`Prompt argument ${quoted(name)} must be a text`)
    texts[name] = value
  }
  const missing = required.filter((name) => !(name in texts))
  if (missing.length > 0)
    throw invalid(`Missing prompt argument${missing.length > 1 ? 's' : ''} ${missing.map(quoted).join(', ')}`)
  return texts
}

function valueOf(validated: Validated): unknown {
  if (validated.ok) return validated.value
  const issues = validated.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  )
  throw invalid(`Invalid prompt arguments: ${issues.join('; ')}`)
}

function invalid(message: string): WireError {
  return new WireError('INVALID_PARAMS', message)
}
