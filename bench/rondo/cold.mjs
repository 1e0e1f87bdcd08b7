/** Ten tools given as JSON Schema. */
import { Server } from 'rondo'
import { listen } from 'rondo/node'
import '../measure/answer-parent.mjs'
import { forecast, tools } from '../floor/handle.mjs'

const server = new Server(
  { name: 'bench', version: '1.0.0' },
  { state: { keys: 'a key of the bench that is long enough' } },
)
for (const { name, description, inputSchema } of tools(10))
  server.tool(name, { description, input: inputSchema }, (args) => forecast(args))

const { port } = await listen(server, { port: 0 })
process.send?.({ port })
