// A process with a client in it, that ends in the way it is told to: `parent.mjs <how> <mode>`. Prints its child's pid.
import { fileURLToPath } from 'node:url'
import { connect } from '../../../dist/client.js'
import { command } from '../../../dist/stdio.js'

const [how, mode] = process.argv.slice(2)
const program = fileURLToPath(new URL('server.mjs', import.meta.url))
const client = await connect(command(process.execPath, [program, mode], { stderr: 'ignore' }))
const { content } = await client.callTool('pid')
process.stdout.write(`${content[0].text}\n`, () => {
  if (how === 'exit') process.exit(0)
  if (how === 'throw') throw new Error('boom')
  // Without this a client alone keeps nothing from ending.
  if (how === 'signal') setInterval(() => undefined, 1000)
})
