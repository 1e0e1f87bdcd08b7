import { inputRequired } from 'rondo'

const form = (message, properties) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  },
})

const question = (text) => ({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 })
const textOf = ({ content }) => (Array.isArray(content) ? content : [content]).map(({ text }) => text ?? '').join('')
const accepted = ({ kind, response }) =>
  kind === 'elicit' && response.action === 'accept' ? response.content : undefined

const string = { type: 'string' }
const schema = (name, property = string) => ({ type: 'object', properties: { [name]: property }, required: [name] })

/** The low level form: a result that asks, no state. The suite also answers these without any. */
const RETURNED = {
  elicitation(_args, ctx) {
    const name = accepted(ctx.inputResponse('user_name'))?.name
    if (typeof name === 'string') return `Hello, ${name}!`
    return inputRequired({ inputRequests: { user_name: form('What is your name?', { name: string }) } })
  },
  sampling(_args, ctx) {
    const answer = ctx.inputResponse('capital_question')
    if (answer.kind === 'sampling') return textOf(answer.response)
    const params = question('What is the capital of France?')
    return inputRequired({ inputRequests: { capital_question: { method: 'sampling/createMessage', params } } })
  },
  list_roots(_args, ctx) {
    const answer = ctx.inputResponse('client_roots')
    if (answer.kind === 'roots') return `${answer.response.roots.length} roots`
    return inputRequired({ inputRequests: { client_roots: { method: 'roots/list' } } })
  },
}

/** The ask form: code that awaits its answers. */
const ASKED = {
  async request_state(_args, ctx) {
    const answer = await ctx.ask.form('confirm', { message: 'Go on?', schema: schema('ok', { type: 'boolean' }) })
    return answer.action === 'accept' ? 'state-ok' : 'Stopped.'
  },
  async multiple_inputs(_args, ctx) {
    const [name, greeting, { roots }] = await Promise.all([
      ctx.ask.form('user_name', { message: 'What is your name?', schema: schema('name') }),
      ctx.ask.sample('greeting', question('Write a greeting')),
      ctx.ask.roots('client_roots'),
    ])
    return `${textOf(greeting)} ${name.action === 'accept' ? name.content.name : 'stranger'}, with ${roots.length} roots`
  },
  async multi_round(_args, ctx) {
    const one = await ctx.ask.form('step1', { message: 'Step 1: your name?', schema: schema('name') })
    const two = await ctx.ask.form('step2', { message: 'Step 2: your colour?', schema: schema('color') })
    return `${one.action}, then ${two.action}`
  },
  async tampered_state(_args, ctx) {
    const go = await ctx.ask.confirm('confirm', 'Go on?')
    return go ? 'Went on.' : 'Stopped.'
  },
  async capabilities(_args, ctx) {
    const asks = []
    if (ctx.can.form) asks.push(ctx.ask.confirm('confirm', 'Go on?'))
    if (ctx.can.sample) asks.push(ctx.ask.sample('thought', question('Think of a word')))
    return `${(await Promise.all(asks)).length} answers`
  },
}

export function addRounds(server) {
  for (const [name, handler] of Object.entries({ ...RETURNED, ...ASKED }))
    server.tool(`test_input_required_result_${name}`, { description: `Conformance: several rounds, ${name}` }, handler)

  server.tool('test_missing_capability', { description: 'Needs sampling' }, async (_args, ctx) => {
    return textOf(await ctx.ask.sample('thought', question('Think of a word')))
  })

  server.tool('test_streaming_elicitation', { description: 'Asks a person' }, async (_args, ctx) => {
    return (await ctx.ask.confirm('confirm', 'Go on?')) ? 'Went on.' : 'Stopped.'
  })
}
