/** What the suite asks of servers of the revisions with `initialize`: asks as requests of the server's own. */
import { setTimeout as pause } from 'node:timers/promises'
import { inputRequired } from 'rondo'

const choices = ['option1', 'option2', 'option3']
const titled = choices.map((value, n) => ({ const: value, title: `Option ${n + 1}` }))

const DEFAULTS = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
}
const ENUMS = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: choices },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: { type: 'string', enum: choices, enumNames: titled.map(({ title }) => title) },
    untitledMulti: { type: 'array', items: { type: 'string', enum: choices } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
}
const USER = {
  type: 'object',
  properties: { username: { type: 'string' }, email: { type: 'string' } },
  required: ['username', 'email'],
}

const one = (name) => ({ type: 'object', properties: { [name]: { type: 'string' } }, required: [name] })
const said = (answer) => `User response: ${JSON.stringify(answer)}`

export function addOlder(server) {
  server.tool('test_tool_with_logging', { description: 'Logs three times' }, async (_args, ctx) => {
    for (const done of ['started', 'processing data', 'completed']) {
      ctx.log.info(`Tool ${done === 'processing data' ? done : `execution ${done}`}`)
      await pause(50)
    }
    return 'Done.'
  })

  server.tool('test_sampling', { description: 'Asks the model', input: one('prompt') }, async ({ prompt }, ctx) => {
    const messages = [{ role: 'user', content: { type: 'text', text: prompt } }]
    const { content } = await ctx.ask.sample('answer', { messages, maxTokens: 100 })
    return `LLM response: ${[content].flat()[0].text}`
  })

  server.tool('test_elicitation', { description: 'Asks who', input: one('message') }, async ({ message }, ctx) =>
    said(await ctx.ask.form('user', { message, schema: USER })),
  )

  server.tool('test_elicitation_sep1034_defaults', { description: 'Asks with defaults' }, async (_args, ctx) =>
    said(await ctx.ask.form('defaults', { message: 'Review these', schema: DEFAULTS })),
  )

  // By the return form, which sends a schema as it is: `ctx.ask.form` would write enumNames the newer way.
  server.tool('test_elicitation_sep1330_enums', { description: 'Asks for choices' }, (_args, ctx) => {
    if (ctx.inputResponses !== undefined) return said(ctx.inputResponses.choices)
    const params = { mode: 'form', message: 'Choose', requestedSchema: ENUMS }
    return inputRequired({ inputRequests: { choices: { method: 'elicitation/create', params } } })
  })

  server.tool('test_reconnection', { description: 'Outlasts its connection' }, async (_args, ctx) => {
    ctx.log.info('The connection ends before the result')
    await pause(2500)
    return 'Reconnection test completed successfully.'
  })

  server.resource('watched', { uri: 'test://watched-resource', mimeType: 'text/plain' }, () => 'Watched.')
}
