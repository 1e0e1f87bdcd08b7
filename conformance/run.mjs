/**
 * npm run conformance [-- [server|client|all] [revision|all]]
 *
 * The official suite against the fixtures beside this file, which use the built package (`npm run build` first). A
 * warning counts as a failure. Exit code: 0 when everything passed, 1 when something failed, 2 when it could not be run.
 */
import { existsSync } from 'node:fs'
import { report } from './report.mjs'
import { REVISIONS, SCENARIOS } from './scenarios.mjs'
import { runClient, runServer } from './suite.mjs'

const RUN = { server: runServer, client: runClient }

class Unable extends Error {}

function choose([leg = 'all', revision = 'all', ...rest]) {
  if (rest.length > 0 || !['server', 'client', 'all'].includes(leg))
    throw new Unable(`Usage: npm run conformance -- [server|client|all] [${REVISIONS.join('|')}|all]`)
  if (revision !== 'all' && !REVISIONS.includes(revision))
    throw new Unable(`No revision ${revision}. There are ${REVISIONS.join(', ')}`)
  return { legs: leg === 'all' ? ['server', 'client'] : [leg], revisions: revision === 'all' ? REVISIONS : [revision] }
}

async function main(args) {
  const { legs, revisions } = choose(args)
  if (!existsSync(new URL('../dist/index.js', import.meta.url)))
    throw new Unable('Nothing is built: npm run build first')
  const done = []
  for (const revision of revisions) {
    for (const leg of legs) {
      const { run, left } = SCENARIOS[revision][leg]
      if (run.length === 0) continue
      process.stderr.write(`${leg}, ${revision}: ${run.length} scenarios …\n`)
      done.push({ leg, revision, left, results: await RUN[leg](revision, run) })
    }
  }
  const { text, ok } = report(done)
  process.stdout.write(`${text}\n`)
  return ok ? 0 : 1
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Unable ? error.message : error.stack}\n`)
  process.exitCode = 2
}
