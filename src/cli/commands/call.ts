import { type CallToolResult } from '../../protocol/tool.ts'
import { beside } from '../asks/asker.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { resultText } from '../show-result.ts'
import { harmlessJson } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { paintFor } from '../terminal/paint.ts'
import { toolArguments, type TypedArguments } from '../tool-arguments.ts'
import { asking, type AskingOptions } from './asking.ts'
import { findNamed } from './find-named.ts'

/** Options of `rondo call`. */
export interface CallCommandOptions extends AskingOptions {
  readonly tool: string
  readonly typed: TypedArguments
}

/** `rondo call`: calls a tool, and puts what it asks to the person at the terminal or to the answers file. */
export function call(options: CallCommandOptions, host: Host): Promise<ExitCode> {
  return asking(options, host, async (client, callOptions) => {
    const { signal } = callOptions
    const tool = await findNamed('tool', options.tool, client.tools({ ...(signal && { signal }) }), options.target)
    const args = toolArguments(options.typed, tool.inputSchema)
    return show(await client.callTool(tool.name, args, callOptions), options.json, host)
  })
}

function show(result: CallToolResult, json: boolean, host: Host): ExitCode {
  const failed = result.isError === true
  if (json) host.stdout.write(`${harmlessJson(result)}\n`)
  else if (failed) host.stderr.write(`${failedText(result, host)}\n`)
  else host.stdout.write(`${resultText(result)}\n`)
  return failed ? EXIT.failed : EXIT.ok
}

function failedText(result: CallToolResult, { stderr }: Host): string {
  const paint = paintFor(stderr.colour)
  const text = beside(FAILED, resultText(result), paint, stderr.columns)
  return text.replace(FAILED, paint('red', FAILED))
}

const FAILED = 'The tool failed:'
