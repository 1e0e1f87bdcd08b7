import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isRondoError } from '../errors/rondo-error.ts'
import { toolEntry, type ToolOptions } from './define-tool.ts'

const run = () => ''

function listed(options: ToolOptions, name = 'deploy'): Record<string, unknown> {
  return JSON.parse(toolEntry(name, options, run).json) as Record<string, unknown>
}

function refusal(options: unknown, name: unknown = 'deploy', handler: unknown = run): string {
  try {
    toolEntry(name as string, options as ToolOptions, handler as typeof run)
  } catch (error) {
    if (isRondoError(error, 'DEFINITION_INVALID')) return error.message
    throw error
  }
  throw new Error('taken')
}

describe('toolEntry', () => {
  it('writes the definition as it is listed', () => {
    const entry = toolEntry(
      'deploy',
      {
        title: 'Deploy',
        description: 'Deploys a service',
        icons: [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
        input: z.object({ env: z.enum(['staging', 'production']) }),
        output: z.array(z.string()),
        annotations: { destructiveHint: true, title: 'Deploy!' },
        meta: { 'com.example/team': 'red' },
      },
      run,
    )
    expect(JSON.parse(entry.json)).toEqual({
      name: 'deploy',
      title: 'Deploy',
      description: 'Deploys a service',
      icons: [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
      inputSchema: {
        type: 'object',
        properties: { env: { type: 'string', enum: ['staging', 'production'] } },
        required: ['env'],
      },
      outputSchema: { type: 'array', items: { type: 'string' } },
      annotations: { destructiveHint: true, title: 'Deploy!' },
      _meta: { 'com.example/team': 'red' },
    })
    expect(entry).toMatchObject({ kind: 'tool', name: 'deploy', visible: undefined, policy: {}, paramHeaders: [] })
    expect(entry.input?.validate({ env: 'staging' })).toEqual({ ok: true, value: { env: 'staging' } })
    expect(entry.output?.validate(['a'])).toMatchObject({ ok: true })
  })

  it('spec server/tools: a tool without parameters is listed in the recommended form', () => {
    expect(listed({})).toEqual({ name: 'deploy', inputSchema: { type: 'object', additionalProperties: false } })
  })

  it('takes a plain JSON Schema, and a type as output that is no object', () => {
    const { inputSchema, outputSchema } = listed({
      input: { type: 'object', properties: { n: { type: 'integer' } } },
      output: { type: ['number', 'null'] },
    })
    expect(inputSchema).toEqual({ type: 'object', properties: { n: { type: 'integer' } } })
    expect(outputSchema).toEqual({ type: ['number', 'null'] })
  })

  it.each(['getUser', 'DATA_EXPORT_v2', 'admin.tools.list', 'a', 'x'.repeat(128)])(
    'spec server/tools: %s is a name',
    (name) => {
      expect(listed({}, name)).toMatchObject({ name })
    },
  )

  it.each(['', ' ', 'get user', 'a,b', 'ns/tool', 'schön', 'x'.repeat(129), 'a\n', undefined, 7])(
    'spec server/tools: %j is no name',
    (name) => {
      expect(refusal({}, name === undefined ? null : name)).toContain('a tool name has 1 to 128 characters')
    },
  )

  it('names the tool, says what is wrong and what to do', () => {
    expect(refusal({ inputSchema: {} })).toBe('Tool "deploy": there is no option `inputSchema`. Use `input`.')
    expect(refusal({ descripton: 'x' })).toMatch(/^Tool "deploy": there is no option `descripton`. Known are title, /)
    expect(refusal({}, 'deploy', {})).toBe('Tool "deploy": the handler (the last argument) must be a function.')
    expect(refusal(run, 'deploy', undefined)).toMatch(/the options must be an object|handler/)
  })

  it.each<[unknown, RegExp]>([
    [{ title: 7 }, /title must be a text, not a number/],
    [{ description: null }, /description must be a text, not null/],
    [{ visible: true }, /visible must be a function/],
    [{ annotations: { readonlyHint: true } }, /annotations: there is no option `readonlyHint`/],
    [{ annotations: { readOnlyHint: 'yes' } }, /annotations.readOnlyHint must be true or false/],
    [{ annotations: { title: 1 } }, /annotations.title must be a text/],
    [{ annotations: [] }, /annotations must be an object/],
    [{ icons: [{ src: 'javascript:alert(1)' }] }, /is not an https: or data: URI/],
    [{ icons: [{ src: 'file:///etc/passwd' }] }, /is not an https: or data: URI/],
    [{ icons: [{ src: 'https://user:pw@example.com/i.png' }] }, /is not an https: or data: URI/],
    [{ icons: [{}] }, /every icon needs a src/],
    [{ icons: {} }, /icons must be an array/],
    [{ icons: [{ src: 'data:image/png;base64,AA==', sizes: '48x48' }] }, /sizes must be an array/],
    [{ icons: [{ src: 'data:image/png;base64,AA==', theme: 'blue' }] }, /theme must be/],
    [{ meta: { 'a b': 1 } }, /meta key "a b" is not allowed/],
    [{ meta: [] }, /meta must be an object/],
    [{ meta: { big: 1n } }, /cannot be written as JSON/],
    [{ version: '' }, /version must be a text that is not empty/],
    [{ ttl: { round: '1 hour' } }, /ttl.round must be a length of time above zero/],
    [{ ttl: { round: '2 h', call: '1 h' } }, /ttl.round is longer than ttl.call/],
    [{ limits: { rounds: -1 } }, /limits.rounds must be a number from 0 up/],
    [{ limits: { round: 1 } }, /limits: there is no option `round`/],
    [{ onDivergence: 'ignore' }, /onDivergence must be 'warn' or 'fail'/],
    [{ input: z.string() }, /^Tool "deploy": input: /],
    [{ input: 'object' }, /^Tool "deploy": input: /],
    [{ output: { $ref: '#/$defs/none' } }, /^Tool "deploy": output: /],
    [
      { input: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } } },
      /^Tool "deploy": input: /,
    ],
  ])('refuses %o', (options, message) => {
    expect(refusal(options)).toMatch(message)
  })

  it('keeps what calls need of the options, in milliseconds', () => {
    const entry = toolEntry(
      'deploy',
      { version: '2', ttl: { round: '10 min', call: 3_600_000 }, limits: { rounds: 3 }, onDivergence: 'fail' },
      run,
    )
    expect(entry.policy).toEqual({
      version: '2',
      ttl: { round: 600_000, call: 3_600_000 },
      limits: { rounds: 3 },
      onDivergence: 'fail',
    })
  })
})

