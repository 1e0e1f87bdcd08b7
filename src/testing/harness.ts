import { capabilitiesFor } from '../client/declaration.ts'
import { type AskKind } from '../client/handlers.ts'
import { ResponseError } from '../client/response-error.ts'
import { resultTypeOf } from '../client/result-reading.ts'
import { type OriginalRequest, type RoundMethod, type RoundResults } from '../client/round.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type JsonObject } from '../jsonrpc/messages.ts'
import { type ClientCapabilities } from '../protocol/capabilities.ts'
import { METHODS } from '../protocol/methods.ts'
import { ResultType } from '../protocol/result-type.ts'
import { type AuthInfo } from '../server/exchange.ts'
import { type Duration, milliseconds } from '../server/duration.ts'
import { type InProcessServer } from '../transport/memory/client.ts'
import { type Script, scriptKey, type ScriptedAnswer, wireAnswer } from './script.ts'
import { TestClock } from './test-clock.ts'
import { TestRound } from './test-round.ts'
import { TestRun } from './test-run.ts'
import { send, type WireReply, type WireSetting } from './test-wire.ts'
import { everyTurn, turn, type Turn, type Turned } from './turn.ts'

/** Options of {@link harness}. */
export interface HarnessOptions {
  /** Who calls; anonymous by default. */
  readonly principal?: string
  readonly auth?: AuthInfo
  /** What the caller declares to be able to answer; everything by default. */
  readonly asks?: readonly AskKind[]
  /** Further capabilities to declare. */
  readonly capabilities?: ClientCapabilities
  /** `fail` by default: a handler that leaves out an answered ask is told so here, not in production. */
  readonly onDivergence?: 'warn' | 'fail'
  /** `true` by default: an ask or a step inside a step ends the call. */
  readonly detectNesting?: boolean
  readonly clock?: TestClock
  /**
   * How long each `ctx.waitFor` polls inside a round, in real time, whatever the handler says. Nothing by default: it polls
   * once a round, and what is not there puts the caller off.
   */
  readonly hold?: Duration
  /** Rounds after which a call is taken to go on for ever; 100. */
  readonly maxRounds?: number
}

const EVERYTHING: readonly AskKind[] = ['form', 'url', 'sample', 'sampleWithTools', 'roots']

/**
 * Runs tools, prompts and resources of a server against scripted answers, in this process.
 *
 * ```ts
 * const kit = harness(server)
 * const run = await kit.tool('deploy', { env: 'staging' }, { why: { reason: 'Release 14 is due' }, go: true })
 * expect(run.text).toBe('Released 7.')
 * ```
 */
export function harness(server: InProcessServer, options: HarnessOptions = {}): Harness {
  return new Harness(server, options)
}

/** What {@link harness} gives. */
export class Harness {
  /** Moved on, it makes tokens, deadlines of asks and `ctx.now()` older. */
  readonly clock: TestClock
  readonly #setting: WireSetting
  readonly #maxRounds: number

