import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const entry = fileURLToPath(new URL('./src/entry/', import.meta.url))

export default defineConfig({
  resolve: {
    conditions: ['rondo-source', 'node', 'import', 'module', 'default'],
    alias: [
      { find: /^rondo$/, replacement: `${entry}index.ts` },
      { find: /^rondo\/(.*)$/, replacement: `${entry}$1.ts` },
    ],
  },
  // These are given to Node too, whose `require` must not be led to modules meant for `import`.
  ssr: { resolve: { conditions: ['rondo-source', 'node'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    typecheck: { enabled: false },
    pool: 'forks',
    execArgv: ['--expose-gc'],
    testTimeout: 20_000,
  },
})
