// A server on standard streams that writes to standard output in every way a handler might.
import { execFileSync } from 'node:child_process'
import { Server } from '../../dist/index.js'
import { serve } from '../../dist/stdio.js'

const server = new Server({ name: 'noisy', version: '1.0.0' })

server.tool('noisy', {}, async () => {
  console.log('console.log')
  console.info('console.info %s', 'formatted')
  console.table([{ a: 1 }])
  process.stdout.write('process.stdout.write\n')
  process.stdout.write(Buffer.from('bytes\n'))
  await new Promise((resolve) => process.stdout.write('with a callback\n', resolve))
  return 'quiet'
})
server.tool('slow', {}, (_input, ctx) => {
  return new Promise((resolve) => {
    ctx.signal.addEventListener('abort', () => console.error('aborted'))
    console.error('running')
    const [ms] = process.argv.slice(2)
    if (ms !== undefined) setTimeout(resolve, Number(ms), 'finished')
  })
})
server.tool('big', {}, () => 'x'.repeat(4 * 1024 * 1024))
server.tool('child', {}, () => execFileSync(process.execPath, ['-e', 'console.log(1 + 1)']).toString())

// Something a handler left open.
setInterval(() => undefined, 1000)
serve(server)
