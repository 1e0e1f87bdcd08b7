/** By the suite's name: options of `connect`, and what is then done. */
export const scenarios = {
  tools_call: {
    async run(client) {
      await client.listTools()
      await client.callTool('add_numbers', { a: 5, b: 3 })
    },
  },

  'request-metadata': {
    options: {
      onElicit: () => ({ action: 'decline' }),
      onUrl: () => ({ action: 'decline' }),
      onSample: () => ({ role: 'assistant', content: { type: 'text', text: 'ok' }, model: 'none' }),
      onRoots: () => [],
    },
    async run(client) {
      await client.listTools()
    },
  },

  'sep-2322-client-request-state': {
    options: { onElicit: () => ({ action: 'accept', content: { confirmed: true } }) },
    async run(client) {
      await client.listTools()
      for (const name of ['echo_state', 'no_state', 'unrelated', 'no_result_type'])
        await client.callTool(`test_mrtr_${name}`)
    },
  },

  'http-standard-headers': {
    async run(client) {
      await client.listTools()
      await client.callTool('test_headers')
      await client.callTool('my-hyphenated-tool')
      await client.listResources()
      await client.readResource('file:///path/to/file%20name.txt')
      await client.readResource('https://example.com/resource?id=123')
      await client.listPrompts()
      await client.getPrompt('test_prompt')
    },
  },

  'http-custom-headers': {
    async run(client, { toolCalls }) {
      await client.listTools()
      for (const { name, arguments: args } of toolCalls) await client.callTool(name, args)
    },
  },

  'http-invalid-tool-headers': {
    async run(client) {
      for (const { name, inputSchema } of await client.tools().all()) {
        const args = Object.fromEntries(Object.keys(inputSchema.properties ?? {}).map((key) => [key, 'value']))
        await client.callTool(name, args)
      }
    },
  },

  'json-schema-ref-no-deref': {
    async run(client) {
      await client.listTools()
    },
  },

  'json-schema-2020-12-preservation': {
    async run(client) {
      const tool = (await client.tools().all()).find(({ name }) => name === 'json_schema_2020_12_tool')
      await client.callTool('json_schema_echo', { schema: tool.inputSchema })
    },
  },
}
