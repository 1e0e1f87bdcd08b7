import { fileURLToPath } from 'node:url'
import { Child } from './child.mjs'
import { paired } from './paired.mjs'

export const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

const SERVER_CORE = 0
const LOAD_CORE = 1

/** Starts a server of `bench/`, given as its file and arguments, and waits until it listens. */
export async function startServer([file, ...args], flags = []) {
  const child = new Child(path(file), { core: SERVER_CORE, args, flags })
  const { port } = await child.next()
  return { child, port }
}

const startLoad = () => new Child(path('measure/load.mjs'), { core: LOAD_CORE })

async function window(server, load, scenario, milliseconds) {
  const before = await server.child.cpu()
  const got = await load.ask({ port: server.port, scenario, milliseconds, connections: 32 })
  if (got.wrong > 0 || got.failed > 0)
    throw new Error(`${scenario}: ${got.failed} of ${got.requests} replies failed, ${got.wrong} looked at were wrong`)
  return { ...got, cpu: (await server.child.cpu()) - before }
}

/** Two servers under the same load, in turn. `scenario` is one name, or one for each side. */
export async function underLoad({ floor, ours, scenario, pairs, milliseconds }) {
  const servers = { floor: await startServer(floor), ours: await startServer(ours) }
  const load = startLoad()
  const name = (side) => (typeof scenario === 'string' ? scenario : scenario[side])
  try {
    return await paired({ pairs, milliseconds, run: (side, time) => window(servers[side], load, name(side), time) })
  } finally {
    for (const child of [servers.floor.child, servers.ours.child, load]) child.stop()
  }
}

/** Runs a scenario until so many calls were made. */
async function until(calls, server, load, scenario) {
  let made = 0
  while (made < calls) made += (await window(server, load, scenario, 500)).count
  return made
}

/**
 * Bytes a server still holds for each call whose first round was answered and whose second never comes. Counted in calls,
 * not in time: what a server warms up on must not be shared out over few of them.
 */
export async function heldPerCall({ ours, pairs }) {
  const calls = pairs * 4000
  const server = await startServer(ours, ['--expose-gc'])
  const load = startLoad()
  try {
    await until(calls, server, load, 'waiting')
    const before = await server.child.ask('heap')
    const made = await until(calls, server, load, 'waiting')
    const after = await server.child.ask('heap')
    return { value: Math.round((after.heap - before.heap) / made), calls: made }
  } finally {
    server.child.stop()
    load.stop()
  }
}

/** Two clients that call the bare server, in turn: each a process that is told how many calls to keep in flight. */
export async function clients({ floor, ours, concurrency, pairs, milliseconds }) {
  const server = await startServer(['floor/server.mjs'])
  const start = ([file, ...args]) =>
    new Child(path(file), { core: LOAD_CORE, args: [...args, `http://127.0.0.1:${server.port}/mcp`] })
  const sides = { floor: start(floor), ours: start(ours) }
  try {
    await Promise.all([sides.floor.next(), sides.ours.next()])
    return await paired({
      pairs,
      milliseconds,
      run: (side, time) => sides[side].ask({ concurrency, milliseconds: time }),
    })
  } finally {
    for (const child of [server.child, sides.floor, sides.ours]) child.stop()
  }
}
