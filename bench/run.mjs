/**
 * npm run bench [-- --json] [--rows call,rounds] [--quick] [--official] [--types] [--require first|goal]
 *
 * Ratios against a bare server, from the built package (`npm run build` first). `--quick` takes three short pairs instead
 * of ten: enough to see that everything runs, too few to quote.
 */
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { machineVersion } from '../scripts/machine-node.mjs'
import { cores } from './measure/child.mjs'
import { ROWS } from './rows.mjs'
import { compareTypes } from './types/compare.mjs'

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    official: { type: 'boolean', default: false },
    types: { type: 'boolean', default: false },
    rows: { type: 'string' },
    require: { type: 'string' },
  },
})
const effort = options.quick ? { pairs: 3, milliseconds: 400 } : { pairs: 10, milliseconds: 1000 }
const say = (text) => process.stderr.write(text)

function chosen() {
  if (options.rows === undefined) return ROWS
  const ids = options.rows.split(',')
  const unknown = ids.filter((id) => !ROWS.some((row) => row.id === id))
  if (unknown.length > 0)
    throw new Error(`No row ${unknown.join(', ')}; there are ${ROWS.map((row) => row.id).join(', ')}`)
  return ROWS.filter((row) => ids.includes(row.id))
}

/** Memory counts as none up to what a collector leaves lying about. */
const MEMORY_NOISE = 16

function reaches(row, value, figure) {
  if (row.unit === 'ratio') return value >= figure
  return value <= (row.unit === 'bytes' ? figure + MEMORY_NOISE : figure)
}

async function measure(row) {
  say(`${row.id} … `)
  try {
    const got = await row.measure({ ...row, ...effort })
    const beside =
      options.official && row.official !== undefined
        ? await row.measure({ ...row, ...effort, ours: row.official })
        : undefined
    say(`${format(row, got.value)}\n`)
    return { row, got, official: beside }
  } catch (error) {
    say(`failed: ${error.message}\n`)
    return { row, error: error.message }
  }
}

function format(row, value) {
  if (value === undefined) return ''
  if (row.unit === 'ratio') return value.toFixed(2)
  return `${Math.round(value)} ${row.unit === 'ms' ? 'ms' : 'B'}`
}

function cells({ row, got, official, error }) {
  if (error !== undefined)
    return [row.title, 'failed', '', format(row, row.first), format(row, row.goal), '', '', '', '']
  const verdict = reaches(row, got.value, row.goal) ? 'goal' : reaches(row, got.value, row.first) ? 'first' : 'below'
  return [
    row.title,
    format(row, got.value),
    got.byCpu?.toFixed(2) ?? '',
    format(row, row.first),
    format(row, row.goal),
    verdict,
    got.cpu === undefined ? '' : `${got.cpu.ours.toFixed(1)} / ${got.cpu.floor.toFixed(1)}`,
    got.spread === undefined ? '' : `±${(got.spread * 100).toFixed(0)}%`,
    format(row, official?.value),
  ]
}

const HEADINGS = ['work', 'measured', 'by CPU', 'first', 'goal', 'reached', 'µs CPU, ours / bare', 'spread', 'official']

function table(results) {
  const lines = [HEADINGS, HEADINGS.map(() => '---'), ...results.map(cells)]
  const kept = HEADINGS.map((_, n) => lines.slice(2).some((line) => line[n] !== ''))
  return lines.map((line) => `| ${line.filter((_, n) => kept[n]).join(' | ')} |`).join('\n')
}

function json(results) {
  const rows = results.map(({ row, got, official, error }) => ({
    id: row.id,
    title: row.title,
    unit: row.unit,
    first: row.first,
    goal: row.goal,
    ...got,
    ...(official !== undefined && { official: official.value }),
    ...(error !== undefined && { error }),
  }))
  return JSON.stringify({ node: machineVersion(), cores, ...effort, rows }, undefined, 2)
}

async function main() {
  if (!existsSync(new URL('../dist/index.js', import.meta.url)))
    throw new Error('Nothing is built: npm run build first')
  if (options.types) return compareTypes({ json: options.json, say })
  say(`Node ${machineVersion()}, ${cores}, ${effort.pairs} pairs\n`)
  const results = []
  for (const row of chosen()) results.push(await measure(row))
  process.stdout.write(`${options.json ? json(results) : table(results)}\n`)
  const required = options.require
  return results.every(
    ({ row, got, error }) => error === undefined && (!required || reaches(row, got.value, row[required])),
  )
}

try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  say(`${error.message}\n`)
  process.exitCode = 2
}
