/** The work of a server with nothing around it: parse, switch on the method, stringify. Everything is measured against this. */

export const META = { 'io.modelcontextprotocol/serverInfo': { name: 'floor', version: '1.0.0' } }

export function forecast({ city, days, units }) {
  return `${city}: ${days} days, ${units}, mostly dry.`
}

const schema = (n) => ({
  type: 'object',
  properties: {
    city: { type: 'string', description: `Where to look, variant ${n}` },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    units: { type: 'string', enum: ['metric', 'imperial'] },
  },
  required: ['city', 'days', 'units'],
})

/** Tools as a list answers them: name, description, and a schema of three properties. */
export const tools = (count) =>
  Array.from({ length: count }, (_, n) => ({
    name: n === 0 ? 'forecast' : `forecast_${n}`,
    description: `Forecast number ${n} for a place, some days ahead`,
    inputSchema: schema(n),
  }))

export function resultOf(request, list) {
  switch (request.method) {
    case 'tools/call':
      return {
        resultType: 'complete',
        content: [{ type: 'text', text: forecast(request.params.arguments) }],
        _meta: META,
      }
    case 'tools/list':
      return { resultType: 'complete', tools: list, ttlMs: 0, cacheScope: 'private', _meta: META }
    case 'server/discover':
      return {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        ttlMs: 0,
        cacheScope: 'private',
        _meta: META,
      }
    default:
      return undefined
  }
}

const LIST = tools(1)

/** String to string, in process. */
export function handle(text, list = LIST) {
  const request = JSON.parse(text)
  const result = resultOf(request, list)
  if (result !== undefined) return JSON.stringify({ jsonrpc: '2.0', id: request.id, result })
  const error = { code: -32601, message: `Unknown method ${request.method}` }
  return JSON.stringify({ jsonrpc: '2.0', id: request.id, error })
}