  constructor(server: InProcessServer, options: HarnessOptions) {
    const clock = options.clock ?? new TestClock()
    this.clock = clock
    this.#maxRounds = options.maxRounds ?? 100
    this.#setting = {
      server,
      principal: options.principal ?? '',
      auth: options.auth,
      capabilities: capabilitiesFor(options.asks ?? EVERYTHING, options.capabilities),
      onDivergence: options.onDivergence ?? 'fail',
      detectNesting: options.detectNesting ?? true,
      hold: options.hold === undefined ? 0 : milliseconds(options.hold, 'hold'),
      now: () => clock.now(),
    }
  }

  /**
   * Calls a tool and answers what it asks from the script.
   *
   * @throws ResponseError when the server answers with an error; its `cause` is what really happened
   * @throws RondoError `INPUT_REQUIRED` when it asks something that is not in the script
   */
  tool(name: string, args: JsonObject = {}, script: Script = {}): Promise<TestRun<typeof METHODS.toolsCall>> {
    return this.#run({ method: METHODS.toolsCall, params: { name, arguments: args } }, script)
  }

  /** Gets a prompt, in the same way. */
  prompt(
    name: string,
    args: Record<string, string> = {},
    script: Script = {},
  ): Promise<TestRun<typeof METHODS.promptsGet>> {
    return this.#run({ method: METHODS.promptsGet, params: { name, arguments: args } }, script)
  }

  /** Reads a resource, in the same way. */
  resource(uri: string, script: Script = {}): Promise<TestRun<typeof METHODS.resourcesRead>> {
    return this.#run({ method: METHODS.resourcesRead, params: { uri } }, script)
  }

  /** Calls a tool and stops at its first round. */
  startTool(name: string, args: JsonObject = {}): Promise<TestRound> {
    return this.#start({ method: METHODS.toolsCall, params: { name, arguments: args } })
  }

  /** Gets a prompt and stops at its first round. */
  startPrompt(name: string, args: Record<string, string> = {}): Promise<TestRound> {
    return this.#start({ method: METHODS.promptsGet, params: { name, arguments: args } })
  }

  /** Reads a resource and stops at its first round. */
  startResource(uri: string): Promise<TestRound> {
    return this.#start({ method: METHODS.resourcesRead, params: { uri } })
  }

  /** Answers a round from the script, as far as the script goes, and gives the next one. */
  async next(round: TestRound, script: Script = {}): Promise<TestRound> {
    const outcome = await this.#go(round.request, round.number + 1, round, this.#answers(round, script))
    if (outcome instanceof TestRound) return outcome
    throw new RondoError('CONFIG_INVALID', 'The call came to its end; finish() gives its result')
  }

  /** Answers a round and those that follow from the script, and gives the result. */
  finish<M extends RoundMethod = RoundMethod>(round: TestRound, script: Script = {}): Promise<TestRun<M>> {
    return this.#onward([round], script)
  }

  /** Turns a round's token against the server. */
  turn(round: TestRound, way: Turn): Promise<Turned> {
    return turn(this.#setting, round, way, this.#answers(round, way.answers ?? {}))
  }

  /** Turns it in every way that a token should withstand: by name, what came of each. All should be `refused`. */
  async turnEvery(round: TestRound): Promise<Record<string, Turned>> {
    const came: Record<string, Turned> = {}
    for (const [name, way] of Object.entries(everyTurn(round, this.#setting.principal))) {
      came[name] = await this.turn(round, way)
    }
    return came
  }

  async #start(request: OriginalRequest): Promise<TestRound> {
    const outcome = await this.#go(request, 1, undefined, {})
    if (outcome instanceof TestRound) return outcome
    throw new RondoError('CONFIG_INVALID', `${request.method} came to its end without asking anything`)
  }

  async #run<M extends RoundMethod>(request: OriginalRequest<M>, script: Script): Promise<TestRun<M>> {
    const first = await this.#go(request, 1, undefined, {})
    if (first instanceof TestRound) return this.#onward([first], script)
    return new TestRun<M>([], first.result as unknown as RoundResults[M], Object.keys(script), first)
  }

  async #onward<M extends RoundMethod>(rounds: TestRound[], script: Script): Promise<TestRun<M>> {
    const used = new Set<string>()
    for (;;) {
      const round = rounds.at(-1) as TestRound
      if (rounds.length > this.#maxRounds) throw endless(this.#maxRounds, round)
      const answers = this.#answers(round, script, used, true)
      const outcome = await this.#go(round.request, round.number + 1, round, answers)
      if (!(outcome instanceof TestRound)) {
        const unused = Object.keys(script).filter((key) => !used.has(key))
        return new TestRun<M>(rounds, outcome.result as unknown as RoundResults[M], unused, outcome)
      }
      rounds.push(outcome)
    }
  }

  async #go(
    request: OriginalRequest,
    number: number,
    before: TestRound | undefined,
    answers: Readonly<Record<string, unknown>>,
  ): Promise<TestRound | (WireReply & { readonly result: JsonObject })> {
    const params: JsonObject = { ...request.params }
    if (Object.keys(answers).length > 0) params['inputResponses'] = answers
    if (before?.token !== undefined) params['requestState'] = before.token
    const reply = await send(this.#setting, request.method, params)
    const { result, error, log } = reply
    if (result === undefined)
      throw failure(request.method, error, log.find((event) => event.error !== undefined)?.error)
    if (resultTypeOf(result, request.method) === ResultType.inputRequired) return new TestRound(number, request, reply)
    return { ...reply, result }
  }

  #answers(round: TestRound, script: Script, used?: Set<string>, all = false): Record<string, unknown> {
    const answers = Object.create(null) as Record<string, unknown>
    for (const key of round.keys) {
      const entry = scriptKey(script, key)
      if (entry !== undefined) {
        used?.add(entry)
        answers[key] = wireAnswer(key, round.asks[key] as TestRound['asks'][string], script[entry] as ScriptedAnswer)
      } else if (all) {
        throw unscripted(round, key)
      }
    }
    return answers
  }
}

function failure(method: string, error: WireReply['error'], cause: unknown): ResponseError {
  return new ResponseError(method, error ?? { code: 0, message: 'no reply' }, { cause })
}

function unscripted(round: TestRound, key: string): RondoError<'INPUT_REQUIRED'> {
  const told = JSON.stringify(round.message(key) ?? round.asks[key]?.method)
  return new RondoError('INPUT_REQUIRED', `Round ${round.number} asks "${key}" (${told}), which is not in the script`, {
    data: { round: round.number, asks: round.asks },
  })
}

function endless(limit: number, round: TestRound): RondoError<'CLIENT_ROUNDS_EXCEEDED'> {
  return new RondoError('CLIENT_ROUNDS_EXCEEDED', `The call was not over after ${limit} rounds ("maxRounds")`, {
    data: { asks: round.asks },
  })
}