describe('headers of a tool', () => {
  const input = z.object({
    region: z.string(),
    where: z.object({ zone: z.string() }),
    rate: z.number(),
    marked: z.string().meta({ 'x-mcp-header': 'Marked' }).optional(),
  })
  const marks = (headers?: Record<string, string>) => {
    const entry = toolEntry('deploy', { input, headers }, run)
    return { entry, schema: JSON.parse(entry.json) as { inputSchema: { properties: Record<string, object> } } }
  }

  it('spec server/tools: x-mcp-header comes from the schema, or from the headers option, nested ones too', () => {
    const { entry, schema } = marks({ region: 'Region', 'where.zone': 'Zone' })
    expect(schema.inputSchema.properties).toMatchObject({
      region: { type: 'string', 'x-mcp-header': 'Region' },
      where: { properties: { zone: { 'x-mcp-header': 'Zone' } } },
      marked: { 'x-mcp-header': 'Marked' },
    })
    expect(entry.paramHeaders).toEqual([
      { name: 'Region', path: ['region'], type: 'string' },
      { name: 'Zone', path: ['where', 'zone'], type: 'string' },
      { name: 'Marked', path: ['marked'], type: 'string' },
    ])
    expect(toolEntry('plain', { input }, run).paramHeaders).toHaveLength(1)
  })

  it.each<[Record<string, string>, string]>([
    [{ region: '' }, 'an empty name'],
    [{ region: 'Re gion' }, 'no token'],
    [{ region: 'a\r\nb' }, 'a line break'],
    [{ region: 'MARKED' }, 'twice, but for case'],
    [{ rate: 'Rate' }, 'a number that is no integer'],
    [{ where: 'Where' }, 'an object'],
  ])('spec server/tools: x-mcp-header constraints are checked at registration: %j (%s)', (headers) => {
    expect(refusal({ input, headers })).toMatch(/^Tool "deploy": /)
  })

  it('refuses a header for what is no property', () => {
    expect(refusal({ input, headers: { zone: 'Zone' } })).toBe(
      'Tool "deploy": headers.zone: the input schema has no property "zone" written out at this place.',
    )
    expect(refusal({ input, headers: { 'region.x': 'X' } })).toContain('no property "x"')
    expect(refusal({ headers: { region: 'Region' } })).toContain('no property "region"')
    expect(refusal({ input, headers: { __proto__: null, constructor: 'X' } })).toContain('no property "constructor"')
    expect(refusal({ input, headers: 'Region' })).toContain('headers must be an object')
  })
})
