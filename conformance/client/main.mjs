/** The client that the official suite starts: scenario and context by environment, the server's URL as last argument. */
import { connect } from 'rondo/client'
import { scenarios } from './scenarios.mjs'

const name = process.env.MCP_CONFORMANCE_SCENARIO
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const scenario = scenarios[name]
if (scenario === undefined) throw new Error(`This client has nothing to do in scenario ${name}`)

const client = await connect(process.argv.at(-1), scenario.options)
try {
  await scenario.run(client, context)
} finally {
  await client.close()
}
