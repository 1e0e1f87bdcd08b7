import { Server } from 'rondo'
import * as z from 'zod'
import { forecast } from '../floor/handle.mjs'

/** The limiter stays in, with a limit that the load generator does not reach. */
const OPTIONS = {
  pageSize: 1000,
  rateLimit: { perSecond: 1e6 },
  state: { keys: 'a key of the bench that is long enough' },
}

const input = z.object({
  city: z.string(),
  days: z.number().int().min(1).max(14),
  units: z.enum(['metric', 'imperial']),
})

/** So many forecast tools, with zod schemas and async handlers, as an author writes them. */
export function forecastServer({ count = 1, visible } = {}) {
  const server = new Server({ name: 'bench', version: '1.0.0' }, OPTIONS)
  for (let n = 0; n < count; n++) {
    const description = `Forecast number ${n} for a place, some days ahead`
    server.tool(n === 0 ? 'forecast' : `forecast_${n}`, { description, input, visible }, async (args) => forecast(args))
  }
  return server
}

const reason = z.object({ reason: z.string().min(3) })

/** A tool that asks why before it works. */
export function deployServer() {
  const server = new Server({ name: 'bench', version: '1.0.0' }, OPTIONS)
  server.tool('deploy', { input: z.object({ env: z.string() }) }, async ({ env }, ctx) => {
    const why = await ctx.ask.form('why', {
      message: `Why deploy to ${env}?`,
      schema: reason,
    })
    return why.action === 'accept' ? `Deployed to ${env}: ${why.content.reason}` : 'Not deployed.'
  })
  return server
}
