import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { connect } from 'rondo/client'
import { command } from 'rondo/stdio'
import { encodeNotification } from '../../src/jsonrpc/encode.ts'
import { answer, asking, httpServer, scripted, text } from './scripted-server.ts'
import { virtualHost } from './virtual-host.ts'

const program = fileURLToPath(new URL('programs/server.mjs', import.meta.url))
const bug = new Error('a bug of the caller')
const strangers: unknown[] = []
const note = (reason: unknown): void => void strangers.push(reason)

/** How a listener can fail. */
const FAILING: [string, () => never][] = [
  [
    'throws',
    () => {
      throw bug
    },
  ],
  ['is rejected', () => Promise.reject(bug) as never],
  [
    'gives a thenable that is rejected',
    () => ({ then: (_: unknown, fail: (error: unknown) => void) => fail(bug) }) as never,
  ],
]

// What is rejected and not handled ends a process of Node's.
beforeEach(() => process.on('unhandledRejection', note).on('uncaughtException', note) && undefined)
afterEach(async () => {
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note).off('uncaughtException', note)
  expect(strangers.splice(0)).toEqual([])
})

describe.each(FAILING)('a listener that %s', (_what, fail) => {
  test('onProgress and onLog end their own request with it', async () => {
    const server = scripted(({ params }, exchange) => {
      const { progressToken } = params._meta
      if (progressToken !== undefined)
        exchange.notify?.(encodeNotification('notifications/progress', { progressToken, progress: 1 }))
      exchange.notify?.(encodeNotification('notifications/message', { level: 'info', data: 'x' }))
      return params['name'] === 'stays' ? new Promise(() => undefined) : text('ok')
    })
    const client = await connect(server)
    for (const listener of ['onProgress', 'onLog']) {
      await expect(client.callTool('stays', {}, { [listener]: fail })).rejects.toBe(bug)
    }
    expect((await client.callTool('t')).content).toHaveLength(1)
  })

  test('onWait ends its call with it', async () => {
    const host = virtualHost()
    const waiting = scripted(() => asking(undefined, 'later'))
    const call = (await connect(waiting, { host })).callTool('t', {}, { onWait: fail }).catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    host.next()
    expect(await call).toBe(bug)
    const silent = scripted(() => new Promise(() => undefined))
    const slow = (await connect(silent, { host })).callTool('t', {}, { onWait: fail }).catch((error: unknown) => error)
    await new Promise((resolve) => setImmediate(resolve))
    host.next()
    expect(await slow).toBe(bug)
  })

  test('log fails nothing', async () => {
    const tools = [{ name: 'a', inputSchema: { properties: { x: { type: 'string', 'x-mcp-header': '' } } } }]
    const server = await httpServer((request, response) => answer(request, response, { tools }))
    const client = await connect(server.url, { lazy: true, log: fail })
    expect((await client.listTools()).tools).toEqual([])
    await client.close()
    await server.close()
  })

  test('stderr of a program fails nothing', async () => {
    const lines: string[] = []
    const stderr = (line: string): never => {
      lines.push(line)
      return fail()
    }
    await using client = await connect(command(process.execPath, [program, 'plain'], { stderr }))
    expect((await client.callTool('t')).content).toHaveLength(1)
    expect(lines).toEqual(['started plain'])
  })

  test('headers end their own request', async () => {
    const server = await httpServer((request, response) => answer(request, response, text('ok')))
    const client = await connect(server.url, { lazy: true, headers: fail })
    await expect(client.callTool('t')).rejects.toSatisfy(
      (error) => error === bug || String(error).includes('"headers"'),
    )
    expect(server.seen).toHaveLength(0)
    await client.close()
    await server.close()
  })
})
