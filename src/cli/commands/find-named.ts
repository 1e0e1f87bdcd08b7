import { CliError } from '../cli-error.ts'
import { type Target } from '../command-line.ts'
import { nearest } from '../did-you-mean.ts'
import { EXIT } from '../exit-codes.ts'
import { oneLine } from '../terminal/harmless.ts'

/**
 * The one of that name among those a server lists.
 *
 * @throws CliError naming those there are, and the one that was most likely meant
 */
export async function findNamed<T extends { readonly name: string }>(
  what: 'tool' | 'prompt',
  name: string,
  listed: AsyncIterable<T>,
  target: Target,
): Promise<T> {
  const names: string[] = []
  for await (const item of listed) {
    if (item.name === name) return item
    names.push(oneLine(item.name, 80))
  }
  const meant = nearest(name, names)
  const others = names.length === 0 ? `It has no ${what}s.` : `It has: ${names.slice(0, 30).join(', ')}`
  const hint = [
    ...(meant === undefined ? [] : [`Did you mean "${meant}"?`]),
    others,
    ...('command' in target ? [`Name the ${what} before the --: rondo ${COMMANDS[what]} -- COMMAND`] : []),
  ]
  throw new CliError(EXIT.usage, `The server has no ${what} "${oneLine(name, 80)}".`, hint.join('\n'))
}

const COMMANDS = { tool: 'call TOOL', prompt: 'prompt PROMPT' } as const
