/** A hundred tools. With the argument `visible` each has a rule that depends on who asks. */
import { listen } from 'rondo/node'
import '../measure/answer-parent.mjs'
import { forecastServer } from './servers.mjs'

const visible = process.argv[2] === 'visible' ? ({ principal }) => principal !== 'nobody' : undefined
const { port } = await listen(forecastServer({ count: 100, visible }), { port: 0 })
process.send?.({ port })
