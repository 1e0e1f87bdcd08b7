import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { beforeAll, expect, test, vi } from 'vitest'
import { ensureBuilt, root } from '../ensure-built.ts'

// A bundler takes its time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })
beforeAll(ensureBuilt, 180_000)

/** What a bundler for such a host finds below an entry, and who imports which of Node's own modules. */
async function closure(entry: string, conditions: readonly string[]): Promise<{ files: string[]; builtins: string[] }> {
  const files: string[] = []
  const builtins: string[] = []
  const record: Plugin = {
    name: 'record',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.startsWith('node:') && !isBuiltin(source)) return undefined
      builtins.push(`${source} from ${importer ?? ''}`)
      return { id: source, external: true }
    },
    moduleParsed({ id }) {
      files.push(id)
    },
  }
  await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [record],
    resolve: { conditions: [...conditions] },
    build: { write: false, minify: false, lib: { entry: join(root, 'dist', entry), formats: ['es'] } },
  })
  return { files: files.map((id) => id.replace(root, '')), builtins }
}

test.each(['index.js', 'client.js', 'fetch.js'])('%s reaches no module of Node under the workerd condition', async (entry) => {
  const { files, builtins } = await closure(entry, ['workerd', 'worker', 'import', 'default'])
  expect(files).toContain(`dist/${entry}`)
  expect(builtins).toEqual([])
})

test.each(['index.js', 'client.js', 'fetch.js'])('%s reaches no module of Node in a browser', async (entry) => {
  const { builtins } = await closure(entry, ['browser', 'import', 'default'])
  expect(builtins).toEqual([])
})

test('the same look at the entry for Node finds its modules', async () => {
  const { builtins } = await closure('node.js', ['node', 'import', 'default'])
  expect(builtins.some((found) => found.startsWith('node:http '))).toBe(true)
})

/** Heavy or optional parts that nobody should load who does not use them. */
test.each([
  ['index.js', /node_modules\/(undici|@clack|commander|eventsource-parser)\//],
  ['client.js', /node_modules\/(@clack|commander)\//],
  ['fetch.js', /node_modules\/(undici|@clack|commander|eventsource-parser)\//],
])('%s does not reach what only others need', async (entry, foreign) => {
  const { files } = await closure(entry, ['node', 'import', 'default'])
  expect(files.filter((file) => foreign.test(file))).toEqual([])
})

test('nothing is loaded for its side effects alone, as a type import may turn out to be', () => {
  const bare = readdirSync(join(root, 'dist'))
    .filter((name) => name.endsWith('.js'))
    .filter((name) => /^import ["'](?!\.)/m.test(readFileSync(join(root, 'dist', name), 'utf8')))
  expect(bare).toEqual([])
})
