import { type JsonObject } from '../../jsonrpc/messages.ts'
import { type Prompt } from '../../protocol/prompt.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { promptText } from '../show-result.ts'
import { harmlessJson } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { toolArguments, type TypedArguments } from '../tool-arguments.ts'
import { asking, type AskingOptions } from './asking.ts'
import { findNamed } from './find-named.ts'

/** Options of `rondo prompt`. */
export interface PromptCommandOptions extends AskingOptions {
  readonly prompt: string
  readonly typed: TypedArguments
}

/** `rondo prompt`: gets a prompt, and puts what it asks to the person at the terminal or to the answers file. */
export function prompt(options: PromptCommandOptions, host: Host): Promise<ExitCode> {
  return asking(options, host, async (client, callOptions) => {
    const { signal } = callOptions
    const listed = client.prompts({ ...(signal && { signal }) })
    const found = await findNamed('prompt', options.prompt, listed, options.target)
    const args = toolArguments(options.typed, argumentsSchema(found), 'prompt') as Record<string, string>
    const result = await client.getPrompt(found.name, args, callOptions)
    host.stdout.write(`${options.json ? harmlessJson(result) : promptText(result)}\n`)
    return EXIT.ok
  })
}

/** A prompt's arguments are texts, whatever they stand for (server/prompts, "Prompt"). */
function argumentsSchema({ arguments: args = [] }: Prompt): JsonObject {
  const properties = Object.fromEntries(args.map(({ name }) => [name, { type: 'string' }]))
  const required = args.filter((each) => each.required === true).map(({ name }) => name)
  return { type: 'object', properties, required, additionalProperties: false }
}
