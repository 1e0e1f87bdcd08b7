/** One side of an in-process row: a function that does one unit of work, timed in blocks as the parent asks. */
const [, , file, name] = process.argv
const { prepare } = await import(new URL(`../${file}`, import.meta.url))
const block = await prepare(name)

async function run({ milliseconds }) {
  let count = 0
  let seconds = 0
  let cpu = 0
  while (seconds * 1000 < milliseconds) {
    // What is made ready outside the clock (a web `Request` can be used once) is made by `ready`.
    const work = block.ready()
    const before = process.cpuUsage()
    const began = performance.now()
    await block.run(work)
    seconds += (performance.now() - began) / 1000
    const used = process.cpuUsage(before)
    cpu += used.user + used.system
    count += block.size
  }
  block.check()
  process.send({ count, seconds, cpu })
}

process.on('message', (message) => void run(message))
process.on('disconnect', () => process.exit())
process.send('ready')
