// A server of ours that asks in every way; started as a program it serves its standard streams.
import { fileURLToPath } from 'node:url'
import { Server } from '../../../dist/index.js'
import { serve } from '../../../dist/stdio.js'

export function makeServer() {
  const server = new Server(
    { name: 'real', version: '1.0.0', title: 'Real' },
    { state: { keys: 'a key that is long enough for everybody' } },
  )
  server.tool(
    'order',
    { input: { type: 'object', properties: { what: { type: 'string' } } } },
    async ({ what }, ctx) => {
      const many = await ctx.ask.form('many', {
        message: `How many ${what}?`,
        schema: {
          type: 'object',
          properties: { count: { type: 'integer', minimum: 1, default: 2 }, gift: { type: 'boolean', default: true } },
          required: ['count'],
        },
      })
      if (many.action !== 'accept') return `No ${what}.`
      const [pay, hint, { roots }] = await Promise.all([
        ctx.ask.url('pay', { message: 'Pay here', url: 'https://pay.example/' }),
        ctx.ask.sample('hint', { messages: [{ role: 'user', content: { type: 'text', text: '?' } }], maxTokens: 5 }),
        ctx.ask.roots('where'),
      ])
      const order = await ctx.step('order', () => ({ number: 42 }))
      const go = await ctx.ask.confirm('go', `Order ${order.number}?`)
      return JSON.stringify({ ...many.content, pay: pay.action, hint: hint.content.text, root: roots[0].uri, go })
    },
  )
  server.tool('twice', {}, async (_, ctx) => {
    const answers = []
    for (let i = 0; i < 20; i++) answers.push(await ctx.ask.confirm('again', `Again ${i}?`))
    return answers.filter(Boolean).length.toString()
  })
  server.tool('report', {}, async (_, ctx) => {
    ctx.progress(1, 2, 'half')
    ctx.log.info({ at: 'half' })
    ctx.progress(2, 2)
    return 'reported'
  })
  server.tool(
    'mirrored',
    { input: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } } },
    ({ region }) => region,
  )
  server.tool('hang', {}, (_, ctx) => {
    ctx.progress(1)
    ctx.signal.addEventListener('abort', () => process.emit('rondo-test-cancelled'))
    return new Promise(() => undefined)
  })
  server.tool('cancelled', {}, () => String(cancelled))
  server.prompt('greet', {}, async (_, ctx) => ((await ctx.ask.confirm('polite', 'Politely?')) ? 'Good day' : 'Hi'))
  server.resource('note', { uri: 'note://today' }, async (_, ctx) =>
    (await ctx.ask.confirm('really', 'Really?')) ? 'Yes' : 'No',
  )
  return server
}

let cancelled = 0
process.on('rondo-test-cancelled', () => cancelled++)

if (process.argv[1] === fileURLToPath(import.meta.url)) serve(makeServer())
