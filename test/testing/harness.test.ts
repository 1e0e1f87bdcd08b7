import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { Server, type ServerOptions } from 'rondo'
import { CANCEL, DECLINE, harness, inTurn } from 'rondo/testing'

const key = 'a key that is long enough for everybody'

function deploys(options: ServerOptions = {}): Server {
  const server = new Server({ name: 'deploys', version: '1.0.0' }, { state: { keys: key }, ...options })
  server.tool('deploy', { input: z.object({ env: z.string() }) }, async ({ env }, ctx) => {
    const why = await ctx.ask.form('why', {
      message: `Why deploy to ${env}?`,
      schema: z.object({ reason: z.string().min(10) }),
    })
    if (why.action !== 'accept') return `Not deployed: ${why.action}.`
    const build = await ctx.step('build', () => ({ id: 7 }))
    const go = await ctx.ask.confirm('go', `Build ${build.id} is ready. Release it?`)
    return go ? `Released ${build.id}.` : 'Not released.'
  })
  return server
}

describe('a run against scripted answers', () => {
  test('takes three lines', async () => {
    const kit = harness(deploys())
    const run = await kit.tool('deploy', { env: 'staging' }, { why: { reason: 'Release 14 is due' }, go: true })
    expect(run.text).toBe('Released 7.')
  })

  test('shows each round: its asks, the size of its token, what is recorded', async () => {
    const run = await harness(deploys()).tool(
      'deploy',
      { env: 'prod' },
      { why: { reason: 'Release 14 is due' }, go: false },
    )
    expect(run.text).toBe('Not released.')
    const [first, second] = run.rounds
    expect(run.rounds).toHaveLength(2)
    expect(first?.keys).toEqual(['why'])
    expect(first?.message('why')).toBe('Why deploy to prod?')
    expect(first?.message('other')).toBeUndefined()
    expect(first?.tokenBytes).toBeGreaterThan(100)
    expect(first?.tokenBytes).toBe(first?.token?.length)
    expect(first?.journal).toMatchObject({ rounds: 1, records: [], open: ['why'] })
    expect(second?.number).toBe(2)
    expect(second?.journal?.records).toMatchObject([
      { kind: 'ask', key: 'why', value: { action: 'accept', content: { reason: 'Release 14 is due' } } },
      { kind: 'step', key: 'build', value: { id: 7 } },
    ])
    expect(second?.journal?.bytes).toBeGreaterThan(first?.journal?.bytes ?? Infinity)
    expect(second?.journal?.callId).toBe(first?.journal?.callId)
  })

  test('a person declines or closes the window', async () => {
    const kit = harness(deploys())
    expect((await kit.tool('deploy', { env: 'x' }, { why: DECLINE })).text).toBe('Not deployed: decline.')
    expect((await kit.tool('deploy', { env: 'x' }, { why: CANCEL })).text).toBe('Not deployed: cancel.')
  })

  test('answers are sent as they are: one that does not fit is asked again', async () => {
    const run = await harness(deploys()).tool(
      'deploy',
      { env: 'x' },
      { why: inTurn({ reason: 'short' }, { reason: 'long enough now' }), go: true },
    )
    expect(run.text).toBe('Released 7.')
    expect(run.rounds.map(({ keys }) => keys)).toEqual([['why'], ['why~2'], ['go']])
  })

  test('an ask that is not in the script is named', async () => {
    const run = harness(deploys()).tool('deploy', { env: 'x' }, { why: { reason: 'Release 14 is due' } })
    await expect(run).rejects.toMatchObject({ code: 'INPUT_REQUIRED' })
    await expect(run).rejects.toThrow(/Round 2 asks "go" \("Build 7 is ready/)
  })

  test('an entry that answered nothing is told', async () => {
    const run = await harness(deploys()).tool('deploy', { env: 'x' }, { why: DECLINE, gone: true })
    expect(run.unused).toEqual(['gone'])
  })

  test('answers by function, loops, samples, roots, URLs', async () => {
    const server = deploys()
    server.tool('all', {}, async (_, ctx) => {
      const names: unknown[] = []
      for (let i = 0; i < 3; i++) names.push(await ctx.ask.text('name', `Name ${i}?`))
      const paid = await ctx.ask.url('pay', { message: 'Pay', url: 'https://pay.example/1' })
      const said = await ctx.ask.sample('think', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }],
        maxTokens: 9,
      })
      const { roots } = await ctx.ask.roots('where')
      return JSON.stringify({ names, paid: paid.action, said: said.content, roots })
    })
    const run = await harness(server).tool(
      'all',
      {},
      {
        name: ({ params }) => String(params['message']).slice(5, 6),
        'name#3': 'last',
        pay: true,
        think: 'Aha',
        where: ['file:///srv'],
      },
    )
    expect(JSON.parse(run.text)).toEqual({
      names: [
        { action: 'accept', content: '0' },
        { action: 'accept', content: '1' },
        { action: 'accept', content: 'last' },
      ],
      paid: 'accept',
      said: { type: 'text', text: 'Aha' },
      roots: [{ uri: 'file:///srv' }],
    })
  })

  test('prompts and resources', async () => {
    const server = deploys()
    server.prompt('greet', {}, async (_, ctx) => ((await ctx.ask.confirm('polite', 'Politely?')) ? 'Good day' : 'Hi'))
    server.resource('note', { uri: 'note://today' }, async (_, ctx) =>
      (await ctx.ask.confirm('really', 'Really?')) ? 'Yes' : 'No',
    )
    const kit = harness(server)
    expect((await kit.prompt('greet', {}, { polite: true })).text).toBe('Good day')
    expect((await kit.resource('note://today', { really: false })).text).toBe('No')
    expect((await kit.startPrompt('greet')).keys).toEqual(['polite'])
    expect((await kit.startResource('note://today')).keys).toEqual(['really'])
  })

  test('what really happened is the cause of the error', async () => {
    const server = deploys()
    const bug = new Error('a bug')
    server.tool('buggy', {}, () => {
      throw bug
    })
    await expect(harness(server).tool('buggy')).rejects.toMatchObject({
      code: 'RESPONSE_ERROR',
      wire: -32603,
      cause: bug,
    })
  })

  test('a call that never ends is stopped', async () => {
    const server = deploys()
    server.tool('endless', {}, async (_, ctx) => {
      for (;;) await ctx.ask.confirm('more', 'More?')
    })
    await expect(harness(server, { maxRounds: 5 }).tool('endless', {}, { more: true })).rejects.toMatchObject({
      code: 'CLIENT_ROUNDS_EXCEEDED',
    })
  })
})

