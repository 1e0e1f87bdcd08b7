import { afterEach, describe, expect, it } from 'vitest'
import { fetchHandler } from '../../entry/fetch.ts'
import { listen, type Listening, type ListenOptions } from '../../entry/node.ts'
import { send, sendBytes } from '../../../test/support/http.ts'

const server = { handle: () => ({ status: 200, body: '{"jsonrpc":"2.0","id":1,"result":{}}' }) }
const BODY = '{"jsonrpc":"2.0","id":1,"method":"x"}'
const open: Listening[] = []

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function start(options: ListenOptions = {}): Promise<Listening> {
  const listening = await listen(server, { port: 0, ...options })
  open.push(listening)
  return listening
}

async function status(options: ListenOptions, headers: Record<string, string>, method = 'POST', path = '/mcp') {
  const { port } = await start(options)
  const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', String(port))])
  const body = method === 'POST' ? BODY : undefined
  return send(`http://127.0.0.1:${port}${path}`, { method, headers: Object.fromEntries(filled), ...(body && { body }) })
}

describe('bound to loopback', () => {
  it.each([
    ['its own origin', { host: '127.0.0.1:PORT', origin: 'http://127.0.0.1:PORT' }, 200],
    ['its own origin by name', { host: 'localhost:PORT', origin: 'http://localhost:PORT' }, 200],
    ['another loopback origin', { origin: 'http://localhost:6274' }, 200],
    ['a loopback origin by IPv6', { origin: 'http://[::1]:5173' }, 200],
    ['no origin', {}, 200],
    ['a foreign origin', { origin: 'https://evil.example' }, 403],
    ['a rebound name', { host: 'evil.example:PORT', origin: 'http://evil.example:PORT' }, 403],
    ['a foreign host', { host: 'evil.example' }, 403],
    ['a host that looks like loopback', { host: '127.0.0.1.evil.example' }, 403],
    ['an origin that looks like loopback', { origin: 'http://localhost.evil.example' }, 403],
    ['an origin with a path', { origin: 'http://localhost:1/x' }, 403],
    ['a null origin', { origin: 'null' }, 403],
    ['two origins', { origin: 'http://localhost, http://evil.example' }, 403],
    ['a name below localhost', { host: 'app.localhost:PORT' }, 200],
    ['loopback names without ports', { host: 'localhost', origin: 'http://localhost' }, 200],
    ['IPv6 without ports', { host: '[::1]', origin: 'http://[::1]' }, 200],
    ['IPv6 with ports', { host: '[::1]:PORT', origin: 'http://[::1]:PORT' }, 200],
    ['any case', { host: 'LocalHost:PORT', origin: 'HTTP://LOCALHOST:5173' }, 200],
    ['an origin by TLS', { origin: 'https://localhost:5173' }, 200],
    ['a loopback name as the user of another', { origin: 'http://localhost@evil.example' }, 403],
    ['a user at loopback', { origin: 'http://evil@app.localhost' }, 403],
    ['a loopback name before a query', { origin: 'http://localhost?.evil.example' }, 403],
    ['a loopback name before a fragment', { origin: 'http://localhost#.evil.example' }, 403],
    ['an origin with words behind it', { origin: 'http://localhost evil' }, 403],
    ['an origin with words before it', { origin: 'evil http://localhost' }, 403],
    ['a scheme that ends as http does', { origin: 'xhttp://localhost' }, 403],
    ['another scheme', { origin: 'ftp://localhost' }, 403],
    ['a foreign name behind an address', { host: '[::1].evil.example' }, 403],
    ['a foreign name as a port', { host: 'localhost:evil.example' }, 403],
    ['two ports', { host: 'localhost:1:2' }, 403],
    ['an empty port', { host: 'localhost:' }, 200],
    ['an address of the loopback net', { host: '127.9.8.7:PORT', origin: 'http://127.255.255.255' }, 200],
    ['what only looks like an address', { host: '127.999.1.1' }, 403],
    ['an origin that only looks like an address', { origin: 'http://127.0.0.256' }, 403],
    ['an address of too few numbers', { host: '127.1' }, 403],
    ['a name under localhost of somebody else', { host: 'localhost.evil' }, 403],
    ['a name that ends in localhost', { host: 'evillocalhost' }, 403],
    ['a full name, with its dot', { host: 'localhost.:PORT', origin: 'http://localhost.:1' }, 200],
    ['a full name of somebody else', { host: 'evil.example.' }, 403],
    ['two dots', { host: 'localhost..' }, 403],
    ['a dot alone', { host: '.' }, 403],
    ['a long form of IPv6', { host: '[0:0:0:0:0:0:0:1]:PORT' }, 200],
    ['IPv4 within IPv6', { host: '[::ffff:127.0.0.1]:PORT', origin: 'http://[::ffff:7f00:1]' }, 200],
    ['another IPv4 within IPv6', { host: '[::ffff:10.0.0.1]' }, 403],
    ['another IPv6 address', { host: '[fe80::1]' }, 403],
    ['IPv6 without brackets', { host: '::1' }, 403],
    ['IPv6 with a zone', { host: '[::1%lo]' }, 403],
    ['brackets around a name', { host: '[localhost]' }, 403],
    ['a user', { host: 'evil@localhost' }, 403],
    ['a path', { host: 'localhost/x' }, 403],
    ['two hosts in one', { host: 'localhost, evil.example' }, 403],
  ])('H3 %s', async (_what, headers, expected) => {
    expect((await status({}, headers)).status).toBe(expected)
  })

  it.each([
    ['GET', '/mcp'],
    ['OPTIONS', '/mcp'],
    ['POST', '/nowhere'],
    ['GET', '/health'],
  ])('MUST-http-02 an invalid origin is refused on %s %s too', async (method, path) => {
    const reply = await status({ cors: true }, { origin: 'https://evil.example' }, method, path)
    expect(reply.status).toBe(403)
    expect(JSON.parse(reply.text)).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: expect.any(String) } })
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('H3 hosts that are named are served beside loopback', async () => {
    const options = { hosts: ['mcp.example'] }
    expect((await status(options, { host: 'mcp.example' })).status).toBe(200)
    expect((await status(options, { host: 'MCP.example:8443' })).status).toBe(200)
    expect((await status(options, { host: 'localhost:1' })).status).toBe(200)
    expect((await status(options, { host: 'other.example' })).status).toBe(403)
  })

  it.each([
    ['its own name', 'localhost:PORT', 200],
    ['an address, as load balancers use', '10.1.2.3', 200],
    ['an IPv6 address', '[fd00::1]:80', 200],
    ['a name that may be rebound', 'evil.example', 403],
    ['what only looks like an address', '1.2.3.999', 403],
    ['what only looks like an IPv6 address', '[:::]', 403],
  ])('H3 the health route is asked by %s', async (_what, host, expected) => {
    expect((await status({}, { host }, 'GET', '/health')).status).toBe(expected)
  })

  const raw = async (head: string): Promise<string> => {
    const { port } = await start()
    const text = head.replaceAll('PORT', String(port)).replaceAll('\n', '\r\n')
    return (await sendBytes(port, `${text}\r\nConnection: close\r\n\r\n`)).slice(9, 12)
  }

  it.each([
    ['GET /health HTTP/1.1\nHost: localhost\nHost: evil.example', '403'],
    ['GET /health HTTP/1.1\nHost: evil.example\nhost: localhost', '403'],
    ['GET /mcp HTTP/1.1\nHost: localhost\nHOST: localhost', '403'],
    ['GET /mcp HTTP/1.1\nHost: localhost', '405'],
    ['GET /health HTTP/1.0', '403'],
    ['GET /health HTTP/1.1', '400'],
    ['GET /health HTTP/1.1\nHost:', '403'],
    ['GET http://evil.example/mcp HTTP/1.1\nHost: localhost', '403'],
    ['GET http://localhost:PORT/mcp HTTP/1.1\nHost: evil.example', '403'],
    ['GET http://localhost:PORT/mcp HTTP/1.1\nHost: localhost:PORT', '405'],
    ['GET HTTP://LOCALHOST/mcp HTTP/1.1\nHost: localhost', '405'],
    ['GET http://localhost@evil.example/mcp HTTP/1.1\nHost: localhost', '403'],
    ['GET ftp://evil.example/mcp HTTP/1.1\nHost: localhost', '403'],
    ['OPTIONS * HTTP/1.1\nHost: localhost', '404'],
  ])('H3 one host, wherever it stands: %j is %s', async (head, expected) => {
    expect(await raw(head)).toBe(expected)
  })
})

