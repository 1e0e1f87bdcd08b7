/** The load generator, a process of its own: raw sockets, prepared requests, one in flight on each connection. */
import { connect } from 'node:net'
import { scenarios } from './scenarios.mjs'

const HEAD_END = Buffer.from('\r\n\r\n')

/** Where the response ends and its body begins, or undefined while it is not all here. */
function complete(buffer) {
  const head = buffer.indexOf(HEAD_END)
  if (head < 0) return undefined
  const text = buffer.latin1Slice(0, head).toLowerCase()
  const at = text.indexOf('content-length:')
  if (at < 0)
    return buffer.latin1Slice(buffer.length - 7) === '\r\n0\r\n\r\n' ? { body: head + 4, ok: ok(text) } : undefined
  return buffer.length >= head + 4 + parseInt(text.slice(at + 15, at + 30), 10)
    ? { body: head + 4, ok: ok(text) }
    : undefined
}
const ok = (head) => head.startsWith(' 200', 8)

/** Keeps one request in flight until told to stop; stays open for the next run. */
class Connection {
  #socket
  #rest
  #exchange
  #stopped
  #busy = false
  calls = 0
  requests = 0
  failed = 0

  static async open(port) {
    const connection = new Connection()
    connection.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    await new Promise((resolve, reject) => connection.#socket.once('connect', resolve).once('error', reject))
    connection.#socket.on('data', (chunk) => connection.#take(chunk))
    connection.#socket.on('close', () => connection.#closed())
    return connection
  }

  get isOpen() {
    return !this.#socket.destroyed && this.#socket.readyState === 'open'
  }

  #closed() {
    if (!this.#busy) return
    process.stderr.write('the server closed a connection under a request\n')
    process.exit(1)
  }

  #take(chunk) {
    const buffer = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk])
    const reply = complete(buffer)
    if (reply === undefined) {
      this.#rest = buffer
      return
    }
    this.#rest = undefined
    this.#busy = this.#stopped === undefined
    this.requests++
    if (!reply.ok) this.failed++
    const following = this.#exchange.after(buffer, reply.body, this)
    if (this.#stopped === undefined) this.#socket.write(following)
    else this.#stopped()
  }

  start(exchange) {
    this.#exchange = exchange
    this.#stopped = undefined
    this.#busy = true
    this.calls = this.requests = this.failed = 0
    this.#socket.write(exchange.first(this))
  }

  /** After the reply in flight. */
  stop() {
    return new Promise((resolve) => (this.#stopped = resolve))
  }
}

const pools = new Map()

/** Connections to a server. Those that it closed in a pause are opened again. */
async function pool(port, size) {
  const kept = (pools.get(port) ?? []).filter((connection) => connection.isOpen)
  const missing = Array.from({ length: size - kept.length }, () => Connection.open(port))
  const open = [...kept, ...(await Promise.all(missing))]
  pools.set(port, open)
  return open
}

async function run({ port, scenario, milliseconds, connections }) {
  const exchange = scenarios[scenario](port)
  const open = await pool(port, connections)
  const cpu = process.cpuUsage()
  const began = performance.now()
  for (const connection of open) connection.start(exchange)
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  await Promise.all(open.map((connection) => connection.stop()))
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(cpu)
  const sum = (name) => open.reduce((total, connection) => total + connection[name], 0)
  const counts = { count: sum('calls'), requests: sum('requests'), failed: sum('failed'), seconds }
  process.send({ ...counts, load: (used.user + used.system) / 1e6 / seconds, wrong: exchange.wrong() })
}

process.on('message', (message) => void run(message))
process.on('disconnect', () => process.exit())
