/** The first example of the `node:http` documentation: what the bare server must keep up with. */
import { createServer } from 'node:http'
import '../measure/answer-parent.mjs'

const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ data: 'hello' }))
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
