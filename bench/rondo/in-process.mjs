import { fetchHandler } from 'rondo/fetch'
import { fetchBlock, textBlock } from '../floor/in-process.mjs'
import { forecastServer } from './servers.mjs'

export function prepare(name) {
  const server = forecastServer()
  if (name === 'fetch') return fetchBlock(fetchHandler(server))
  const exchange = {}
  return textBlock((text) => {
    const reply = server.handle(text, exchange)
    return 'then' in reply ? reply.then(({ body }) => body) : reply.body
  })
}
