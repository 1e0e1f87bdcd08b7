import { setTimeout as pause } from 'node:timers/promises'
import { fail } from 'rondo'
import { PNG, WAV } from './samples.mjs'

/** Composition, conditions, anchors: what a server must hand on as it was given. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const embedded = (uri, mimeType, text) => ({ type: 'resource', resource: { uri, mimeType, text } })

const CONTENT = {
  test_simple_text: () => 'This is a simple text response for testing.',
  test_image_content: () => ({ type: 'image', mimeType: 'image/png', data: PNG }),
  test_audio_content: () => ({ type: 'audio', mimeType: 'audio/wav', data: WAV }),
  test_embedded_resource: () =>
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  test_multiple_content_types: () => [
    { type: 'text', text: 'Multiple content types test:' },
    { type: 'image', mimeType: 'image/png', data: PNG },
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_error_handling: () => fail('This tool intentionally returns an error for testing'),
}

export function addTools(server) {
  for (const [name, handler] of Object.entries(CONTENT))
    server.tool(name, { description: `Conformance: ${name}` }, handler)

  server.tool('test_tool_with_progress', { description: 'Reports progress three times' }, async (_args, ctx) => {
    for (const done of [0, 50, 100]) {
      ctx.progress(done, 100)
      await pause(50)
    }
    return 'Done.'
  })

  server.tool('test_logging_tool', { description: 'Logs, if the request asks for it' }, (_args, ctx) => {
    ctx.log.info('Tool execution started')
    ctx.log.info('Tool execution completed')
    return 'Logged.'
  })

  const schema2020 = { description: 'Lists a schema of JSON Schema 2020-12', input: SCHEMA_2020_12 }
  server.tool('json_schema_2020_12_tool', schema2020, ({ name }) => `Hello, ${name}.`)

  server.tool(
    'test_header_parameter',
    {
      description: 'Mirrors its argument into a header',
      input: { type: 'object', properties: { region: { type: 'string' } }, required: ['region'] },
      headers: { region: 'Region' },
    },
    ({ region }) => `In ${region}.`,
  )
}
