import { generateKey } from '../../token/key-ring.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { type Host } from '../terminal/host.ts'

/** `rondo keygen`: prints a new state key, and to a person also what to do with it. */
export function keygen(host: Host): ExitCode {
  host.stdout.write(`${generateKey()}\n`)
  if (host.stdout.isTerminal) {
    host.stderr.write('Keep it secret. Give it to every process that serves the same calls: RONDO_STATE_KEYS=<key>\n')
  }
  return EXIT.ok
}
