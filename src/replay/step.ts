import { type Item } from './delivery.ts'
import { fromFailure } from './failure.ts'
import { type StepEntry, type StepFailedEntry } from './journal.ts'
import { copyJson, toRecord } from './record.ts'
import { type Replay } from './replay.ts'
import { type Ended, Run } from './run.ts'
import { type StepTools } from './tools.ts'

export interface StepOptions {
  /** Milliseconds after which the step fails with a `TimeoutError`, which is recorded like any failure. */
  readonly timeout?: number | undefined
}

/**
 * Runs `fn` at once, unless the journal has its outcome, and gives that outcome in its recorded form when its turn has
 * come (E1, E10). Never rejects for a reason of the engine's.
 */
export function startStep<T>(
  replay: Replay,
  name: string,
  fn: (tools: StepTools) => T | PromiseLike<T>,
  options: StepOptions | undefined,
): Promise<T> {
  const refused = replay.refuse('step', name) ?? replay.claim('step', name)
  if (refused) return refused
  return new Step(replay, name, fn, options).promise as Promise<T>
}

class Step {
  readonly promise: Promise<unknown>
  readonly #replay: Replay
  readonly #name: string
  readonly #key: string
  #resolve!: (value: unknown) => void
  #reject!: (error: Error) => void

  constructor(replay: Replay, name: string, fn: (tools: StepTools) => unknown, options: StepOptions | undefined) {
    this.#replay = replay
    this.#name = name
    this.#key = replay.names.next('step', name)
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    // A failure is recorded whether or not anybody waits for it; one that nobody waits for must not end the process.
    this.promise.catch(() => undefined)

    const item = replay.delivery.find('step', this.#key)
    if (item) replay.meet(item, this.#deliver)
    else this.#run(fn, options)
  }

  #run(fn: (tools: StepTools) => unknown, options: StepOptions | undefined): void {
    this.#replay.found('step', this.#key)
    const label = `step ${JSON.stringify(this.#key)}`
    const done = (ended: Ended): void => this.#record(ended)
    new Run(this.#replay, { label, key: this.#key, timeout: options?.timeout, fn, done })
  }

  #record(ended: Ended): void {
    if ('failure' in ended) return this.#replay.settle(['f', this.#key, ended.failure], this.#deliver)
    const recorded = toRecord(ended.value)
    if (!recorded.ok) return unrecordable(this.#replay, `step ${JSON.stringify(this.#key)}`, recorded)
    const entry: StepEntry = recorded.value === undefined ? ['s', this.#key] : ['s', this.#key, recorded.value]
    this.#replay.settle(entry, this.#deliver)
  }

  readonly #deliver = (item: Item): void => {
    const entry = item.entry as StepEntry | StepFailedEntry
    this.#replay.delivered(item)
    this.#replay.names.close('step', this.#name)
    if (entry[0] === 'f') this.#reject(fromFailure(entry[2]))
    else this.#resolve(copyJson(entry[2]))
  }
}

/** Ends the call because a result cannot be kept: going on with it would make this attempt unlike every later one. */
export function unrecordable(
  replay: Replay,
  label: string,
  { path, why }: { readonly path: string; readonly why: string },
): void {
  replay.stop(
    'STEP_UNRECORDABLE',
    `The ${label} gave something that cannot be recorded as JSON: ${path}: ${why}. Return only what the handler needs, ` +
      `as plain data.`,
  )
}
