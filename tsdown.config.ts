import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/entry/index.ts',
    client: 'src/entry/client.ts',
    node: 'src/entry/node.ts',
    fetch: 'src/entry/fetch.ts',
    stdio: 'src/entry/stdio.ts',
    sse: 'src/entry/sse.ts',
    testing: 'src/entry/testing.ts',
    cli: 'src/entry/cli.ts',
    'crypto.node': 'src/token/crypto.node.ts',
    'crypto.web': 'src/token/crypto.web.ts',
    'context.node': 'src/replay/context.node.ts',
    'context.web': 'src/replay/context.web.ts',
    'validator.node': 'src/protocol/validator.node.ts',
    'validator.web': 'src/protocol/validator.web.ts',
    'request.node': 'src/transport/http/request.node.ts',
    'request.web': 'src/transport/http/request.web.ts',
  },
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  clean: true,
  // The host decides which of these a process loads (package.json "imports").
  external: [/^#/, /^node:/],
})
