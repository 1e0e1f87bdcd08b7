import { listen } from 'rondo/node'
import '../measure/answer-parent.mjs'
import { deployServer } from './servers.mjs'

const { port } = await listen(deployServer(), { port: 0 })
process.send?.({ port })
