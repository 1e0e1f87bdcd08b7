import { listen } from 'rondo/node'
import '../measure/answer-parent.mjs'
import { forecastServer } from './servers.mjs'

const { port } = await listen(forecastServer(), { port: 0 })
process.send?.({ port })
