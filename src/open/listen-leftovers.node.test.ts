import { expect, it } from 'vitest'
import { listen } from '../entry/node.ts'
import { begin, HandClock, HeldServer } from '../../test/support/http.ts'

// In a file of its own: what other tests leave running for a moment would hide what is left here.
it('H5 leaves no timer and no handle behind', async () => {
  const before = process.getActiveResourcesInfo().sort()
  const server = new HeldServer()
  const clock = new HandClock()
  const listening = await listen(server, { port: 0, clock })
  const { response } = begin(listening.url, { body: '{}' })
  const call = await server.next()
  const closed = listening.close()
  call.answer('{"jsonrpc":"2.0","id":1,"result":{}}')
  const { socket } = await response
  const gone = new Promise((resolve) => socket.on('close', resolve))
  await (await response).resume().toArray()
  await Promise.all([closed, gone])
  await new Promise((resolve) => setImmediate(resolve))
  expect(clock.running).toBe(0)
  expect(process.getActiveResourcesInfo().sort()).toEqual(before)
})
