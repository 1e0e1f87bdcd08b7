import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isRondoError, Server } from '../entry/index.ts'
import { rpc } from '../../test/support/rpc.ts'

const INFO = { name: 's', version: '1.0.0' }

function refused(make: () => unknown): string {
  try {
    make()
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) return error.message
    throw error
  }
  throw new Error('It was taken')
}

describe('what a server is made of', () => {
  const odd = [7, null, {}, [], true, 1n, Symbol('s')]
  it.each([
    ...['title', 'description', 'websiteUrl', 'instructions'].flatMap((name) => odd.map((value) => ({ [name]: value }))),
    ...[7, {}, [7], [{}], [{ src: 'javascript:x' }], [{ src: 'data:,', sizes: 'any' }]].map((icons) => ({ icons })),
    { websiteUrl: 'not a URL' },
  ])('spec basic/index: %o is refused, since every result would carry it', (more) => {
    expect(refused(() => new Server({ ...INFO, ...more } as never))).toMatch(/^Server: /)
  }) // prettier-ignore

  it('spec basic/index: what it says of itself is on every result', async () => {
    const said = { title: 'S', description: 'D', websiteUrl: 'https://s.example/', icons: [{ src: 'data:image/png,' }] }
    const server = new Server({ ...INFO, ...said, instructions: 'Do' })
    const { result } = await rpc(server, 'server/discover')
    expect(result).toMatchObject({
      instructions: 'Do',
      _meta: { 'io.modelcontextprotocol/serverInfo': { ...INFO, ...said } },
    })
  })
})

it('spec basic/versioning: settings of extensions that JSON cannot say are refused', () => {
  const settings = { n: 1n }
  expect(refused(() => new Server(INFO, { extensions: { 'com.example/x': settings } }))).toContain('extensions')
})

describe('what is put into a server', () => {
  const odd = [undefined, null, 7, 'x', {}, [], true]
  it.each(odd.map((value) => [value]))(
    'middleware that is %o is refused: it must not end the chain before what guards',
    (value) => {
      expect(refused(() => new Server(INFO).use(value as never))).toMatch(/^use\(\): /)
    },
  )

  it.each<[string, (server: Server) => unknown]>([
    ...odd.map((handler): [string, (server: Server) => unknown] => [
      `a method with ${inspect(handler)} for a handler`,
      (server) => server.method('acme/m', {}, handler as never),
    ]),
    ...[undefined, null, 7, 'x', []].map((options): [string, (server: Server) => unknown] => [
      `a method with ${inspect(options)} for options`,
      (server) => server.method('acme/m', options as never, () => ({})),
    ]),
    ['a method with an option nobody reads', (server) => server.method('acme/m', { input: {} } as never, () => ({}))],
    ['a method with params that are no schema', (server) => server.method('acme/m', { params: 7 } as never, () => ({}))],
    ['a method whose name is a symbol', (server) => server.method(Symbol('m') as never, {}, () => ({}))],
    ['a method whose name is a BigInt', (server) => server.method(1n as never, {}, () => ({}))],
    ...[undefined, null, 7, 'x', {}].map((list): [string, (server: Server) => unknown] => [
      `resources that are ${inspect(list)}`,
      (server) => server.resources(list as never),
    ]),
    ...[undefined, null, 7, 1n, Symbol('s')].flatMap((name): [string, (server: Server) => unknown][] => [
      [`a tool called ${String(name)}`, (server) => server.tool(name as never, {}, () => 'x')],
      [`a prompt called ${String(name)}`, (server) => server.prompt(name as never, {}, () => 'x')],
      [`a resource called ${String(name)}`, (server) => server.resource(name as never, { uri: 'a:b' }, () => 'x')],
      [`a template called ${String(name)}`, (server) => server.resourceTemplate(name as never, { uriTemplate: 'a:{b}' }, () => 'x')],
      [`a resource at ${String(name)}`, (server) => server.resource('r', { uri: name as never }, () => 'x')],
      [`a template of ${String(name)}`, (server) => server.resourceTemplate('r', { uriTemplate: name as never }, () => 'x')],
      [`a listed resource that is ${String(name)}`, (server) => server.resources([name as never])],
      [`a listed resource at ${String(name)}`, (server) => server.resources([{ uri: name as never, name: 'x' }])],
    ]),
  ])('%s is refused', (_what, put) => {
    expect(refused(() => put(new Server(INFO))).length).toBeGreaterThan(20)
  }) // prettier-ignore
})
