import { type Calls } from './programs.ts'
import { type Reply, type Schedule } from './schedule.ts'

/** How a call ended, in a form that can be compared. */
export type Ending = { readonly value: unknown } | { readonly error: string }

interface Waiting {
  readonly name: string
  readonly key: string
  readonly deadline: number | undefined
  puts: number
  unfit: number
  resolve(value: unknown): void
}

/**
 * The oracle: runs a handler once, from beginning to end, answering each batch of asks in place. Written without the
 * engine, as simply as can be: one queue, one result a turn, a batch when nothing is left to do.
 */
export async function runLive(handler: (calls: Calls) => Promise<unknown>, schedule: Schedule): Promise<Ending> {
  const queue: (() => void)[] = []
  const pending: Waiting[] = []
  const inUse = new Set<string>()
  const counts = new Map<string, number>()
  let running = 0
  let ending: Ending | undefined
  let now = 0

  const claim = (name: string): boolean => {
    if (inUse.has(name)) ending ??= { error: 'ASK_DUPLICATE' }
    inUse.add(name)
    return ending === undefined
  }
  const forever = new Promise<never>(() => undefined)

  const calls: Calls = {
    ask(name, within) {
      const id = `ask:${name}`
      counts.set(id, (counts.get(id) ?? 0) + 1)
      const count = counts.get(id) as number
      const key = count === 1 ? name : `${name}#${count}`
      let promise: Promise<unknown> | undefined
      const start = (): Promise<unknown> => {
        if (ending || !claim(id)) return forever
        return new Promise((resolve) => {
          pending.push({ name: id, key, deadline: within, puts: 1, unfit: 0, resolve })
        })
      }
      return { then: (...on) => (promise ??= start()).then(...on) }
    },
    step(name, fn) {
      const id = `step:${name}`
      if (ending || !claim(id)) return forever
      running++
      const promise = new Promise<unknown>((resolve, reject) => {
        const done = (settle: () => void): void => {
          running--
          queue.push(() => {
            inUse.delete(id)
            settle()
          })
        }
        Promise.resolve(fn()).then(
          (value) => done(() => resolve(value)),
          (error: unknown) => done(() => reject(error)),
        )
      })
      promise.catch(() => undefined)
      return promise
    },
  }

  const deliver = (ask: Waiting, reply: Reply): void => {
    if (reply.kind === 'unfit' && ++ask.unfit > 3) {
      ending ??= { error: 'ASK_UNFIT' }
    } else if (reply.kind === 'unfit') {
      ask.puts++
      pending.push(ask)
    } else if (reply.kind === 'answer') {
      inUse.delete(ask.name)
      ask.resolve(reply.value)
    }
  }

  /** Puts everything that is awaited, in the order it came to be awaited, and queues what comes back. */
  const deadlines = new Map<Waiting, number>()
  const order = new Map<Waiting, number>()
  const answerBatch = (round: number): void => {
    const batch = pending.splice(0).sort((a, b) => (order.get(a) as number) - (order.get(b) as number))
    for (const ask of batch) {
      if (ask.deadline !== undefined && !deadlines.has(ask)) deadlines.set(ask, now + ask.deadline)
    }
    now += schedule.pause(round)
    for (const ask of batch) {
      const late = now >= (deadlines.get(ask) ?? Infinity)
      const key = ask.puts === 1 ? ask.key : `${ask.key}~${ask.puts}`
      const reply = late ? ({ kind: 'answer', value: 'late' } as const) : schedule.reply(round, key)
      if (reply.kind === 'missing') pending.push(ask)
      else queue.push(() => deliver(ask, reply))
    }
  }

  handler(calls).then(
    (value) => (ending ??= { value }),
    (error: unknown) => (ending ??= { error: String(error) }),
  )
  for (let round = 0; ;) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    for (const ask of pending) if (!order.has(ask)) order.set(ask, order.size)
    if (ending) return ending
    const next = queue.shift()
    if (next) next()
    else if (running === 0) answerBatch(round++)
  }
}
