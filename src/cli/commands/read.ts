import { EXIT, type ExitCode } from '../exit-codes.ts'
import { contentsText } from '../show-result.ts'
import { harmlessJson } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { asking, type AskingOptions } from './asking.ts'

/** Options of `rondo read`. */
export interface ReadCommandOptions extends AskingOptions {
  readonly uri: string
}

/** `rondo read`: reads a resource, and puts what it asks to the person at the terminal or to the answers file. */
export function read(options: ReadCommandOptions, host: Host): Promise<ExitCode> {
  return asking(options, host, async (client, callOptions) => {
    const result = await client.readResource(options.uri, callOptions)
    host.stdout.write(`${options.json ? harmlessJson(result) : contentsText(result)}\n`)
    return EXIT.ok
  })
}
