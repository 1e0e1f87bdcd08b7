import fc from 'fast-check'

/** A small handler: everything it awaits is a context call or made of them. */
export type Program =
  | { readonly t: 'ask'; readonly name: string; readonly within?: number }
  | {
      readonly t: 'step'
      readonly name: string
      readonly gives: 'value' | 'nothing' | 'failure'
      readonly takes: number
    }
  | { readonly t: 'sequence'; readonly parts: readonly Program[] }
  | { readonly t: 'all'; readonly parts: readonly Program[] }
  | { readonly t: 'race'; readonly parts: readonly Program[] }
  | { readonly t: 'loop'; readonly times: number; readonly fresh: boolean; readonly body: Program }
  | { readonly t: 'branch'; readonly on: Program; readonly even: Program; readonly odd: Program }
  | { readonly t: 'guarded'; readonly body: Program; readonly rescue: Program }
  | { readonly t: 'early'; readonly step: Program & { readonly t: 'step' }; readonly meanwhile: Program }
  | { readonly t: 'lazy'; readonly ask: Program & { readonly t: 'ask' }; readonly first: Program }

/** What a program needs of a context. */
export interface Calls {
  ask(name: string, within: number | undefined): PromiseLike<unknown>
  step(name: string, fn: () => unknown): Promise<unknown>
}

/** Lets a step take its time; by default in microtasks, so that the same program takes the same course everywhere. */
export type Pace = (takes: number) => Promise<void>

const inMicrotasks: Pace = async (takes) => {
  for (let i = 0; i < takes; i++) await Promise.resolve()
}

/** Runs a program, and writes down whatever it gets to know, in the order it does. */
export function interpret(program: Program, calls: Calls, trace: string[], pace = inMicrotasks): Promise<unknown> {
  const saw = <T>(what: string, value: T): T => {
    trace.push(`${what}=${JSON.stringify(value) ?? 'undefined'}`)
    return value
  }
  const step = ({ name, gives, takes }: Program & { t: 'step' }, suffix: string): Promise<unknown> =>
    calls.step(name + suffix, async () => {
      await pace(takes)
      if (gives === 'failure') throw new RangeError(`no ${name}`)
      return gives === 'nothing' ? undefined : number(name + suffix)
    })

  const run = async (p: Program, suffix: string): Promise<unknown> => {
    switch (p.t) {
      case 'ask':
        return saw(p.name + suffix, await calls.ask(p.name + suffix, p.within))
      case 'step':
        return saw(p.name + suffix, await step(p, suffix))
      case 'sequence': {
        const values = []
        for (const part of p.parts) values.push(await run(part, suffix))
        return values
      }
      case 'all':
        return saw('all', await Promise.all(p.parts.map((part) => run(part, suffix))))
      case 'race':
        return saw('race', await Promise.race(p.parts.map((part) => run(part, suffix))))
      case 'loop': {
        let last: unknown
        for (let i = 0; i < p.times; i++) last = await run(p.body, p.fresh ? `${suffix}-${i}` : suffix)
        return last
      }
      case 'branch': {
        const on = await run(p.on, suffix)
        return run(typeof on === 'number' && on % 2 === 1 ? p.odd : p.even, suffix)
      }
      case 'guarded':
        try {
          return await run(p.body, suffix)
        } catch (error) {
          saw('caught', String(error))
          return run(p.rescue, suffix)
        }
      case 'early': {
        const early = step(p.step, suffix)
        return [await run(p.meanwhile, suffix), saw('early', await early)]
      }
      case 'lazy': {
        const ask = calls.ask(p.ask.name + suffix, p.ask.within)
        return [await run(p.first, suffix), saw('lazy', await ask)]
      }
    }
  }
  return run(program, '')
}

/** A number that depends on nothing but `text`. */
export function number(text: string): number {
  let hash = 2166136261
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) as number), 16777619)
  return (hash >>> 8) % 1000
}

/** Random programs; every ask and step of one has a name of its own. */
export function programs(): fc.Arbitrary<Program> {
  const { program } = fc.letrec<{ program: Program; ask: Program & { t: 'ask' }; step: Program & { t: 'step' } }>(
    (tie) => ({
      ask: fc.record(
        { t: fc.constant('ask' as const), name: fc.constant('a'), within: fc.constantFrom(50, 150) },
        { requiredKeys: ['t', 'name'] },
      ),
      step: fc.record({
        t: fc.constant('step' as const),
        name: fc.constant('s'),
        gives: fc.constantFrom('value' as const, 'value' as const, 'nothing' as const, 'failure' as const),
        takes: fc.nat(6),
      }),
      program: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        tie('ask'),
        tie('step'),
        fc.record({ t: fc.constant('sequence' as const), parts: some(tie('program')) }),
        fc.record({ t: fc.constant('all' as const), parts: some(tie('program')) }),
        fc.record({ t: fc.constant('race' as const), parts: some(tie('program')) }),
        fc.record({
          t: fc.constant('loop' as const),
          times: fc.integer({ min: 1, max: 3 }),
          fresh: fc.boolean(),
          body: tie('program'),
        }),
        fc.record({
          t: fc.constant('branch' as const),
          on: tie('program'),
          even: tie('program'),
          odd: tie('program'),
        }),
        fc.record({ t: fc.constant('guarded' as const), body: tie('program'), rescue: tie('program') }),
        fc.record({ t: fc.constant('early' as const), step: tie('step'), meanwhile: tie('program') }),
        fc.record({ t: fc.constant('lazy' as const), ask: tie('ask'), first: tie('program') }),
      ),
    }),
  )
  return program.map((p) => named(p, { n: 0 }))
}

function some(part: fc.Arbitrary<Program>): fc.Arbitrary<Program[]> {
  return fc.array(part, { minLength: 2, maxLength: 3 })
}

/** The same program, its asks and steps numbered. */
function named<P extends Program>(program: P, next: { n: number }): P {
  const copy: Record<string, unknown> = { ...program }
  for (const [key, value] of Object.entries(copy)) {
    if (key === 'name') copy[key] = `${String(value)}${++next.n}`
    else if (Array.isArray(value)) copy[key] = value.map((part: Program) => named(part, next))
    else if (typeof value === 'object' && value !== null) copy[key] = named(value as Program, next)
  }
  return copy as unknown as P
}
