import { describe, expect, test } from 'vitest'
import { Drafts } from '../../src/cli/asks/drafts.ts'
import { putForm } from '../../src/cli/asks/put-form.ts'
import { paintFor } from '../../src/cli/terminal/paint.ts'
import { type PrimitiveSchemaDefinition } from '../../src/protocol/elicitation.ts'
import { type Act, formAsk, scripted } from './fake-asks.ts'

const paint = paintFor(false)

async function fill(
  properties: Record<string, PrimitiveSchemaDefinition>,
  required: readonly string[],
  ...acts: Act[]
) {
  const prompter = scripted(...acts)
  const answer = await putForm(formAsk({ properties, required }), prompter, paint)
  expect(prompter.left()).toBe(0)
  return { answer, shown: prompter.shown.join('\n') }
}

describe('fields by type', () => {
  test('a text with limits is put until it fits', async () => {
    const reason = { type: 'string', title: 'Reason', description: 'In a sentence', minLength: 10 } as const
    const { answer, shown } = await fill({ reason }, ['reason'], 'short', 'long enough by now', 'send')
    expect(answer).toEqual({ action: 'accept', content: { reason: 'long enough by now' } })
    expect(shown).toContain('Reason (at least 10 characters)\n┃ In a sentence')
    expect(shown).toMatch(/! .*10/)
  })

  test.each([
    ['email', 'nonsense', 'a@example.org', 'an e-mail address'],
    ['uri', 'nonsense', 'https://example.org/', 'a URL'],
    ['date', '28.7.2026', '2026-07-28', 'a date such as'],
    ['date-time', '2026-07-28', '2026-07-28T14:00:00Z', 'a date and time such as'],
  ] as const)('a text of format %s', async (format, wrong, right, told) => {
    const { answer, shown } = await fill({ x: { type: 'string', format } }, ['x'], wrong, right, 'send')
    expect(answer.content).toEqual({ x: right })
    expect(shown).toContain(told)
  })

  test('a limit of one is told in the singular', async () => {
    const one = { type: 'string', minLength: 1 } as const
    const most = { type: 'string', minLength: 0, maxLength: 1 } as const
    const { shown } = await fill({ one, most }, ['one', 'most'], '', 'x', 'x', 'send')
    expect(shown).toContain('one (at least 1 character)')
    expect(shown).toContain('! must have at least 1 character\n')
    expect(shown).toContain('most (0 to 1 character)')
  })

  test('a number with limits', async () => {
    const { answer, shown } = await fill(
      { count: { type: 'integer', minimum: 1, maximum: 5 } },
      ['count'],
      'many',
      '9',
      '1.5',
      '',
      '3',
      'send',
    )
    expect(answer.content).toEqual({ count: 3 })
    expect(shown).toContain('count (a whole number 1 to 5)')
    expect(shown).toContain('! This is not a number.')
    expect(shown).toContain('! This field needs a value.')
  })

  test('yes or no, false kept', async () => {
    const { answer } = await fill({ go: { type: 'boolean', default: true } }, ['go'], false, 'send')
    expect(answer.content).toEqual({ go: false })
  })

  test('one of several, by title', async () => {
    const env = {
      type: 'string',
      oneOf: [
        { const: 'p', title: 'Production' },
        { const: 's', title: 'Staging' },
      ],
    } as const
    const { answer, shown } = await fill({ env }, ['env'], 'Staging', 'send')
    expect(answer.content).toEqual({ env: 's' })
    expect(shown).toContain('env: Staging')
  })

  test('one of several with titles beside the values, as older servers write them', async () => {
    const env = { type: 'string', enum: ['p', 's'], enumNames: ['Production', 'Staging'] } as const
    expect((await fill({ env }, ['env'], 'Production', 'send')).answer.content).toEqual({ env: 'p' })
  })

  test('several of several, with limits', async () => {
    const tags = {
      type: 'array',
      items: { type: 'string', enum: ['a', 'b', 'c'] },
      minItems: 1,
      maxItems: 2,
      default: ['a'],
    } as const
    const { answer, shown } = await fill({ tags }, ['tags'], ['a', 'b', 'c'], [], ['b', 'c'], 'send')
    expect(answer.content).toEqual({ tags: ['b', 'c'] })
    expect(shown).toContain('tags (choose 1 to 2) [a]')
  })

  test('optional fields may be left out', async () => {
    const properties = {
      text: { type: 'string' },
      count: { type: 'number' },
      yes: { type: 'boolean' },
      one: { type: 'string', enum: ['a'] },
      tags: { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 },
    } as const
    const { answer } = await fill(properties, [], '', '', '(leave it out)', '(leave it out)', [], 'send')
    expect(answer).toEqual({ action: 'accept', content: {} })
  })

  test('defaults are what the person starts from', async () => {
    const properties = {
      text: { type: 'string', default: 'hello' },
      count: { type: 'number', default: 0 },
      yes: { type: 'boolean', default: false },
    } as const
    const { shown } = await fill(properties, ['text', 'count', 'yes'], 'x', '1', true, 'send')
    expect(shown).toContain('text [hello]')
    expect(shown).toContain('count (a number) [0]')
    expect(shown).toContain('yes (y or n) [no]')
  })

  test('a property called __proto__ is a field like any other', async () => {
    const properties = JSON.parse('{"__proto__":{"type":"string"}}') as Record<string, PrimitiveSchemaDefinition>
    const { answer } = await fill(properties, [], 'x', 'send')
    expect(JSON.stringify(answer.content)).toBe('{"__proto__":"x"}')
  })
})

