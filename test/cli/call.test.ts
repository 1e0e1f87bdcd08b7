import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { run } from '../../src/cli/program.ts'
import { inputRequired } from '../../src/protocol/input-required-result.ts'
import { fail, result } from '../../src/server/results.ts'
import { Server } from '../../src/server/server.ts'
import { FakeHost, KEY, Person } from './fake-host.ts'

function deploys(): Server {
  const server = new Server({ name: 'deploys', version: '1.0.0' })
  server.tool(
    'deploy',
    { input: z.object({ env: z.enum(['staging', 'production']), times: z.number().optional() }) },
    async (args, ctx) => {
      const why = await ctx.ask.form('why', {
        message: `Why deploy to ${args.env}?`,
        schema: z.object({ reason: z.string().min(10) }),
      })
      if (why.action !== 'accept') return `Not deployed: ${why.action}.`
      const go = await ctx.ask.confirm('go', 'Release it?')
      return go ? `Released: ${why.content.reason} ${JSON.stringify(args)}` : 'Not released.'
    },
  )
  server.tool('pay', {}, async (_, ctx) => {
    const { action } = await ctx.ask.url('pay', { message: 'Pay here', url: 'https://pay.example.com/x' })
    return `Pay: ${action}`
  })
  server.tool('sample', {}, async (_, ctx) => {
    const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Say hi' } }], maxTokens: 10 } as const
    const { content, model } = await ctx.ask.sample('hi', params)
    return JSON.stringify([content, model])
  })
  server.tool('roots', {}, async (_, ctx) => JSON.stringify(await ctx.ask.roots()))
  server.tool('loop', {}, async (_, ctx) => {
    const said: string[] = []
    for (const n of [1, 2, 3]) said.push(await ctx.ask.text('item', `Item ${n}?`, { orEnd: 'Stopped.' }))
    return said.join(', ')
  })
  server.tool('picky', {}, async (_, ctx) => {
    const schema = z.object({ name: z.string().refine((name) => name !== 'bad', 'Not that one.') })
    const { action } = await ctx.ask.form('name', { message: 'Which?', schema })
    return action
  })
  server.tool('fails', {}, () => fail('It broke\x1b[2J'))
  server.tool('blocks', {}, () =>
    result({
      content: [
        { type: 'text', text: 'one\x07' },
        { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        { type: 'resource_link', uri: 'file:///a', name: 'a' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
      ],
      structuredContent: { a: 1 },
    }),
  )
  return server
}

/** Runs the command line against the server, without a terminal. */
async function script(args: readonly string[], files: Record<string, unknown> = {}) {
  const texts = Object.fromEntries(
    Object.entries(files).map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
  const host = new FakeHost({ server: deploys(), files: texts })
  const exit = await run(args, host)
  return { exit, out: host.out, err: host.err, host }
}

const call = (...args: string[]) => ['call', 'http://127.0.0.1:3920/mcp', ...args]
const DEPLOY = call('deploy', '--arg', 'env=staging', '--answers', 'a.json')
const WHY = { reason: 'Release 14 is due' }

describe('answers from a file', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['contents', { why: WHY, go: { value: true } }, 'Released: Release 14 is due {"env":"staging"}'],
    ['single values', { why: 'Release 14 is due', go: true }, 'Released: Release 14 is due {"env":"staging"}'],
    ['actions', { why: { action: 'accept', content: WHY }, go: { action: 'decline' } }, 'Not released.'],
    ['a refusal', { why: { action: 'cancel' } }, 'Not deployed: cancel.'],
    ['a list of one', { why: [WHY], go: [false] }, 'Not released.'],
  ])('%s', async (_name, answers, said) => {
    expect(await script(DEPLOY, { 'a.json': answers })).toMatchObject({ exit: 0, out: `${said}\n`, err: '' })
  })

  test('a list answers one time after another, in a loop', async () => {
    const { out } = await script(call('loop', '--answers', 'a.json'), { 'a.json': { item: ['a', 'b', 'c'] } })
    expect(out).toBe('a, b, c\n')
  })

  test('keys written out go before that', async () => {
    const answers = { item: ['a', 'b', 'c'], 'item#2': 'x' }
    expect((await script(call('loop', '--answers', 'a.json'), { 'a.json': answers })).out).toBe('a, x, c\n')
  })

  test('a list that is too short is told', async () => {
    const { exit, err } = await script(call('loop', '--answers', 'a.json'), { 'a.json': { item: ['a'] } })
    expect(exit).toBe(2)
    expect(err).toContain(
      'a.json: the answer to "item#2" does not fit: it is asked for time 2, and the list has 1 answer.',
    )
  })

  test.each<[unknown, string]>([
    [{ why: { reason: 'short' } }, 'a.json: the answer to "why" does not fit: reason'],
    [{ why: { other: 1 } }, 'a.json: the answer to "why" does not fit:'],
    ['nonsense', 'a.json is not JSON'],
    [[1], 'a.json must hold one JSON object'],
  ])('%j is refused', async (answers, message) => {
    const { exit, err } = await script(DEPLOY, { 'a.json': answers })
    expect(exit).toBe(2)
    expect(err).toContain(`error: ${message}`)
  })

  test('an answer to nothing is told', async () => {
    const { exit, err } = await script(DEPLOY, { 'a.json': { why: WHY, go: true, wy: 1 } })
    expect(exit).toBe(0)
    expect(err).toBe('warning: the answers file has answers nothing asked for: "wy"\n')
  })

  test('a file that is not there is refused before anything is called', async () => {
    const { exit, err } = await script(DEPLOY)
    expect(exit).toBe(2)
    expect(err).toContain('The answers file cannot be read')
  })

  test('URLs are agreed to and nothing is opened', async () => {
    const { out, err, host } = await script(call('pay', '--answers', 'a.json'), { 'a.json': { pay: true } })
    expect(out).toBe('Pay: accept\n')
    expect(err).toBe('The page of "pay": https://pay.example.com/x\n')
    expect(host.opened).toEqual([])
    expect((await script(call('pay', '--answers', 'a.json'), { 'a.json': { pay: false } })).out).toBe('Pay: decline\n')
  })

  test('a model is answered for with a text or a whole result', async () => {
    const text = await script(call('sample', '--answers', 'a.json'), { 'a.json': { hi: 'hello' } })
    expect(text.out).toBe('[{"type":"text","text":"hello"},"answers file"]\n')
    const whole = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }
    expect((await script(call('sample', '--answers', 'a.json'), { 'a.json': { hi: whole } })).out).toBe(
      '[{"type":"text","text":"x"},"m"]\n',
    )
  })
})

