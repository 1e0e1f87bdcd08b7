import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSamplingParams, isCreateMessageResult } from './sampling.ts'

const text = { type: 'text', text: 'Hello' }
const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
const done = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [text] })
const user = (...content: object[]) => ({ role: 'user', content: content.length === 1 ? content[0] : content })
const assistant = (...content: object[]) => ({
  role: 'assistant',
  content: content.length === 1 ? content[0] : content,
})
const check = (...messages: object[]) => checkSamplingParams({ messages, maxTokens: 100 })
const member = (more: object) => checkSamplingParams({ messages: [user(text)], maxTokens: 100, ...more })

describe('checkSamplingParams', () => {
  test('takes a conversation', () => {
    expect(check(user(text))).toBeUndefined()
    expect(check(user(text, { type: 'image', data: 'AA==', mimeType: 'image/png' }), assistant(text))).toBeUndefined()
    expect(check()).toBeUndefined()
  })

  test('spec client/sampling: a message with tool results holds nothing else', () => {
    expect(check(assistant(use('1')), user(done('1')))).toBeUndefined()
    expect(check(assistant(use('1'), use('2')), user(done('2'), done('1')))).toBeUndefined()
    expect(check(assistant(use('1')), user(text, done('1')))).toBe('messages[1] mixes tool results with other content')
  })

  test('spec client/sampling: every tool use is answered by the next message', () => {
    expect(check(user(text), assistant(text, use('1')), user(done('1')), assistant(text))).toBeUndefined()
    expect(check(assistant(use('1'), use('2')), user(done('1')), assistant(text))).toBe(
      'messages[1] must hold a result of the tool use "2"',
    )
    expect(check(assistant(use('1')), assistant(text), user(done('1')))).toMatch(/messages\[1\] must hold a result/)
    expect(check(assistant(use('1')))).toBe('messages must go on with results of the tool uses ["1"]')
    expect(check(user(done('1')))).toBe('messages[0] holds a result of the tool use "1", which is not open')
    expect(check(assistant(use('1')), user(done('1'), done('1')))).toMatch(/which is not open/)
    expect(check(assistant(use('1'), use('1')), user(done('1')))).toMatch(/two tool uses/)
  })

  test('spec client/sampling: tools are used by the assistant and answered by the user', () => {
    expect(check(user(use('1')))).toMatch(/only the assistant may/)
    expect(check(assistant(use('1')), assistant(done('1')))).toMatch(/only the user may/)
  })

  test('spec client/sampling: a message has a role and content', () => {
    for (const message of [
      null,
      'x',
      { role: 'system', content: text },
      { role: 'user' },
      { role: 'user', content: 'x' },
    ]) {
      expect(check(message as object)).toMatch(/messages\[0\] must have a role/)
    }
    for (const block of [
      { type: 'text' },
      { type: 'image', data: 'x' },
      { type: 'video' },
      { type: 'tool_use', id: '1' },
    ]) {
      expect(check(user(block))).toMatch(/messages\[0\] must have a role/)
    }
  })

  test('spec client/sampling: context is asked for only where it was declared', () => {
    const params = { messages: [user(text)], maxTokens: 1, includeContext: 'thisServer' }
    expect(checkSamplingParams(params)).toBeUndefined()
    expect(checkSamplingParams(params, { sampling: {} })).toMatch(/sampling\.context/)
    expect(checkSamplingParams(params, {})).toMatch(/sampling\.context/)
    expect(checkSamplingParams(params, { sampling: { context: {} } })).toBeUndefined()
    expect(checkSamplingParams({ ...params, includeContext: 'none' }, {})).toBeUndefined()
  })

  test.each<[object, RegExp]>([
    [{ maxTokens: undefined }, /maxTokens is required/],
    [{ maxTokens: 0 }, /maxTokens must be/],
    [{ maxTokens: 1.5 }, /maxTokens must be/],
    [{ messages: {} }, /messages must be an array/],
    [{ systemPrompt: 1 }, /systemPrompt must be text/],
    [{ temperature: 'hot' }, /temperature must be/],
    [{ includeContext: 'all' }, /includeContext must be/],
    [{ stopSequences: [1] }, /stopSequences must be/],
    [{ metadata: [] }, /metadata must be/],
    [{ modelPreferences: { costPriority: 2 } }, /modelPreferences must be/],
    [{ modelPreferences: { hints: ['x'] } }, /modelPreferences must be/],
    [{ tools: [{ name: 'x' }] }, /tools must be/],
    [{ toolChoice: { mode: 'any' } }, /toolChoice must be/],
  ])('refuses %j', (more, message) => {
    expect(member(more)).toMatch(message)
  })

  test('takes every member', () => {
    expect(
      member({
        systemPrompt: '',
        temperature: 0,
        stopSequences: [],
        metadata: {},
        modelPreferences: { hints: [{ name: 'x' }], costPriority: 0, speedPriority: 1, intelligencePriority: 0.5 },
        tools: [{ name: 'x', inputSchema: { type: 'object' } }],
        toolChoice: {},
      }),
    ).toBeUndefined()
  })

  test('property: anything is checked without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.jsonValue()), (any, messages) => {
        checkSamplingParams(any)
        expect(typeof checkSamplingParams({ messages: [...messages, any], maxTokens: 'x' })).toBe('string')
        expect(typeof isCreateMessageResult(any)).toBe('boolean')
      }),
    )
  })
})

test('a model answers with role, content and model', () => {
  expect(isCreateMessageResult({ role: 'assistant', content: text, model: 'm' })).toBe(true)
  expect(
    isCreateMessageResult({ role: 'assistant', content: [text, use('1')], model: 'm', stopReason: 'toolUse' }),
  ).toBe(true)
  for (const value of [
    null,
    {},
    { role: 'assistant', content: text },
    { role: 'assistant', model: 'm' },
    { role: 'system', content: text, model: 'm' },
    { role: 'assistant', content: [{ type: 'text' }], model: 'm' },
    { action: 'accept' },
  ]) {
    expect(isCreateMessageResult(value)).toBe(false)
  }
})
