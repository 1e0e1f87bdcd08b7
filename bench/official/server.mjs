/** The official SDK's server, as its documentation has it. Argument: `call`, `rounds` or `list`. */
import { createServer } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  acceptedContent,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  McpServer,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import '../measure/answer-parent.mjs'
import { forecast } from '../floor/handle.mjs'

const work = process.argv[2]
const codec = createRequestStateCodec({ key: 'a key of the bench that is long enough' })

const input = z.object({
  city: z.string(),
  days: z.number().int().min(1).max(14),
  units: z.enum(['metric', 'imperial']),
})
const reason = z.object({ reason: z.string().min(3) })
const text = (value) => ({ content: [{ type: 'text', text: value }] })

function addForecasts(server, count) {
  for (let n = 0; n < count; n++) {
    const description = `Forecast number ${n} for a place, some days ahead`
    const name = n === 0 ? 'forecast' : `forecast_${n}`
    server.registerTool(name, { description, inputSchema: input }, async (args) => text(forecast(args)))
  }
}

function addDeploy(server) {
  server.registerTool('deploy', { inputSchema: z.object({ env: z.string() }) }, async ({ env }, ctx) => {
    const why = acceptedContent(ctx.mcpReq.inputResponses, 'why', reason)
    if (why !== undefined) return text(`Deployed to ${env}: ${why.reason}`)
    return inputRequired({
      inputRequests: { why: inputRequired.elicit({ message: `Why deploy to ${env}?`, requestedSchema: reason }) },
      requestState: await codec.mint({ asked: ['why'] }),
    })
  })
}

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'official', version: '1.0.0' }, { requestState: { verify: codec.verify } })
  if (work === 'rounds') addDeploy(server)
  else addForecasts(server, work === 'list' ? 100 : 1)
  return server
})
const server = createServer(toNodeHandler(handler))
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