describe('bound to every address', () => {
  const host = '0.0.0.0'

  it.each([
    ['any host', { host: 'whatever.example' }, {}, 200],
    ['its own origin by address', { host: '192.168.1.5:80', origin: 'http://192.168.1.5:80' }, {}, 200],
    ['a name that may be rebound', { host: 'evil.example', origin: 'http://evil.example' }, {}, 403],
    ['its own name', { host: 'mcp.example', origin: 'https://mcp.example' }, { hosts: ['mcp.example'] }, 200],
    ['another name', { host: 'evil.example' }, { hosts: ['mcp.example'] }, 403],
    ['loopback, which is not listed', { host: 'localhost' }, { hosts: ['mcp.example'] }, 403],
    ['a loopback origin', { host: 'mcp.example', origin: 'http://localhost:1' }, { hosts: ['mcp.example'] }, 403],
    ['a listed origin', { origin: 'https://APP.example' }, { origins: ['https://app.example:443'] }, 200],
    ['one that is not listed', { origin: 'https://app.example:444' }, { origins: ['https://app.example'] }, 403],
    ['a listed null', { origin: 'null' }, { origins: ['null'] }, 200],
    ['any origin', { origin: 'https://x.example' }, { origins: '*' as const }, 200],
    ['a port that is not the one named', { host: 'mcp.example:81' }, { hosts: ['mcp.example:80'] }, 403],
    ['the port that is named', { host: 'mcp.example:80' }, { hosts: ['mcp.example:80'] }, 200],
    ['no port where one is named', { host: 'mcp.example' }, { hosts: ['mcp.example:80'] }, 403],
    [
      'its own name in any case',
      { host: 'MCP.example', origin: 'https://mcp.EXAMPLE' },
      { hosts: ['Mcp.Example'] },
      200,
    ],
    [
      'another port of its own name',
      { host: 'a.example:1', origin: 'http://a.example' },
      { hosts: ['a.example'] },
      403,
    ],
    ['its own origin by IPv6', { host: '[fd00::1]:80', origin: 'http://[fd00::1]:80' }, {}, 200],
    ['a listed IPv6 address', { host: '[fd00::1]' }, { hosts: ['[fd00::1]'] }, 200],
    ['a listed IPv6 address with a port', { host: '[FD00::1]:81' }, { hosts: ['[fd00::1]'] }, 200],
    ['an IPv6 address beside the listed one', { host: '[fd00::2]' }, { hosts: ['[fd00::1]'] }, 403],
    ['a name that begins as an address', { host: '1.2.3.4.example', origin: 'http://1.2.3.4.example' }, {}, 403],
    ['a listed name with its dot', { host: 'mcp.example.:443' }, { hosts: ['mcp.example'] }, 200],
    ['what only looks like an address', { host: '1.2.3.256', origin: 'http://1.2.3.256' }, {}, 403],
    ['a name that ends as an address', { host: 'x1.2.3.4', origin: 'http://x1.2.3.4' }, {}, 403],
  ])('H3 %s', async (_what, headers, options, expected) => {
    expect((await status({ host, ...options }, headers)).status).toBe(expected)
  })

  it('H3 origins may be decided by a function, and one that throws lets nobody in', async () => {
    const origins = (origin: string) => {
      if (origin.endsWith('.bad')) throw new Error('no')
      return origin.endsWith('.example')
    }
    expect((await status({ host, origins }, { origin: 'https://a.example' })).status).toBe(200)
    expect((await status({ host, origins }, { origin: 'https://a.test' })).status).toBe(403)
    expect((await status({ host, origins }, { origin: 'https://a.bad' })).status).toBe(500)
  })
})

