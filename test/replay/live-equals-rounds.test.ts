import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRondoError } from '../../src/errors/rondo-error.ts'
import { type Host, host as thisHost } from '../../src/replay/host.ts'
import { type Attempt } from '../../src/replay/attempt.ts'
import { type LiveCaller } from '../../src/replay/options.ts'
import { type Outcome, type PutAsk } from '../../src/replay/outcome.ts'
import { answers, carried, type Handler, round, type RoundOptions, suspended, turns } from './kit.ts'
import { type Ending, runLive } from './live.ts'
import { type Calls, interpret, type Pace, type Program, programs } from './programs.ts'
import { schedule } from './schedule.ts'

const RUNS = 1_500

/** A host whose turns take a random time, so that the moment of suspension is anything, and whose clock is ours. */
function drawnHost(seed: number, clock: { now: number }): Host {
  let state = seed | 1
  const draw = (): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
  const later = (turns: number, fn: () => void): void => {
    setImmediate(() => (turns > 0 ? later(turns - 1, fn) : fn()))
  }
  return { ...thisHost, now: () => clock.now, defer: (fn) => later(draw() % 4, fn) }
}

interface Manner {
  readonly pace?: Pace
  readonly twice?: boolean
}

interface Call {
  readonly ending: Ending
  /** What the handler got to know, attempt by attempt. */
  readonly traces: readonly string[][]
  /** Every run of a step's function. */
  readonly runs: readonly string[]
}

/** Runs a program in rounds; a request repeats answers of earlier rounds, and with `twice` is sent twice. */
async function runRounds(program: Program, seed: number, { pace, twice = false }: Manner = {}): Promise<Call> {
  const plan = schedule(seed)
  const clock = { now: 1_000 }
  const given: Record<string, unknown> = {}
  const traces: string[][] = []
  const runs: string[] = []
  const options: RoundOptions = {
    host: drawnHost(seed, clock),
    limits: { rounds: 1_000, handlerTime: Infinity },
    onDivergence: 'fail',
  }
  const attempt = (more: RoundOptions): Outcome<unknown> | Promise<Outcome<unknown>> => {
    const trace: string[] = []
    traces.push(trace)
    return round(handlerOf(program, trace, runs, pace), { ...options, ...more })
  }

  let outcome = await attempt({})
  for (let n = 0; outcome.kind === 'suspended'; n++) {
    const journal = carried(outcome)
    clock.now += plan.pause(n)
    for (const { key } of suspended(outcome).asks) {
      const reply = plan.reply(n, key)
      if (reply.kind !== 'missing') given[key] = reply.kind === 'unfit' ? 'unfit' : reply.value
    }
    const request = { journal, answers: answers(given) }
    outcome = await attempt(request)
    if (twice) expect(await attempt(request)).toEqual(outcome)
  }
  return { ending: ended(outcome), traces, runs }
}

/** Runs a program in one attempt whose caller is asked in place: a batch is answered when the handler can go no further. */
async function runInPlace(program: Program, seed: number): Promise<Omit<Call, 'runs'>> {
  const plan = schedule(seed)
  const clock = { now: 1_000 }
  const deadlines = new Map<string, number>()
  const trace: string[] = []
  let out: readonly PutAsk[] = []
  let attempt: Attempt | undefined
  let batch = 0

  /** Answers what is out, batch by batch, until something was. */
  const answerBatch = (): void => {
    for (const { key, payload } of out) {
      const [ask = ''] = key.split('~')
      const { within } = payload as { within?: number }
      if (within !== undefined && !deadlines.has(ask)) deadlines.set(ask, clock.now + within)
    }
    for (let settled = 0; settled === 0 && out.length > 0; batch++) {
      clock.now += plan.pause(batch)
      for (const { key } of out) {
        const [ask = ''] = key.split('~')
        const reply = plan.reply(batch, key)
        const late = clock.now >= (deadlines.get(ask) ?? Infinity)
        if (reply.kind === 'missing' && !late) continue
        settled++
        attempt?.answer(key, reply.kind === 'answer' ? reply.value : 'unfit')
      }
    }
  }
  const live: LiveCaller = {
    put(asks) {
      out = asks
      setImmediate(answerBatch)
    },
    withdraw: (key) => void (out = out.filter((ask) => ask.key !== key)),
  }
  const outcome = await round(handlerOf(program, trace, [], undefined), {
    live,
    host: { ...drawnHost(seed, clock), setTimer: () => undefined },
    limits: { rounds: 1_000, handlerTime: Infinity },
    onAttempt: (made) => (attempt = made),
  })
  return { ending: ended(outcome), traces: [trace] }
}

function handlerOf(program: Program, trace: string[], runs: string[], pace: Pace | undefined): Handler<unknown> {
  return (ctx) => {
    const calls: Calls = {
      ask: (name, within) => ctx.ask(name, { within, late: 'late', payload: { within } }),
      step: (name, fn) =>
        ctx.step(name, ({ idempotencyKey }) => {
          runs.push(idempotencyKey)
          return fn()
        }),
    }
    return interpret(program, calls, trace, pace)
  }
}

function ended(outcome: Outcome<unknown>): Ending {
  if (outcome.kind === 'completed') return { value: outcome.value }
  if (outcome.kind !== 'failed') throw new Error(`The call ended as ${outcome.kind}`)
  return { error: isRondoError(outcome.error) ? outcome.error.code : String(outcome.error) }
}

/**
 * A live run, in which each batch of asks is answered in place, equals every sequence of rounds with the same answers,
 * partial, unfitting, repeated and late ones included; the moment of suspension is drawn and does not matter.
 */
describe('a call over rounds is the call run live', () => {
  test('hazard: 1,500 random programs of ask, step, all, race, sequence against a live run: none differs', async () => {
    await fc.assert(
      fc.asyncProperty(programs(), fc.nat(1_000_000), async (program, seed) => {
        const liveTrace: string[] = []
        const live = await runLive((calls) => interpret(program, calls, liveTrace), schedule(seed))
        const { ending, traces } = await runRounds(program, seed, { twice: seed % 3 === 0 })
        expect(ending).toEqual(live)
        expect(traces.at(-1)).toEqual(liveTrace)
      }),
      { numRuns: RUNS },
    )
  }, 120_000)

  test('E19 asked in place, 1,500 random programs go as the live run goes: none differs', async () => {
    await fc.assert(
      fc.asyncProperty(programs(), fc.nat(1_000_000), async (program, seed) => {
        const liveTrace: string[] = []
        const live = await runLive((calls) => interpret(program, calls, liveTrace), schedule(seed))
        const { ending, traces } = await runInPlace(program, seed)
        expect(ending).toEqual(live)
        expect(traces).toEqual([liveTrace])
      }),
      { numRuns: RUNS },
    )
  }, 120_000)

  test('E10 with steps that take any time, each attempt begins as the last one went and no step runs twice', async () => {
    await fc.assert(
      fc.asyncProperty(programs(), fc.nat(1_000_000), async (program, seed) => {
        const { traces, runs } = await runRounds(program, seed, { pace: turns })
        traces.reduce((before, trace) => {
          expect(trace.slice(0, before.length)).toEqual(before)
          return trace
        })
        expect(runs).toEqual([...new Set(runs)])
      }),
      { numRuns: 500 },
    )
  }, 120_000)
})
