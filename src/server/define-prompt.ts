import { shown } from '../errors/value-text.ts'
import type { PromptMessage } from '../protocol/prompt.ts'
import { callPolicy, POLICY_OPTIONS, type CallPolicy, type CallPolicyOptions } from './call-policy.ts'
import type { CompleteFn, Completer } from './completer.ts'
import type { Context } from './context.ts'
import type { NeedsInput } from './define-tool.ts'
import {
  checkHandler,
  checkOptions,
  definitionJson,
  described,
  DESCRIBED_OPTIONS,
  refuse,
  type DescribedOptions,
} from './definition.ts'
import type { Maybe } from './maybe.ts'
import { promptArguments, type PromptArguments, type PromptArgumentsOption } from './prompt-arguments.ts'
import type { FullResult } from './results.ts'
import type { Visible } from './visible.ts'

/** What {@link promptEntry} takes beside name and handler. */
export interface PromptOptions<A extends PromptArgumentsOption | undefined = PromptArgumentsOption | undefined>
  extends DescribedOptions, CallPolicyOptions {
  /** Arguments by name, or a schema over an object of texts. */
  // The union tells the compiler what completers written in place are given; `A` alone would still be unknown then.
  readonly arguments?: A | PromptArgumentsOption | undefined
  /** Completers by argument, for arguments given as a schema. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined
}

/** What a prompt's handler returns: a text (one message of the user's), a message, messages, or a full result. */
export type PromptReturn = string | PromptMessage | readonly PromptMessage[] | FullResult | NeedsInput

/** Makes a prompt's messages. Runs again from the top each round. */
export type PromptHandler<A> = (args: PromptArguments<A>, ctx: Context) => PromptReturn | PromiseLike<PromptReturn>

/** A prompt as the registry keeps it. */
export interface PromptEntry {
  readonly kind: 'prompt'
  readonly name: string
  /** Its definition as it is listed, serialised once. */
  readonly json: string
  readonly description: string | undefined
  /**
   * The handler's arguments from `params.arguments`.
   *
   * @throws WireError `INVALID_PARAMS` (also by rejection) when one is missing, unknown or unfit.
   */
  check(args: unknown): Maybe<unknown>
  /** Names of its arguments. */
  readonly names: ReadonlySet<string>
  readonly complete: ReadonlyMap<string, CompleteFn>
  readonly policy: CallPolicy
  readonly visible: Visible | undefined
  readonly handler: (args: never, ctx: Context) => unknown
}

const OPTIONS = [...DESCRIBED_OPTIONS, ...POLICY_OPTIONS, 'arguments', 'complete']

/**
 * Checks a prompt's definition and makes it ready for calls.
 *
 * @throws RondoError `DEFINITION_INVALID`, with what is wrong and what to do.
 * @see server/prompts of the specification
 */
export function promptEntry(
  name: string,
  options: PromptOptions,
  handler: (args: never, ctx: Context) => unknown,
): PromptEntry {
  const where = `Prompt ${shown(name)}`
  if (typeof name !== 'string' || name === '') refuse(where, 'a prompt needs a name, a text that is not empty.')
  checkOptions(options, OPTIONS, where)
  checkHandler(handler, where)
  const args = promptArguments(options.arguments, options.complete, where)
  const { title, description, icons, _meta } = described(options, where)
  return {
    kind: 'prompt',
    name,
    json: definitionJson({ name, title, description, icons, arguments: args.listed, _meta }, where),
    description,
    check: (given) => args.check(given),
    names: args.names,
    complete: args.complete,
    policy: callPolicy(options, where),
    visible: options.visible,
    handler,
  }
}