describe('waiting', () => {
  function paying(paidAt: number): { server: Server; polls: () => number } {
    let polls = 0
    const server = deploys()
    server.tool('pay', {}, async (_, ctx) => {
      const receipt = await ctx.waitFor('paid', () => (++polls >= paidAt ? { id: 5 } : undefined), {
        hold: '1 h',
        every: 5,
      })
      return `Paid ${receipt.id}.`
    })
    return { server, polls: () => polls }
  }

  test('a wait polls once a round, and nothing waits', async () => {
    const { server, polls } = paying(3)
    const run = await harness(server).tool('pay')
    expect(run.text).toBe('Paid 5.')
    expect(run.rounds.map(({ keys }) => keys)).toEqual([[], []])
    expect(polls()).toBe(3)
  })

  test('a caller that is put off is a round without asks', async () => {
    const { server } = paying(2)
    const kit = harness(server)
    const round = await kit.startTool('pay')
    expect(round.keys).toEqual([])
    expect((await kit.finish(round)).text).toBe('Paid 5.')
  })

  test('it polls inside the round for as long as the kit is told', async () => {
    const { server } = paying(2)
    const run = await harness(server, { hold: '20 s' }).tool('pay')
    expect(run.rounds).toEqual([])
  })

  test('what never comes is told', async () => {
    const { server, polls } = paying(Infinity)
    const run = harness(server, { maxRounds: 4 }).tool('pay')
    await expect(run).rejects.toMatchObject({ code: 'CLIENT_ROUNDS_EXCEEDED' })
    expect(polls()).toBe(5)
  })
})

