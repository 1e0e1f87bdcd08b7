/** Lets the process that started this one ask what it has used so far. A no-op when nobody did. */
process.on('message', (question) => {
  if (question === 'cpu') process.send({ cpu: process.cpuUsage() })
  if (question === 'heap') {
    // Twice: the first collection runs finalizers, whose own garbage the second takes.
    globalThis.gc()
    setTimeout(() => {
      globalThis.gc()
      const { heapUsed, external } = process.memoryUsage()
      process.send({ heap: heapUsed + external })
    }, 200)
  }
})
process.on('disconnect', () => process.exit())
