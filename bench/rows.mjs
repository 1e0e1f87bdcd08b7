import { coldStart } from './measure/cold-start.mjs'
import { sideBySide } from './measure/side-by-side.mjs'
import { clients, heldPerCall, underLoad } from './measure/under-load.mjs'

const load = (scenario, floor, ours, official) => ({ measure: underLoad, scenario, floor, ours, official })
const beside = (floor, ours) => ({ measure: sideBySide, floor, ours })
const calls = (concurrency) => ({
  measure: clients,
  concurrency,
  floor: ['floor/client-process.mjs'],
  ours: ['rondo/client.mjs'],
  official: ['official/client.mjs'],
})

/**
 * What is measured. `first` and `goal` are figures to reach: of a ratio the least, of milliseconds and bytes the most.
 * `floor`, `ours` and `official` are programs under `bench/` with their arguments; `official` is run on request.
 */
export const ROWS = [
  {
    id: 'floor',
    title: 'bare server ÷ node:http hello-world',
    unit: 'ratio',
    first: 0.9,
    goal: 0.9,
    ...load({ floor: 'hello', ours: 'call' }, ['floor/hello.mjs'], ['floor/server.mjs']),
  },
  {
    id: 'floor-http',
    title: 'the same with its JSON work taken out',
    unit: 'ratio',
    first: 0.9,
    goal: 0.9,
    ...load('hello', ['floor/hello.mjs'], ['floor/still.mjs']),
  },
  {
    id: 'call',
    title: 'tools/call over HTTP, validated input, 32 connections',
    unit: 'ratio',
    first: 0.8,
    goal: 0.88,
    ...load('call', ['floor/server.mjs'], ['rondo/call.mjs'], ['official/server.mjs', 'call']),
  },
  {
    id: 'rounds',
    title: 'two rounds with sealed state',
    unit: 'ratio',
    first: 0.75,
    goal: 0.85,
    ...load('rounds', ['floor/rounds.mjs'], ['rondo/rounds.mjs'], ['official/server.mjs', 'rounds']),
  },
  {
    id: 'list',
    title: 'tools/list, 100 tools',
    unit: 'ratio',
    first: 3.0,
    goal: 3.3,
    ...load('list', ['floor/server.mjs', '100'], ['rondo/list.mjs'], ['official/server.mjs', 'list']),
  },
  {
    id: 'list-visible',
    title: 'tools/list, 100 tools, with a visible rule',
    unit: 'ratio',
    first: 1.0,
    goal: 1.2,
    ...load('list', ['floor/server.mjs', '100'], ['rondo/list.mjs', 'visible']),
  },
  {
    id: 'handle',
    title: 'server.handle, string to string, in process',
    unit: 'ratio',
    first: 0.5,
    goal: 0.65,
    ...beside(['floor/in-process.mjs', 'text'], ['rondo/in-process.mjs', 'text']),
  },
  {
    id: 'fetch',
    title: 'rondo/fetch, Request to Response, in process',
    unit: 'ratio',
    first: 0.8,
    goal: 0.9,
    ...beside(['floor/in-process.mjs', 'fetch'], ['rondo/in-process.mjs', 'fetch']),
  },
  { id: 'client-32', title: 'client calls, 32 at once', unit: 'ratio', first: 0.7, goal: 0.9, ...calls(32) },
  { id: 'client-1', title: 'client calls, one by one', unit: 'ratio', first: 0.7, goal: 0.85, ...calls(1) },
  {
    id: 'cold-start',
    title: 'cold start over the bare server, tools as JSON Schema',
    unit: 'ms',
    first: 60,
    goal: 30,
    measure: coldStart,
    floor: ['floor/server.mjs', '10'],
    ours: ['rondo/cold.mjs'],
    official: ['official/server.mjs', 'call'],
  },
  {
    id: 'memory',
    title: 'memory held per waiting call',
    unit: 'bytes',
    first: 0,
    goal: 0,
    measure: heldPerCall,
    ours: ['rondo/rounds.mjs'],
  },
]