describe('before it is sent', () => {
  const properties = { a: { type: 'string', title: 'First' }, b: { type: 'string', title: 'Second' } } as const
  const required = ['a', 'b']

  test('the filled form is shown and can be changed', async () => {
    const { answer, shown } = await fill(properties, required, 'one', 'two', 'change', 'Second', 'three', 'send')
    expect(answer.content).toEqual({ a: 'one', b: 'three' })
    expect(shown).toContain('First: one\n  Second: two')
    expect(shown).toContain('First: one\n  Second: three')
    expect(shown).toContain('Second [two]')
  })

  test('it can be declined or cancelled', async () => {
    expect((await fill(properties, required, 'one', 'two', 'decline')).answer).toEqual({ action: 'decline' })
    expect((await fill(properties, required, 'one', 'two', 'cancel')).answer).toEqual({ action: 'cancel' })
    expect((await fill(properties, required, 'one', 'two', null)).answer).toEqual({ action: 'cancel' })
  })

  test('leaving a field goes to the menu, which does not offer to send what is not filled in', async () => {
    const { answer, shown } = await fill(properties, required, null, 'change', 'one', 'two', 'send')
    expect(answer.content).toEqual({ a: 'one', b: 'two' })
    expect(shown).toContain(
      'Not ready to be sent. What now? <Change|Decline (say no to the server)|Cancel (answer nothing)> [change]',
    )
    expect(shown).toContain('Not ready to be sent: First: is required; Second: is required')
  })

  test('leaving a field goes back to the one before, and keeps what was typed whether it fits or not', async () => {
    const long = { ...properties, b: { ...properties.b, minLength: 5 } }
    const acts = ['one', { leaving: 'thr' }, { leaving: 'first' }, 'change', 'first', 'three', 'send'] as const
    const { answer, shown } = await fill(long, required, ...acts)
    expect(answer.content).toEqual({ a: 'first', b: 'three' })
    expect(shown).toContain('1 of 2: First [one]')
    expect(shown).toContain('First: first\n  Second: (nothing)')
    expect(shown).toContain('2 of 2: Second (at least 5 characters) [thr]')
  })

  test('leaving with nothing typed changes nothing', async () => {
    const { answer } = await fill(properties, required, 'one', 'two', 'change', 'First', { leaving: '' }, 'send')
    expect(answer.content).toEqual({ a: 'one', b: 'two' })
  })

  test('a form of one field is changed without asking which', async () => {
    const { answer } = await fill({ a: properties.a }, ['a'], 'one', 'change', 'two', 'send')
    expect(answer.content).toEqual({ a: 'two' })
  })

  test('a form without fields is a question of its own', async () => {
    expect((await fill({}, [], 'send')).answer).toEqual({ action: 'accept', content: {} })
  })
})

