import { parseArgs } from 'node:util'
import { listen } from 'rondo/node'
import { releaseServer } from './release-server.ts'

const { values } = parseArgs({
  options: { root: { type: 'string', default: '.' }, port: { type: 'string', default: '3920' } },
})
const { url } = await listen(releaseServer({ root: values.root }), { port: Number(values.port) })
console.log(`The release desk listens at ${url}`)