it('H3 refusals are logged with what was asked for', async () => {
  const events: object[] = []
  await status({ log: (event) => events.push(event) }, { origin: 'https://evil.example' })
  expect(events).toMatchObject([
    { code: 'http-forbidden', data: { origin: 'https://evil.example', peer: '127.0.0.1' } },
  ])
})

it('H3 listen() binds loopback unless told otherwise', async () => {
  expect((await start()).server.address()).toMatchObject({ address: '127.0.0.1' })
})

describe('CORS', () => {
  const origins = ['https://app.example']
  const origin = 'https://app.example'

  it('H3 is off by default', async () => {
    const reply = await status({ origins }, { origin })
    expect(reply.status).toBe(200)
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await status({ origins }, { origin }, 'OPTIONS')).status).toBe(405)
  })

  it('H3 lets pages of a listed origin read replies', async () => {
    const { headers } = await status({ origins, cors: true }, { origin })
    expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
    expect(headers['access-control-expose-headers']).toContain('www-authenticate')
  })

  it('H3 a page may read refusals too', async () => {
    const reply = await status({ origins, cors: true, principal: () => undefined }, { origin })
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([401, origin])
    const other = await status({ origins, cors: true, maxBodyBytes: 3 }, { origin })
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([413, origin])
  })

  it('H3 the preflight allows the headers of the protocol, parameters included, and no others', async () => {
    const asked = 'Content-Type, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Param-Region, X-Other, mcp-param-a b'
    const reply = await status(
      { origins, cors: { allowHeaders: ['X-Api-Key'], maxAge: 5, credentials: true } },
      {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': `${asked}, x-api-key`,
        'access-control-request-private-network': 'true',
      },
      'OPTIONS',
    )
    expect(reply.status).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers':
        'content-type, mcp-protocol-version, mcp-method, mcp-name, mcp-param-region, x-api-key',
      'access-control-max-age': '5',
      'access-control-allow-credentials': 'true',
      'access-control-allow-private-network': 'true',
    })
  })

  it('H3 without an Origin nothing is said', async () => {
    const { headers } = await status({ origins, cors: true }, {})
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a fetch handler', () => {
  const ask = (url: string, headers: Record<string, string>, options = {}) =>
    fetchHandler(
      server,
      options,
    )(new Request(url, { method: 'POST', body: BODY, headers: { 'content-type': 'application/json', ...headers } }))

  it.each([
    ['its own origin, by TLS', 'https://mcp.example/mcp', { origin: 'https://mcp.example' }, {}, 200],
    ['its own name without TLS', 'http://mcp.example/mcp', { origin: 'http://mcp.example' }, {}, 403],
    ['its own name, listed', 'http://mcp.example/', { origin: 'http://mcp.example' }, { hosts: ['mcp.example'] }, 200],
    ['loopback to loopback', 'http://localhost:3000/mcp', { origin: 'http://127.0.0.1:5173' }, {}, 200],
    ['a foreign origin', 'https://mcp.example/mcp', { origin: 'https://evil.example' }, {}, 403],
    ['a foreign host', 'https://evil.example/mcp', {}, { hosts: ['mcp.example'] }, 403],
  ])('H3 %s', async (_what, url, headers, options, expected) => {
    expect((await ask(url, headers, options)).status).toBe(expected)
  })
})
