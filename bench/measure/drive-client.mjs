/** Runs a client's calls as the parent asks: so many in flight, for so long. `connect` gives `{ callTool }`. */
export async function driveClient(connect) {
  const client = await connect(new URL(process.argv.at(-1)))
  const run = async ({ concurrency, milliseconds }) => {
    let count = 0
    const before = process.cpuUsage()
    const began = performance.now()
    const until = began + milliseconds
    const worker = async () => {
      while (performance.now() < until) {
        const result = await client.callTool('forecast', { city: 'Lima', days: 1 + (count % 14), units: 'metric' })
        if (result.content[0].text.length < 10) throw new Error('wrong reply')
        count++
      }
    }
    await Promise.all(Array.from({ length: concurrency }, worker))
    const used = process.cpuUsage(before)
    process.send({ count, seconds: (performance.now() - began) / 1000, cpu: used.user + used.system })
  }
  process.on('message', (message) => void run(message))
  process.on('disconnect', () => process.exit())
  process.send('ready')
}
