/** The server that the official suite talks to. Tells its parent the port it listens on. */
import { Server } from 'rondo'
import { listen } from 'rondo/node'
import { addChanges } from './changes.mjs'
import { addOlder } from './older.mjs'
import { addPrompts } from './prompts.mjs'
import { addResources } from './resources.mjs'
import { addRounds } from './rounds.mjs'
import { addTools } from './tools.mjs'

const server = new Server(
  { name: 'rondo-conformance', version: '1.0.0' },
  { state: { keys: 'a key of the fixture that is long enough' } },
)
// The suite calls the first tool of the list with no arguments: the plain text tool comes first.
addTools(server)
addRounds(server)
addPrompts(server)
addResources(server)
addOlder(server)
addChanges(server)

const listening = await listen(server, { port: Number(process.env.PORT ?? 0), sessions: { pollAfter: 1 } })
process.send?.({ port: listening.port })
