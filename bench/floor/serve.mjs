import { createServer } from 'node:http'

/** The bare server: reads a body, hands it over, writes what comes back. `answer` gives the text of the reply. */
export function serve(answer) {
  const server = createServer((request, response) => {
    let first
    let chunks
    request.on('data', (chunk) => {
      if (first === undefined) first = chunk
      else (chunks ??= [first]).push(chunk)
    })
    request.on('end', () => {
      const text = answer((chunks === undefined ? first : Buffer.concat(chunks)).toString())
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      response.end(text)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
}
