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
  ssr: { resolve: { conditions: ['rondo-source', 'node', 'import', 'module', 'default'] } },
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'],
    typecheck: { enabled: false },
    pool: 'forks',
    execArgv: ['--expose-gc'],
    testTimeout: 20_000,
  },
})