describe('what a round asks', () => {
  test('is typed by its kind', async () => {
    const server = deploys()
    server.tool('ask', {}, async (_, ctx) => {
      await Promise.all([
        ctx.ask.form('name', { message: 'Your name?', schema: z.object({ name: z.string().min(2) }) }),
        ctx.ask.url('page', { message: 'Open it', url: 'https://example.org/x' }),
        ctx.ask.sample('model', { messages: [{ role: 'user', content: { type: 'text', text: 'Hm?' } }], maxTokens: 5 }),
      ])
      return 'done'
    })
    const round = await harness(server).startTool('ask')
    expect(round.form('name').requestedSchema.properties['name']).toMatchObject({ type: 'string', minLength: 2 })
    expect(round.url('page').url).toBe('https://example.org/x')
    expect(round.sample('model').maxTokens).toBe(5)
    expect(() => round.url('name')).toThrow(
      'Round 1 asks no url "name". It asks "name" (form), "page" (url), "model" (sample).',
    )
    expect(() => round.form('toString')).toThrow(/no form "toString"/)
  })
})

describe('strictness', () => {
  test('E16 a handler that leaves out an answered ask fails here by default', async () => {
    let round = 0
    const server = deploys()
    server.tool('fickle', {}, async (_, ctx) => {
      if (++round === 1) await ctx.ask.confirm('first', 'First?')
      await ctx.ask.confirm('second', 'Second?')
      return 'done'
    })
    const script = { first: true, second: true }
    await expect(harness(server).tool('fickle', {}, script)).rejects.toMatchObject({
      cause: { code: 'REPLAY_DIVERGED' },
    })
    round = 0
    expect((await harness(server, { onDivergence: 'warn' }).tool('fickle', {}, script)).text).toBe('done')
  })

  test('E10 an ask inside a step ends the call here by default', async () => {
    const server = deploys()
    server.tool('nested', {}, async (_, ctx) => {
      await ctx.step('outer', async () => {
        await ctx.ask.confirm('inner', 'Inner?')
      })
      return 'done'
    })
    await expect(harness(server).tool('nested', {}, { inner: true })).rejects.toMatchObject({
      cause: { code: 'STEP_NESTED' },
    })
  })

  test('E11 a caller may declare less', async () => {
    const kit = harness(deploys(), { asks: ['url'] })
    await expect(kit.tool('deploy', { env: 'x' }, { why: DECLINE })).rejects.toMatchObject({ wire: -32021 })
  })
})

describe('a token turned against the server', () => {
  const start = async (server = deploys()) => {
    const kit = harness(server, { principal: 'ada' })
    return { kit, round: await kit.startTool('deploy', { env: 'staging' }) }
  }
  const why = { why: { reason: 'Release 14 is due' } }

  test('T3 every way is refused alike', async () => {
    const { kit, round } = await start()
    const came = await kit.turnEvery(round)
    expect(Object.keys(came)).toEqual([
      'tampered',
      'truncated',
      'of another principal',
      'expired',
      'with other arguments',
    ])
    for (const turned of Object.values(came)) {
      expect(turned.refused).toBe(true)
      expect(turned.error).toEqual({ code: -32602, message: 'Invalid or expired requestState' })
    }
  })

  test('T2 the reason is told to the test, not to the client', async () => {
    const { kit, round } = await start()
    expect((await kit.turn(round, { principal: 'eve' })).reason).toBe('principal')
    expect((await kit.turn(round, { arguments: { env: 'production' } })).reason).toBe('target')
    expect((await kit.turn(round, { after: '2 h' })).reason).toBe('round-expired')
    expect((await kit.turn(round, { tamper: (token) => token.toUpperCase() })).refused).toBe(true)
  })

  test('T2 the round expires when the clock is moved on, and not before', async () => {
    const { kit, round } = await start()
    expect(round.expires?.getTime()).toBeGreaterThan(Date.now() + 3_500_000)
    kit.clock.advance('50 min')
    expect((await kit.next(round, why)).keys).toEqual(['go'])
    kit.clock.advance('20 min')
    await expect(kit.next(round, why)).rejects.toMatchObject({ wire: -32602 })
  })

  test('S0.9 another instance that shares the key goes on', async () => {
    const { kit, round } = await start()
    const turned = await kit.turn(round, { instance: deploys(), answers: why })
    expect(turned).toMatchObject({ refused: false, result: { resultType: 'input_required' } })
    const stranger = deploys({ state: { keys: 'another key that is long enough to be one' } })
    expect(await kit.turn(round, { instance: stranger, answers: why })).toMatchObject({
      refused: true,
      reason: 'unknown-key',
    })
  })

  test('an answered round goes on to the end', async () => {
    const { kit, round } = await start()
    const run = await kit.finish(round, { ...why, go: true })
    expect(run.text).toBe('Released 7.')
  })
})