test('a list that ends before an ask put again names it by the key of its author', async () => {
  const { exit, err } = await script(call('picky', '--answers', 'a.json'), { 'a.json': { name: ['bad'] } })
  expect(exit).toBe(2)
  expect(err).toContain('the answer to "name" does not fit: it is asked for time 2, and the list has 1 answer.')
})

describe('nobody to ask', () => {
  test('without a terminal and without answers: a clear error and exit code 3', async () => {
    const { exit, out, err } = await script(call('deploy', '--arg', 'env=staging'))
    expect(exit).toBe(3)
    expect(out).toBe('')
    expect(err).toBe(
      'error: The server asks "why", and there is no terminal to ask in.\nRun it in a terminal, or give the answer with --answers FILE: { "why": … }\n',
    )
  })

  test('a page that nobody agrees to is named', async () => {
    const { exit, err } = await script(call('pay'))
    expect(exit).toBe(3)
    expect(err).toContain('The server asks "pay" to open https://pay.example.com/x, and there is no terminal')
  })

  test('an answer missing from the file', async () => {
    const { exit, err } = await script(DEPLOY, { 'a.json': { why: WHY } })
    expect(exit).toBe(3)
    expect(err).toContain('The server asks "go", and the answers file has none')
  })

  test('no model and no roots: the server says what it misses, and we say what to add', async () => {
    const sample = await script(call('sample'))
    expect(sample.exit).toBe(3)
    expect(sample.err).toContain('--answers FILE')
    const roots = await script(call('roots'))
    expect(roots.exit).toBe(3)
    expect(roots.err).toContain('give --root DIR')
  })
})

test('roots are those given', async () => {
  const { out } = await script(call('roots', '--root', 'a', '--root', 'b'))
  expect(JSON.parse(out)).toEqual({
    roots: [
      { uri: 'file:///home/a', name: 'a' },
      { uri: 'file:///home/b', name: 'b' },
    ],
  })
  expect(await script(call('roots', '--root', 'missing'))).toMatchObject({
    exit: 2,
    err: expect.stringContaining('there is no such directory') as string,
  })
})

