import { CliError } from '../cli-error.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { checkSource } from '../lint/check-source.ts'
import { type Finding } from '../lint/finding.ts'
import { oneLine } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { type Paint, paintFor } from '../terminal/paint.ts'

/** Options of `rondo check`. */
export interface CheckOptions {
  /** Files and folders; the current folder when there are none. */
  readonly paths: readonly string[]
  readonly json: boolean
}

/** `rondo check`: looks for replay traps in handlers. */
export async function check({ paths, json }: CheckOptions, host: Host): Promise<ExitCode> {
  const files = await filesOf(paths.length === 0 ? ['.'] : paths, host)
  const findings: Finding[] = []
  for (const file of files) findings.push(...checkSource(await host.readText(file), file))
  if (json) host.stdout.write(`${JSON.stringify({ files: files.length, findings }, null, 2)}\n`)
  else host.stdout.write(reportOf(findings, files.length, paintFor(host.stdout.colour)))
  return findings.length === 0 ? EXIT.ok : EXIT.failed
}

async function filesOf(paths: readonly string[], host: Host): Promise<readonly string[]> {
  let files: readonly string[]
  try {
    files = await host.sourceFiles(paths)
  } catch (error) {
    throw new CliError(EXIT.usage, `A path cannot be read: ${(error as Error).message}`)
  }
  if (files.length > 0) return files
  throw new CliError(EXIT.usage, `There is no JavaScript or TypeScript file in ${paths.join(', ')}.`)
}

function reportOf(findings: readonly Finding[], files: number, paint: Paint): string {
  const blocks = findings.map(({ file, line, column, rule, message, advice }) => {
    const place = paint('bold', `${oneLine(file)}:${line}:${column}`)
    return `${place} ${paint('yellow', rule)}\n    ${oneLine(message, 400)}\n    ${paint('dim', advice)}\n`
  })
  const counted = `${count(files, 'file')} looked at, ${findings.length === 0 ? 'nothing found' : count(findings.length, 'finding')}`
  return `${[...blocks, counted].join('\n')}\n`
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
