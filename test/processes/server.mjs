/**
 * One of several processes that share a key and nothing else. Effects are appended as lines to the file EFFECTS, so that
 * a test sees what really ran, wherever it ran.
 */
import { appendFileSync, rmSync } from 'node:fs'
import { Server, ToolError } from 'rondo'
import { listen } from 'rondo/node'

const { EFFECTS, VICTIM } = process.env
const effect = (line) => appendFileSync(EFFECTS, `${line}\n`)

const server = new Server({ name: 'processes', version: '1.0.0' })

const schema = (name, property) => ({ type: 'object', properties: { [name]: property }, required: [name] })
const reason = schema('reason', { type: 'string', minLength: 10 })
const word = (answer) => (answer.action === 'accept' ? answer.content : answer.action)

const env = { type: 'object', properties: { env: { type: 'string' } }, required: ['env'] }
server.tool('deploy', { input: env }, async (args, ctx) => {
  const why = await ctx.ask.form('why', { message: `Why deploy to ${args.env}?`, schema: reason })
  if (why.action !== 'accept') return 'Not deployed.'
  const build = await ctx.step('build', () => {
    effect(`build ${args.env}`)
    return { id: 'b1' }
  })
  const go = await ctx.ask.confirm('go', `Build ${build.id} is ready. Release it?`)
  if (!go) return `Not released, because ${why.content.reason}`
  await ctx.step('release', () => effect(`release ${build.id}`))
  return `Released ${build.id}, because ${why.content.reason}`
})

server.tool('loop', {}, async (_args, ctx) => {
  let sum = 0
  for (let n = 1; n <= 20; n++) {
    const answer = await ctx.ask.number('item', `Number ${n} of 20?`, { orEnd: 'Stopped.' })
    sum += answer
  }
  return `sum ${sum}`
})

server.tool('parallel', {}, async (_args, ctx) => {
  const [left, right] = await Promise.all([ctx.ask.text('left', 'Left?'), ctx.ask.text('right', 'Right?')])
  return `${word(left)} and ${word(right)}`
})

server.tool('race', {}, async (_args, ctx) => {
  const named = async (name) => `${name}: ${word(await ctx.ask.text(name, `Will ${name} answer?`))}`
  const winner = await Promise.race([named('ann'), named('bob')])
  const go = await ctx.ask.confirm('go', `Take ${winner}?`)
  return `${winner}, ${go}`
})

server.tool('step_between', {}, async (_args, ctx) => {
  const first = await ctx.ask.text('first', 'First?')
  const id = await ctx.step('charge', () => {
    effect('charge')
    return Math.random()
  })
  const second = await ctx.ask.text('second', `Charged as ${id}. Second?`)
  const again = await ctx.ask.text('third', `Still ${id}?`)
  return `${word(first)}, ${word(second)}, ${word(again)}`
})

server.tool('step_throws', {}, async (_args, ctx) => {
  const card = await ctx.ask.text('card', 'Which card?')
  try {
    await ctx.step('charge', () => {
      effect(`charge ${word(card)}`)
      throw new Error('Card refused')
    })
    return 'Charged.'
  } catch (error) {
    const other = await ctx.ask.text('other', `${error.message}. Another card?`)
    await ctx.step('charge other', () => effect(`charge ${word(other)}`))
    return `${error.message}, then charged ${word(other)}`
  }
})

async function pay(ctx) {
  const card = await ctx.ask.text('card', 'Which card?')
  return ctx.step('charge', () => word(card))
}
server.tool('helper', {}, async (_args, ctx) => {
  const name = await ctx.ask.text('card', 'Name on the card?')
  return `${word(name)} paid with ${await pay(ctx.scope('payment'))}`
})

server.tool('three', {}, async (_args, ctx) => {
  const answers = await Promise.all(['a', 'b', 'c'].map((key) => ctx.ask.text(key, `${key}?`)))
  return answers.map(word).join(' ')
})

server.tool('strict', {}, async (_args, ctx) => {
  const why = await ctx.ask.form('why', { message: 'Why?', schema: reason })
  return `because ${word(why).reason}`
})

server.tool('throws', {}, async (_args, ctx) => {
  const name = await ctx.ask.text('name', 'Name?')
  throw new ToolError(`No ${word(name)} here`)
})

server.tool('rm_after_catch', {}, async (_args, ctx) => {
  try {
    await ctx.ask.confirm('sure', 'Delete it?')
  } catch {
    // A handler that means well: whatever happened, go on.
  }
  rmSync(VICTIM, { force: true })
  return 'Deleted.'
})

server.tool('rm_if_yes', {}, async (_args, ctx) => {
  if (!(await ctx.ask.confirm('sure', 'Delete it?'))) return 'Kept.'
  rmSync(VICTIM, { force: true })
  return 'Deleted.'
})

server.prompt('letter', {}, async (_args, ctx) => {
  const to = await ctx.ask.text('to', 'To whom?')
  const from = await ctx.ask.text('from', 'From whom?')
  return `A letter to ${word(to)} from ${word(from)}`
})

server.resource('diary', { uri: 'diary://today' }, async (_uri, ctx) => {
  const word1 = await ctx.ask.text('password', 'Password?')
  const word2 = await ctx.ask.text('again', 'Again?')
  return `Opened with ${word(word1)} ${word(word2)}`
})

server.resourceTemplate('diaries', { uriTemplate: 'diary://of/{day}' }, async ({ day }, ctx) => {
  const word1 = await ctx.ask.text('password', `Password of ${day}?`)
  const word2 = await ctx.ask.text('again', 'Again?')
  return `${day} opened with ${word(word1)} ${word(word2)}`
})

const { port } = await listen(server, { port: 0 })
process.send?.({ port })