describe('what is shown', () => {
  test('names the server, the call and the round, and sets its text off', async () => {
    const prompter = scripted('cancel')
    await putForm(formAsk({}, 'First line\nsecond \x1b[31mline'), prompter, paint)
    expect(prompter.shown[0]).toBe(
      '\ndeploys 1.0.0 (http://127.0.0.1:3920/mcp) asks:\ntools/call deploy, round 1, ask "why"\n\n┃ First line\n┃ second \\x1b[31mline\n',
    )
  })

  test('nothing of the server reaches the terminal raw', async () => {
    const evil = '\x1b[2J\u202e'
    const properties = {
      [evil]: { type: 'string', title: evil, description: evil, default: evil },
      one: { type: 'string', oneOf: [{ const: 'a', title: evil }] },
    } as const
    const prompter = scripted('x', 'a', 'send')
    await putForm(formAsk({ properties, required: [] }, evil, evil), prompter, paint)
    const typed = prompter.shown.filter((line) => !line.includes('['))
    expect(typed.join('\n')).not.toMatch(/[\x1b\u202e]/)
  })

  test.each(['password', 'apiKey', 'api_key', 'Access token', 'credentials'])(
    'a field "%s" is warned of',
    async (title) => {
      const { shown } = await fill({ a: { type: 'string', title } }, ['a'], 'x', 'cancel')
      expect(shown).toContain(`! "${title}" looks like a secret`)
    },
  )

  test('an ordinary field is not', async () => {
    const { shown } = await fill({ reason: { type: 'string' } }, ['reason'], 'x', 'cancel')
    expect(shown).not.toContain('looks like a secret')
  })
})

describe('a form that is put again', () => {
  const schema = {
    properties: { reason: { type: 'string' }, n: { type: 'number', default: 1 } },
    required: ['reason'],
  } as const

  test('tells why first, and begins with what was sent', async () => {
    const drafts = new Drafts()
    await putForm(formAsk(schema, 'Why?'), scripted('too short', '2', 'send'), paint, drafts)
    const prompter = scripted('long enough', '2', 'send')
    await putForm(formAsk(schema, 'Why?\n\n(reason: at least 10)', 'why~2'), prompter, paint, drafts)
    const shown = prompter.shown.join('\n')
    expect(shown).toMatch(/did not take the last answer:\n┃ reason: at least 10\n\n┃ Why\?/)
    expect(shown).toContain('1 of 2: reason [too short]')
    expect(shown).toContain('[2]')
    expect(shown).not.toContain('~2')
  })

  test('takes nothing over from another form, nor for a field that is gone', async () => {
    const drafts = new Drafts()
    await putForm(formAsk(schema, 'Why?'), scripted('one', '2', 'send'), paint, drafts)
    const other = scripted('two', '2', 'send')
    await putForm(formAsk(schema, 'Who?', 'who~2'), other, paint, drafts)
    expect(other.shown.join('\n')).toContain('reason []')
    const changed = scripted(null, 'cancel')
    await putForm(formAsk({ properties: { why: { type: 'string' } } }, 'Why?', 'why~2'), changed, paint, drafts)
    expect(changed.shown.join('\n')).not.toContain('one')
  })

  test('a message that only ends in brackets is left as it is when the form is put first', async () => {
    const prompter = scripted(null, 'cancel')
    await putForm(formAsk(schema, 'Why?\n\n(be brief)'), prompter, paint)
    expect(prompter.shown.join('\n')).toContain('┃ Why?\n┃ \n┃ (be brief)')
  })
})
