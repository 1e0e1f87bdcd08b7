const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO']

function counts(checks) {
  const count = Object.fromEntries(STATUSES.map((status) => [status, 0]))
  for (const { status } of checks) count[status] = (count[status] ?? 0) + 1
  return count
}

/** A warning counts as a failure. */
const failed = (checks) => checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')

function row(leg, { name, checks }) {
  const count = counts(checks)
  const verdict = failed(checks).length > 0 ? 'FAILED' : count.SUCCESS > 0 ? 'passed' : 'nothing checked'
  return [leg, name, ...STATUSES.map((status) => count[status] || ''), verdict]
}

function table(rows) {
  const width = rows[0].map((_, n) => Math.max(...rows.map((cells) => String(cells[n]).length)))
  return rows
    .map((cells) =>
      cells
        .map((cell, n) => String(cell).padEnd(width[n]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function explain({ name, checks, stderr }) {
  const bad = failed(checks)
  if (bad.length === 0) return []
  const lines = bad.map(({ id, status, description, errorMessage, details }) => {
    const more = errorMessage ?? details?.message
    return `  ${status} ${id}: ${description ?? ''}${more === undefined ? '' : `\n    ${more}`}`
  })
  if (stderr.trim() !== '') lines.push(`  the client wrote: ${stderr.trim().split('\n').slice(0, 12).join('\n    ')}`)
  return [name, ...lines]
}

/**
 * The table, the failures, what was skipped, what was left out, and the totals.
 *
 * @param legs `{ leg, revision, results, left }` of each run
 */
export function report(legs) {
  const out = []
  let scenarios = 0
  let bad = 0
  const total = counts([])
  for (const { leg, revision, results, left } of legs) {
    out.push(`${leg}, ${revision}`, '')
    out.push(
      table([['leg', 'scenario', ...STATUSES.map((s) => s.toLowerCase()), ''], ...results.map((r) => row(leg, r))]),
    )
    const wrong = results.flatMap(explain)
    if (wrong.length > 0) out.push('', ...wrong)
    const empty = results.filter(({ checks }) => counts(checks).SUCCESS === 0 && failed(checks).length === 0)
    if (empty.length > 0) out.push('', `only skipped or for information: ${empty.map(({ name }) => name).join(', ')}`)
    const skipped = results.flatMap(({ name, checks }) =>
      checks.filter(({ status }) => status === 'SKIPPED').map(({ id }) => `${name}:${id}`),
    )
    if (skipped.length > 0) out.push('', `skipped by the suite: ${skipped.join(', ')}`)
    for (const reason of new Set(left.map((entry) => entry.reason))) {
      const names = left.filter((entry) => entry.reason === reason).map((entry) => entry.name)
      out.push('', `not run, ${reason}: ${names.join(', ')}`)
    }
    out.push('')
    scenarios += results.length
    bad += results.filter(({ checks }) => failed(checks).length > 0).length
    for (const { checks } of results) for (const [status, n] of Object.entries(counts(checks))) total[status] += n
  }
  const sums = STATUSES.map((status) => `${total[status]} ${status.toLowerCase()}`).join(', ')
  out.push(`${scenarios} scenarios: ${scenarios - bad} passed, ${bad} failed; checks: ${sums}`)
  return { text: out.join('\n'), ok: bad === 0 }
}
