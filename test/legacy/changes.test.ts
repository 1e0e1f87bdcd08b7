import { Server } from 'rondo'
import { fetchHandler } from 'rondo/fetch'
import { listen } from 'rondo/node'
import { expect, test } from 'vitest'
import { HttpClient } from './http-client.ts'
import { initialize, LineClient, type Message } from './line-client.ts'

function notes(): { server: Server; hide: () => void } {
  let hidden = false
  const server = new Server({ name: 'notes', version: '1' }, { log: () => undefined })
  server.resource('a', { uri: 'note://a', visible: () => !hidden }, () => 'a')
  server.resource('b', { uri: 'note://b' }, () => 'b')
  server.tool('first', {}, () => '')
  server.prompt('p', {}, () => '')
  return { server, hide: () => (hidden = true) }
}

const isNote = ({ method }: Message) => method?.startsWith('notifications/') === true

test('L8 the lists say that they change, and resources that they can be subscribed to', async () => {
  const client = new LineClient(notes().server)
  client.send(initialize('2025-03-26'))
  const { result } = await client.until(({ id }) => id === 'init')
  expect(result?.['capabilities']).toMatchObject({
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  })
  await client.close()
})

test('L8 what is registered or taken away is told, many changes at once', async () => {
  const { server } = notes()
  const client = await LineClient.connect(server, '2025-11-25')
  server.tool('second', {}, () => '')
  server.tool('third', {}, () => '').remove()
  expect(await client.until(isNote)).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  server.changed.prompts()
  server.changed.resources()
  expect((await client.until(isNote)).method).toBe('notifications/prompts/list_changed')
  expect((await client.until(isNote)).method).toBe('notifications/resources/list_changed')
  expect(client.take()).toEqual([])
  await client.close()
})

test('L8 a resource’s change is told to who subscribed to it, while it may see it, until it unsubscribes', async () => {
  const { server, hide } = notes()
  const client = await LineClient.connect(server, '2025-06-18')
  for (const uri of ['note://a', 'note://b']) await client.request('resources/subscribe', { uri })
  server.changed.resource('note://a')
  expect((await client.until(isNote)).params).toEqual({ uri: 'note://a' })
  hide()
  server.changed.resource('note://a')
  server.changed.resource('note://b')
  expect((await client.until(isNote)).params).toEqual({ uri: 'note://b' })
  await client.request('resources/unsubscribe', { uri: 'note://b' })
  server.changed.resource('note://b')
  server.changed.tools()
  expect((await client.until(isNote)).method).toBe('notifications/tools/list_changed')
  expect(client.take()).toEqual([])
  await client.close()
})

test('L8 nothing is told before the client has said that it is ready', async () => {
  const { server } = notes()
  const client = new LineClient(server)
  client.send(initialize('2025-11-25'))
  await client.until(({ id }) => id === 'init')
  server.changed.tools()
  await new Promise((resolve) => setTimeout(resolve, 60))
  client.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  await client.request('ping')
  server.changed.prompts()
  expect((await client.until(isNote)).method).toBe('notifications/prompts/list_changed')
  await client.close()
})

test('L8 over HTTP it goes out on the stream that belongs to no call, and to who comes back', async () => {
  const { server } = notes()
  const listening = await listen(server, { port: 0 })
  const client = await HttpClient.connect(listening.url)
  const stream = await client.get()
  await client.post({ jsonrpc: '2.0', id: 1, method: 'resources/subscribe', params: { uri: 'note://b' } })
  server.changed.resource('note://b')
  const told = await stream.message()
  expect(told.data).toMatchObject({ method: 'notifications/resources/updated', params: { uri: 'note://b' } })
  stream.drop()
  server.changed.tools()
  await new Promise((resolve) => setTimeout(resolve, 60))
  const back = await client.get({ 'last-event-id': told.id as string })
  expect((await back.message()).data.method).toBe('notifications/tools/list_changed')
  await client.delete()
  expect(await back.next()).toBeUndefined()
  await listening.close()
})

test('L8 where a process ends with its request nobody could be told, and nothing is promised', async () => {
  const handle = fetchHandler(notes().server, { perRequestHost: true })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify(initialize('2025-11-25'))
  const reply = await handle(new Request('https://edge.example/mcp', { method: 'POST', headers, body }))
  const { result } = (await reply.json()) as Message
  expect(result?.['capabilities']).toEqual({ tools: {}, prompts: {}, resources: {}, logging: {} })
})
