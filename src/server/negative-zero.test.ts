import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Server } from '../entry/index.ts'
import { readReply, requestText } from '../../test/support/rpc.ts'

/** Sends `params` with every `"-0"` written as the number, which JSON can say and `JSON.stringify` cannot. */
const send = async (server: Server, params: object, parsed: boolean) => {
  const text = requestText('tools/call', params).replaceAll('"-0"', '-0')
  return readReply(await server.handle(parsed ? JSON.parse(text) : text))
}

describe.each([
  ['a text', false],
  ['what a framework parsed', true],
])('-0 in a message that is %s', (_what, parsed) => {
  it('E19 is the same in the round that brings it and in every later one', async () => {
    const seen: unknown[][] = []
    const server = new Server({ name: 's', version: '1.0.0' })
    server.tool('t', { input: z.object({ n: z.number() }) }, async ({ n }, ctx) => {
      const seenNow: unknown[] = [n]
      seen.push(seenNow)
      const form = await ctx.ask.form('a', { message: 'x', schema: z.object({ value: z.number() }) })
      seenNow.push(form.action === 'accept' ? form.content.value : form.action)
      seenNow.push(await ctx.step('s', () => ({ n: -0, list: [-0] })))
      await ctx.ask.confirm('b', 'y')
      return 'done'
    })
    const call = { name: 't', arguments: { n: '-0' } }
    const answer = (value: unknown) => ({ action: 'accept', content: { value } })
    const first = await send(server, call, parsed)
    const second = await send(
      server,
      { ...call, requestState: first.result?.requestState, inputResponses: { a: answer('-0') } },
      parsed,
    )
    const last = await send(
      server,
      { ...call, requestState: second.result?.requestState, inputResponses: { b: answer(true) } },
      parsed,
    )
    expect(last.result?.content?.[0]?.text).toBe('done')
    const whole = [0, 0, { n: 0, list: [0] }]
    expect(seen).toStrictEqual([[0], whole, whole])
  })
})
