import type { LoggingLevel } from '../protocol/logging.ts'
import type { StepTools as EngineTools } from '../replay/tools.ts'
import type { StepTools } from './context.ts'
import type { Notifier } from './notify.ts'

/** What a step's function is given: the engine's tools, with a log that goes to the client. Its signal is made when read. */
export class StepKit implements StepTools {
  readonly #tools: EngineTools
  readonly #round: { readonly notifier: Notifier }

  constructor(tools: EngineTools, round: { readonly notifier: Notifier }) {
    this.#tools = tools
    this.#round = round
  }

  get idempotencyKey(): string {
    return this.#tools.idempotencyKey
  }

  get signal(): AbortSignal {
    return this.#tools.signal
  }

  get log(): StepTools['log'] {
    return (level: LoggingLevel, data, logger) => this.#round.notifier.urgent(level, data, logger)
  }
}