describe('arguments', () => {
  test('are typed by the tool', async () => {
    const { out } = await script([...DEPLOY, '--arg', 'times=3'], { 'a.json': { why: WHY, go: true } })
    expect(out).toContain('{"env":"staging","times":3}')
  })

  test('that the tool does not take are told, and so is a tool that is not there', async () => {
    expect((await script(call('deploy', '--arg', 'times=x'))).err).toContain('Argument "times" must be number')
    const { exit, err } = await script(call('deplo'))
    expect(exit).toBe(2)
    expect(err).toContain('The server has no tool "deplo".\nDid you mean "deploy"?\nIt has: deploy, pay')
  })

  test('that are missing or unknown are told before anything is called', async () => {
    expect(await script(call('deploy'))).toMatchObject({
      exit: 2,
      err: expect.stringContaining('error: env is required (one of staging, production).\n') as string,
    })
    const { exit, err } = await script(call('deploy', '--arg', 'enw=staging'))
    expect(exit).toBe(2)
    expect(err).toContain('The tool has no argument "enw".\nDid you mean "env"? It takes: env, times')
  })

  test('that are none of a list are refused with the list, wherever they stand', async () => {
    for (const typed of [
      ['--arg', 'env=moon'],
      ['--args', '{"env":"moon"}'],
    ]) {
      const { exit, err } = await script(call('deploy', ...typed))
      expect(exit).toBe(2)
      expect(err).toMatch(/Argument "env" must be one of .*staging.*, not "moon"/)
    }
  })

  test('that nobody asked for are refused in --args, too', async () => {
    const { exit, err } = await script(call('deploy', '--args', '{"env":"staging","enw":1}'))
    expect(exit).toBe(2)
    expect(err).toContain('The tool has no argument "enw".')
  })

  test("that do not fit otherwise are the tool's own error", async () => {
    const { exit, err } = await script(call('deploy', '--arg', 'env=staging', '--args', '{"times":"many"}'))
    expect(exit).toBe(1)
    expect(err).toContain('The tool failed:')
  })
})

describe('while the server is not ready', () => {
  const server = () => {
    const made = new Server({ name: 'slow', version: '1.0.0' })
    made.tool('slow', {}, (_, ctx) =>
      ctx.requestState === undefined ? inputRequired({ requestState: 'later' }) : 'done',
    )
    return made
  }

  test('a person at a terminal is told', async () => {
    const host = new FakeHost({ server: server(), tty: true })
    expect(await run(call('slow'), host)).toBe(0)
    expect(host.err).toContain('The server is not ready yet')
  })

  test.each([
    ['a script is not', false, []],
    ['nor who reads JSON', true, ['--json']],
  ])('%s', async (_who, tty, more) => {
    const host = new FakeHost({ server: server(), tty })
    expect(await run(call('slow', ...more), host)).toBe(0)
    expect(host.err).toBe('')
  })
})

test('a tool that is none, after a command, is told where its name stands', async () => {
  const host = new FakeHost({ server: deploys() })
  expect(await run(['call', '--', 'node', 'server.mjs', 'dploy'], host)).toBe(2)
  expect(host.err).toContain('The server has no tool "dploy".')
  expect(host.err).toContain('Name the tool before the --: rondo call TOOL -- COMMAND')
})

describe('output', () => {
  test('a tool that failed goes to stderr, harmless, with exit code 1', async () => {
    expect(await script(call('fails'))).toMatchObject({ exit: 1, out: '', err: 'The tool failed: It broke\\x1b[2J\n' })
  })

  test('blocks in their order', async () => {
    expect((await script(call('blocks'))).out).toBe('one\\x07\n[image, image/png, 3 bytes]\n[a] file:///a\ninside\n')
  })

  test('--json prints the result as one document', async () => {
    const { out, exit } = await script(call('blocks', '--json'))
    expect(exit).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ content: [{ text: 'one\x07' }, {}, {}, {}], structuredContent: { a: 1 } })
    expect(out).not.toContain('\x07')
    const failed = await script(call('fails', '--json'))
    expect(failed.exit).toBe(1)
    expect(JSON.parse(failed.out)).toMatchObject({ isError: true })
  })

  test('--json prints an error as one document too', async () => {
    const { out, exit } = await script(call('deploy', '--arg', 'env=staging', '--json'))
    expect(exit).toBe(3)
    expect(JSON.parse(out)).toMatchObject({
      error: { exit: 3, code: 'CLI', message: expect.stringContaining('"why"') as string },
    })
    const wire = await script(call('roots', '--json'))
    expect(JSON.parse(wire.out)).toMatchObject({
      error: { exit: 3, code: 'RESPONSE_ERROR', wire: -32021, data: { requiredCapabilities: { roots: {} } } },
    })
  })

  test('--verbose shows each round on stderr', async () => {
    const { out, err } = await script([...DEPLOY, '--verbose'], { 'a.json': { why: WHY, go: true } })
    expect(out).toMatch(/^Released/)
    expect(err).toContain(
      'round 1: deploys 1.0.0 (memory) asks for a form, "why"\n┃ Why deploy to staging?\nanswer: {"action":"accept","content":{"reason":"Release 14 is due"}}\nround 2: ',
    )
  })
})

