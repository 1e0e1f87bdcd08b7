import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { machineNode } from '../../scripts/machine-node.mjs'
import { median } from '../measure/statistics.mjs'
import { source } from './generate.mjs'

const TOOLS = 300
const RUNS = 3
/** What a server of that size may take. */
const MOST_SECONDS = 10
const MOST_MEGABYTES = 1500

const tsc = createRequire(import.meta.url).resolve('typescript/lib/tsc.js')

const OPTIONS = {
  target: 'ES2022',
  module: 'NodeNext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
}

function write(dialect) {
  const folder = fileURLToPath(new URL(`.tmp/${dialect}`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'server.ts'), source(dialect, TOOLS))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: ['server.ts'] }))
  return folder
}

function compile(folder) {
  const { stdout, status } = spawnSync(machineNode(), [tsc, '-p', folder, '--extendedDiagnostics'], {
    encoding: 'utf8',
  })
  const figure = (name) => Number(new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(stdout)?.[1])
  const errors = stdout.split('\n').filter((line) => / error TS\d+/.test(line))
  return {
    ok: status === 0,
    seconds: figure('Total time'),
    check: figure('Check time'),
    megabytes: figure('Memory used') / 1024,
    instantiations: figure('Instantiations'),
    errors,
  }
}

function middle(runs) {
  const of = (key) => median(runs.map((run) => run[key]))
  const { ok, errors, instantiations } = runs[0]
  return { ok, errors, instantiations, seconds: of('seconds'), check: of('check'), megabytes: of('megabytes') }
}

const line = (name, { seconds, check, megabytes, instantiations }) =>
  `| ${name} | ${seconds.toFixed(2)} s | ${check.toFixed(2)} s | ${Math.round(megabytes)} MB | ${instantiations} |`

/**
 * Compiles a server of 300 tools written with Rondo and with the official SDK, in turn, and compares.
 *
 * @returns whether ours has no error, takes at most the official's time, and stays within the limits.
 */
export function compareTypes({ json, say }) {
  const folders = { rondo: write('rondo'), official: write('official') }
  const runs = { rondo: [], official: [] }
  for (let n = 0; n < RUNS; n++) {
    for (const dialect of ['rondo', 'official']) {
      say(`${dialect} … `)
      runs[dialect].push(compile(folders[dialect]))
    }
  }
  const ours = middle(runs.rondo)
  const official = middle(runs.official)
  const problems = [...ours.errors.slice(0, 5)]
  if (!official.ok) problems.push(`the official server does not compile: ${official.errors[0]}`)
  if (ours.seconds > official.seconds) problems.push('slower than the official SDK')
  if (ours.seconds > MOST_SECONDS) problems.push(`more than ${MOST_SECONDS} s`)
  if (ours.megabytes > MOST_MEGABYTES) problems.push(`more than ${MOST_MEGABYTES} MB`)
  const table = ['| tsc, 300 tools | whole | check | memory | instantiations |', '| --- | --- | --- | --- | --- |']
  const text = [...table, line('rondo', ours), line('official', official)].join('\n')
  say('\n')
  process.stdout.write(`${json ? JSON.stringify({ tools: TOOLS, ours, official, problems }, undefined, 2) : text}\n`)
  for (const problem of problems) say(`${problem}\n`)
  return problems.length === 0
}
