import type { LoggingLevel } from '../protocol/logging.ts'
import type { StepTools as EngineTools } from '../replay/tools.ts'
import type { StepTools } from './context.ts'
import type { Attempt } from '../replay/attempt.ts'
import type { Notifier } from './notify.ts'

interface KitRound {
  readonly attempt: Attempt
  readonly notifier: Notifier
}

/** What a step's function is given: the engine's tools, with a log that goes to the client. Its signal is made when read. */
export class StepKit implements StepTools {
  readonly #tools: EngineTools
  readonly #round: KitRound

  constructor(tools: EngineTools, round: KitRound) {
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
    return (level: LoggingLevel, data, logger) => {
      const { attempt, notifier } = this.#round
      if (attempt.late('the log of a step') === undefined) notifier.urgent(level, data, logger)
    }
  }
}