describe('in a terminal', () => {
  async function live(args: readonly string[], act: (person: Person) => Promise<void>) {
    const person = new Person()
    const host = new FakeHost({ server: deploys(), person })
    const [exit] = await Promise.all([run(args, host), act(person)])
    return { exit, out: host.out, err: host.err, host, drawn: person.drawn }
  }

  test('asks are prompts, and the filled form is shown before it is sent', async () => {
    const { exit, out, drawn } = await live(call('deploy', '--arg', 'env=production'), async (person) => {
      await person.at('reason (at least 10 characters)', 'short', KEY.enter)
      await person.at('must have at least 10 characters', ' but long', KEY.enter)
      await person.at('Send this?', KEY.down, KEY.enter)
      await person.at('reason (at least 10', '!', KEY.enter)
      await person.at('Send this?', KEY.enter)
      await person.at('Release it?', 'y')
      await person.at('Send this?', KEY.enter)
    })
    expect({ exit, out }).toEqual({ exit: 0, out: 'Released: short but long! {"env":"production"}\n' })
    expect(drawn).toContain('deploys 1.0.0 (memory) asks:')
    expect(drawn).toContain('┃ Why deploy to production?')
    expect(drawn).toContain('reason: short but long\n')
  })

  test.each([
    ['tries again', KEY.enter, 0],
    ['gives up', KEY.escape, 4],
  ])('answers that do not reach the server are kept, and the person %s', async (_what, key, expected) => {
    const server = new Server({ name: 'away', version: '1.0.0' })
    server.tool('away', {}, async (_, ctx) => ctx.ask.text('why', 'Why?', { orEnd: 'No.' }))
    let down = false
    const serve = server.handle.bind(server)
    server.handle = ((...given: Parameters<typeof serve>) => {
      if (down) throw new Error('gone')
      return serve(...given)
    }) as typeof server.handle
    const person = new Person()
    const host = new FakeHost({ server, person })
    const act = async () => {
      await person.at('Answer', 'Because', KEY.enter)
      await person.at('Send this?')
      down = true
      await person.at('', KEY.enter)
      await person.at('Try again')
      down = false
      await person.at('', key)
    }
    const [exit] = await Promise.all([run(call('away'), host), act()])
    expect(exit).toBe(expected)
    expect(person.drawn).toContain('Your answers did not arrive, and are kept.')
    expect(host.out).toBe(expected === 0 ? 'Because\n' : '')
    if (expected !== 0) expect(person.drawn).toContain('{"why":{"action":"accept","content":{"value":"Because"}}}')
  })

  test('answers to a server that was started anew without its keys are shown for another try', async () => {
    const start = (): Server => {
      const server = new Server({ name: 'anew', version: '1.0.0' }, { log: () => undefined })
      server.tool('anew', {}, async (_, ctx) => {
        const why = await ctx.ask.text('why', 'Why?', { orEnd: 'No.' })
        return (await ctx.ask.confirm('go', 'Go?')) ? why : 'no'
      })
      return server
    }
    const server = start()
    const person = new Person()
    const host = new FakeHost({ server, person })
    const act = async () => {
      await person.at('Answer', 'Because', KEY.enter)
      await person.at('Send this?', KEY.enter)
      await person.at('y or n')
      const other = start()
      server.handle = other.handle.bind(other)
      await person.at('', 'y')
      await person.at('Send this?', KEY.enter)
    }
    const [exit] = await Promise.all([run(call('anew'), host), act()])
    expect(exit).toBe(5)
    const answers = {
      why: { action: 'accept', content: { value: 'Because' } },
      go: { action: 'accept', content: { value: true } },
    }
    expect(person.drawn).toContain(`as --answers FILE reads them:\n${JSON.stringify(answers)}`)
  })

  test('asks of one round are counted', async () => {
    const server = new Server({ name: 'two', version: '1.0.0' })
    server.tool('two', {}, async (_, ctx) =>
      String(await Promise.all([ctx.ask.confirm('first', 'First?'), ctx.ask.confirm('second', 'Second?')])),
    )
    const person = new Person()
    const host = new FakeHost({ server, person })
    const act = async () => {
      for (const text of ['ask 1 of 2, "first"', 'ask 2 of 2, "second"']) {
        await person.at(text)
        await person.at('y or n', 'y')
        await person.at('Send this?', KEY.enter)
      }
    }
    await Promise.all([run(call('two'), host), act()])
    expect(host.out).toBe('true,true\n')
  })

  test('declined, and cancelled by leaving twice', async () => {
    const declined = await live(call('deploy', '--arg', 'env=staging'), async (person) => {
      await person.at('reason', KEY.escape)
      await person.at('What now?', KEY.down, KEY.enter)
    })
    expect(declined.out).toBe('Not deployed: decline.\n')
    const cancelled = await live(call('deploy', '--arg', 'env=staging'), async (person) => {
      await person.at('reason', KEY.escape)
      await person.at('What now?', KEY.escape)
    })
    expect(cancelled.out).toBe('Not deployed: cancel.\n')
  })

  test.each([
    ['a field', async (person: Person) => person.at('reason', KEY.ctrlC)],
    [
      'the menu',
      async (person: Person) => {
        await person.at('reason', KEY.escape)
        await person.at('Decline', KEY.ctrlC)
      },
    ],
  ])('Ctrl-C at %s stops the program and sends nothing', async (_where, act) => {
    const { exit, out, err } = await live(call('deploy', '--arg', 'env=staging'), act)
    expect({ exit, out, err }).toEqual({ exit: 130, out: '', err: 'error: Interrupted.\n' })
  })

  test('what was typed before the question stood there is no answer to it', async () => {
    const { out } = await live(call('pay'), async (person) => {
      person.ahead(KEY.up, KEY.up, KEY.enter)
      await person.at('Open it?', KEY.down, KEY.enter)
    })
    expect(out).toBe('Pay: cancel\n')
  })

  test('a URL is shown whole, its host apart, and opened only after a yes', async () => {
    const no = await live(call('pay'), async (person) => {
      await person.at('Open it?', KEY.enter)
    })
    expect(no.out).toBe('Pay: decline\n')
    expect(no.host.opened).toEqual([])
    expect(no.drawn).toContain('Host: pay.example.com\n  URL:  https://pay.example.com/x\n')
    const yes = await live(call('pay'), async (person) => {
      await person.at('Open it?', KEY.up, KEY.up, KEY.enter)
    })
    expect(yes.out).toBe('Pay: accept\n')
    expect(yes.host.opened).toEqual(['https://pay.example.com/x'])
  })

  test("a sampling request is answered in the model's place, or refused, which ends the call", async () => {
    const written = await live(call('sample'), async (person) => {
      await person.at('submit', 'hello', KEY.tab, KEY.enter)
      await person.at('Send this?', KEY.enter)
    })
    expect(written.out).toBe('[{"type":"text","text":"hello"},"a person"]\n')
    const refused = await live(call('sample'), async (person) => {
      await person.at('submit', 'hel', KEY.escape)
      await person.at('What now?', KEY.enter)
      await person.at('hel', KEY.escape)
      await person.at('What now?', KEY.down, KEY.enter)
    })
    expect(refused.exit).toBe(3)
    expect(refused.err).toContain('You refused the sampling request')
  })
})

test("a server's own failure points to its log", async () => {
  const server = new Server({ name: 'broken', version: '1.0.0' }, { log: () => undefined })
  server.tool('broken', {}, () => {
    throw new Error('inside')
  })
  const host = new FakeHost({ server })
  expect(await run(call('broken'), host)).toBe(5)
  expect(host.err).toContain("The server's log says why.\n")
})

test('Ctrl-C while the server works ends the call with 130', async () => {
  const server = new Server({ name: 'slow', version: '1.0.0' })
  const host = new FakeHost({ server })
  server.tool('slow', {}, async (_, ctx) => {
    host.interrupt?.()
    await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve))
    return 'late'
  })
  expect(await run(call('slow'), host)).toBe(130)
  expect(host.err).toBe('error: Interrupted.\n')
})
