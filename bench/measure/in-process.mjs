/** One side of an in-process row: a function that does one unit of work, timed in blocks as the parent asks. */
const [, , file, name] = process.argv
const { prepare } = await import(new URL(`../${file}`, import.meta.url))
const block = await prepare(name)

async function run({ milliseconds }) {
  let count = 0
  let seconds = 0
  const before = process.cpuUsage()
  while (seconds * 1000 < milliseconds) {
    // What is made ready outside the clock (a web `Request` can be used once) is made by `ready`.
    const work = block.ready()
    const began = performance.now()
    await block.run(work)
    seconds += (performance.now() - began) / 1000
    count += block.size
  }
  const used = process.cpuUsage(before)
  block.check()
  // Preparation is not the work's, so the time of the blocks stands for their CPU.
  process.send({ count, seconds, cpu: seconds * 1e6, whole: used.user + used.system })
}

process.on('message', (message) => void run(message))
process.on('disconnect', () => process.exit())
process.send('ready')
