/** What the load generator sends, and what it does with a reply. Requests are prepared; each has its own id and arguments. */

const meta = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
})

export function httpRequest(port, method, name, body) {
  const named = name === undefined ? '' : `Mcp-Name: ${name}\r\n`
  return Buffer.from(
    `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: ${method}\r\n${named}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

const CITIES = ['Lima', 'Oslo', 'Quito', 'Turin', 'Perth', 'Kyoto', 'Accra', 'Basel']

/** The body of one `tools/call` of the forecast tool. */
export const forecastBody = (n) =>
  `{"jsonrpc":"2.0","id":${n},"method":"tools/call","params":{"name":"forecast","arguments":` +
  `{"city":"${CITIES[n % 8]}","days":${1 + (n % 14)},"units":"${n % 2 ? 'metric' : 'imperial'}"},"_meta":${meta}}}`

/** One request, one reply; every 64th reply is looked into for the text that must be there. */
function single(pool, expected) {
  let sent = 0
  let wrong = 0
  return {
    first: () => pool[sent++ & 63],
    after(buffer, body, connection) {
      connection.calls++
      if ((connection.requests & 63) === 1 && !buffer.includes(expected, body)) wrong++
      return pool[sent++ & 63]
    },
    wrong: () => wrong,
  }
}

const pool = (make) => Array.from({ length: 64 }, (_, n) => make(n))

/** The call of one environment; both its rounds name the same. */
const deploy = (env, id, rest) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"deploy","arguments":{"env":"staging-${env}"},` +
  `${rest}"_meta":${meta}}}`
const STATE = Buffer.from('"requestState":"')

function stateOf(buffer, body) {
  const at = buffer.indexOf(STATE, body) + STATE.length
  return at < STATE.length ? undefined : buffer.latin1Slice(at, buffer.indexOf(0x22, at))
}

/** Round 1 asks, round 2 carries the answer and the state. Which is due is read from what came. */
function rounds(port, { answer }) {
  const opening = openings(port)
  let sent = 0
  let wrong = 0
  const open = (connection) => {
    connection.env = sent++ & 63
    return opening[connection.env]
  }
  return {
    first: open,
    after(buffer, body, connection) {
      const state = stateOf(buffer, body)
      if (state !== undefined && answer) {
        const answers = `"inputResponses":{"why":{"action":"accept","content":{"reason":"Release ${sent & 63} is due"}}},`
        const text = deploy(connection.env, ++sent, `${answers}"requestState":"${state}",`)
        return httpRequest(port, 'tools/call', 'deploy', text)
      }
      connection.calls++
      if ((connection.requests & 63) < 2 && (answer ? !buffer.includes('Deployed', body) : state === undefined)) wrong++
      return open(connection)
    },
    wrong: () => wrong,
  }
}

/** Prepared once for each server. */
const memo = (make) => {
  const made = new Map()
  return (port) => made.get(port) ?? made.set(port, make(port)).get(port)
}

const forecasts = memo((port) => pool((n) => httpRequest(port, 'tools/call', 'forecast', forecastBody(n))))
const listBody = (n) => `{"jsonrpc":"2.0","id":${n},"method":"tools/list","params":{"_meta":${meta}}}`
const lists = memo((port) => pool((n) => httpRequest(port, 'tools/list', undefined, listBody(n))))
const openings = memo((port) => pool((n) => httpRequest(port, 'tools/call', 'deploy', deploy(n, n, ''))))

export const scenarios = {
  hello: (port) => single(forecasts(port), 'hello'),
  call: (port) => single(forecasts(port), 'mostly dry'),
  list: (port) => single(lists(port), '"forecast_99"'),
  rounds: (port) => rounds(port, { answer: true }),
  waiting: (port) => rounds(port, { answer: false }),
}
