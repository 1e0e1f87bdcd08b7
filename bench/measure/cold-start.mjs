import { connect } from 'node:net'
import { forecastBody, httpRequest } from './scenarios.mjs'
import { median, spread } from './statistics.mjs'
import { startServer } from './under-load.mjs'

/** Milliseconds from starting a process until it listens, and until its first `tools/call` is answered. */
async function once(command) {
  const began = performance.now()
  const { child, port } = await startServer(command)
  const listening = performance.now() - began
  try {
    await new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => {
        socket.write(httpRequest(port, 'tools/call', 'forecast', forecastBody(1)))
      })
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        socket.destroy()
        if (chunk.includes('mostly dry')) resolve()
        else reject(new Error(chunk.toString()))
      })
    })
    return { listening, answered: performance.now() - began, cpu: await child.cpu() }
  } finally {
    child.stop()
  }
}

/** What a start takes over that of the bare server, in milliseconds. */
export async function coldStart({ floor, ours, pairs }) {
  await once(floor)
  await once(ours)
  const over = []
  const listening = []
  const bare = []
  const cpu = { floor: [], ours: [] }
  for (let n = 0; n < pairs * 2; n++) {
    const got = {}
    for (const side of n % 2 === 0 ? ['floor', 'ours'] : ['ours', 'floor']) {
      got[side] = await once(side === 'floor' ? floor : ours)
      cpu[side].push(got[side].cpu)
    }
    over.push(got.ours.answered - got.floor.answered)
    listening.push(got.ours.listening - got.floor.listening)
    bare.push(got.floor.answered)
  }
  return {
    value: median(over),
    spread: spread(over),
    listening: median(listening),
    bare: median(bare),
    cpu: { ours: median(cpu.ours), floor: median(cpu.floor) },
  }
}
