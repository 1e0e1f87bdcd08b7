import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureBuilt, root } from '../ensure-built.ts'
import { PackedProject } from './packed-project.ts'

let project: PackedProject

beforeAll(async () => {
  await ensureBuilt()
  project = new PackedProject()
}, 300_000)

afterAll(() => project?.remove())

const MOST_PACKAGES = 20
const MOST_BYTES = 8_000_000

// The compiler and npm take their time on a busy machine.
describe('the packed tarball in an empty project', { timeout: 180_000 }, () => {
  test(`brings at most ${MOST_PACKAGES} packages`, () => {
    expect([...project.packages.keys()].length).toBeLessThanOrEqual(MOST_PACKAGES)
  })

  test(`takes at most ${MOST_BYTES / 1e6} MB`, () => {
    expect(project.size).toBeLessThanOrEqual(MOST_BYTES)
  })

  test('runs no install scripts', () => {
    const scripted = [...project.packages].filter(([, { hasInstallScript }]) => hasInstallScript === true)
    expect(scripted.map(([place]) => place)).toEqual([])
  })

  test('holds what is needed and no more', () => {
    expect(project.files).toContain('README.md')
    expect(project.files).toContain('LICENSE')
    // README's links lead there.
    expect(project.files).toContain('docs/README.md')
    expect(project.files.filter((path) => !/^(dist\/|docs\/[\w-]+\.md$|(README|CHANGELOG)\.md$|LICENSE$|package\.json$)/.test(path))).toEqual([])
    expect(project.files.filter((path) => /\.test\b|\.tsbuildinfo$/.test(path))).toEqual([])
  })

  test('gives every subpath of its exports', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, unknown> }
    const names = Object.keys(exports)
      .filter((path) => path !== './package.json')
      .map((path) => `rondo${path.slice(1)}`)
    const source = names.map((name) => `console.log('${name}', Object.keys(await import('${name}')).length > 0)`)
    expect(project.run(source.join('\n')).trim().split('\n')).toEqual(names.map((name) => `${name} true`))
  })

  test('serves a call that asks, over HTTP', () => {
    const said = project.run(`
      import { Server } from 'rondo'
      import { connect } from 'rondo/client'
      import { listen } from 'rondo/node'
      const server = new Server({ name: 'packed', version: '1.0.0' })
      const input = { type: 'object', properties: { env: { type: 'string' } }, required: ['env'] }
      server.tool('deploy', { input }, async ({ env }, ctx) =>
        (await ctx.ask.confirm('go', \`Deploy to \${env}?\`)) ? 'Deployed.' : 'Not deployed.')
      const listening = await listen(server, { port: 0 })
      const client = await connect(listening.url, { onElicit: ({ fill }) => ({ action: 'accept', content: fill({ value: true }) }) })
      console.log((await client.callTool('deploy', { env: 'staging' })).content[0].text)
      await client.close()
      await listening.close()
    `)
    expect(said).toBe('Deployed.\n')
  })

  test('serves a call that asks, under the workerd condition', () => {
    const said = project.run(
      `
      import { Server } from 'rondo'
      import { fetchHandler } from 'rondo/fetch'
      const keys = 'a key of the test that is long enough to be one'
      const server = new Server({ name: 'packed', version: '1.0.0' }, { state: { keys } })
      const input = { type: 'object', properties: { env: { type: 'string' } }, required: ['env'] }
      server.tool('deploy', { input }, async ({ env }, ctx) =>
        (await ctx.ask.confirm('go', \`Deploy to \${env}?\`)) ? 'Deployed.' : 'Not deployed.')
      const handle = fetchHandler(server)
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      }
      async function round(more) {
        const params = { name: 'deploy', arguments: { env: 'staging' }, ...more, _meta: meta }
        const response = await handle(new Request('http://worker.example/mcp', {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'deploy',
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        }))
        return (await response.json()).result
      }
      const { requestState } = await round({})
      const inputResponses = { go: { action: 'accept', content: { value: true } } }
      console.log((await round({ requestState, inputResponses })).content[0].text)
    `,
      ['--conditions=workerd'],
    )
    expect(said).toBe('Deployed.\n')
  })

  test('has types for every subpath', () => {
    project.write(
      'main.ts',
      `
      import { Server, type Context } from 'rondo'
      import { connect } from 'rondo/client'
      import { fetchHandler } from 'rondo/fetch'
      import { listen } from 'rondo/node'
      import { sseHandler } from 'rondo/sse'
      import { serve } from 'rondo/stdio'
      import * as testing from 'rondo/testing'
      const server = new Server({ name: 'typed', version: '1.0.0' })
      server.tool('t', {}, async (_args, ctx: Context) => ((await ctx.ask.confirm('go', 'Go?')) ? 'yes' : 'no'))
      void [connect, fetchHandler, listen, sseHandler, serve, testing]
    `,
    )
    const options = { target: 'ES2022', module: 'NodeNext', strict: true, noEmit: true, types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')], lib: ['ES2023', 'DOM', 'ESNext.Disposable'], skipLibCheck: false }
    project.write('tsconfig.json', JSON.stringify({ compilerOptions: options, files: ['main.ts'] }))
    const tsc = join(root, 'node_modules', 'typescript', 'lib', 'tsc.js')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.folder], { encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  test('makes a key on the command line', () => {
    expect(project.command(['keygen']).trim().length).toBeGreaterThanOrEqual(32)
  })
})
