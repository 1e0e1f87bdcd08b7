import { type Context, Server, type ServerLog, type ServerOptions } from 'rondo'
import { describe, expect, it } from 'vitest'
import { callTool, type RpcReply, textOf } from '../support/rpc.ts'

/** A tool that runs one program in its first round and another in its second. */
async function twoPrograms(
  first: (ctx: Context) => PromiseLike<unknown>,
  second: (ctx: Context) => PromiseLike<unknown>,
  answers: object,
  options: ServerOptions = {},
): Promise<{ reply: RpcReply; log: ServerLog[] }> {
  const log: ServerLog[] = []
  let rounds = 0
  const server = new Server({ name: 'fickle', version: '1.0.0' }, { ...options, log: (event) => void log.push(event) })
  server.tool('it', {}, async (_args, ctx) => {
    rounds += 1
    return String(await (rounds === 1 ? first(ctx) : second(ctx)))
  })
  const { result } = await callTool(server, 'it')
  const more = { requestState: result?.requestState, inputResponses: answers }
  return { reply: await callTool(server, 'it', {}, more), log }
}

const GO = { go: { action: 'accept', content: { value: true } } }

describe('a handler that does not do the same again', () => {
  it('S0.12 one that asks another kind under the same key is refused, whatever is set', async () => {
    for (const options of [{}, { onDivergence: 'warn' }, { onDivergence: 'fail' }] as const) {
      const { reply, log } = await twoPrograms(
        (ctx) => ctx.ask.confirm('go', 'Go?'),
        (ctx) => ctx.ask.roots('go'),
        GO,
        options,
      )
      expect(reply.error?.code).toBe(-32603)
      expect(log.map(({ code }) => code)).toContain('REPLAY_DIVERGED')
    }
  })

  it('S0.12 one that leaves an answered ask out is refused where divergence is to fail', async () => {
    const leaveOut = async () => Promise.resolve('left out')
    const { reply, log } = await twoPrograms((ctx) => ctx.ask.confirm('go', 'Go?'), leaveOut, GO, {
      onDivergence: 'fail',
    })
    expect(reply.error?.code).toBe(-32603)
    const told = log.find(({ code }) => code === 'REPLAY_DIVERGED')
    expect(told?.message).toContain('go')
  })

  it('S0.12 elsewhere a warning names what was recorded', async () => {
    const leaveOut = async () => Promise.resolve('left out')
    const { reply, log } = await twoPrograms((ctx) => ctx.ask.confirm('go', 'Go?'), leaveOut, GO)
    expect(textOf(reply)).toBe('left out')
    const warnings = log.filter(({ level }) => level === 'warn')
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.message).toContain('go')
  })

  it('S0.12 one that does the same again is not', async () => {
    const same = (ctx: Context) => ctx.ask.confirm('go', 'Go?')
    const { reply, log } = await twoPrograms(same, same, GO, { onDivergence: 'fail' })
    expect(textOf(reply)).toBe('true')
    expect(log.filter(({ level }) => level !== 'info')).toEqual([])
  })
})
