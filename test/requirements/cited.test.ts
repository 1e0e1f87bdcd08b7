import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

interface Row {
  readonly id: string
  readonly text: string
  readonly page?: string
  readonly side?: string
  readonly by?: string
  readonly later?: string
  readonly outside?: string
}

interface Checker {
  readRequirements(): readonly Row[]
  checkRequirements(
    rows: readonly Row[],
    titles: readonly { title: string; file: string }[],
  ): { missing: readonly Row[]; doubled: readonly string[]; strange: readonly string[] }
}

const script = new URL('../../scripts/check-requirements.mjs', import.meta.url)
const { checkRequirements, readRequirements } = (await import(script.href)) as Checker

describe('the requirements', () => {
  it('have a test each, and no test cites two', async () => {
    const run = promisify(execFile)(process.execPath, [fileURLToPath(script)])
    const { stdout } = await run.catch((failed: { stdout: string }) => failed)
    expect(stdout).toMatch(/^\d+ requirements, 0 without a test, 0 names to mend\n$/)
  })

  it('are numbered without gaps and without repeats', () => {
    const rows = readRequirements()
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const count = (prefix: RegExp) => rows.filter(({ id }) => prefix.test(id)).length
    expect([count(/^S0\./), count(/^S1\./)]).toEqual([47, 50])
    expect([count(/^E\d/), count(/^T\d/), count(/^H\d/), count(/^HS1$/), count(/^C\d/)]).toEqual([19, 11, 6, 1, 13])
    for (const row of rows) expect(row.text.length, row.id).toBeGreaterThan(10)
  })

  it('of the specification name their page and their side', () => {
    for (const { id, page, side } of readRequirements().filter(({ id }) => id.startsWith('MUST-'))) {
      expect(page, id).toMatch(/^(basic|server|client)(\/|$)/)
      expect(['server', 'client', 'both'], id).toContain(side)
    }
  })

  it('are put off only where a later issue builds them', () => {
    const later = readRequirements().filter((row) => row.later !== undefined)
    expect(later.map(({ id }) => id).filter((id) => !id.startsWith('MUST-'))).toEqual(['T9', 'C11', 'C12'])
    expect(later.every(({ id }) => !id.startsWith('S'))).toBe(true)
  })
})

describe('the check', () => {
  const rows: readonly Row[] = [
    { id: 'S0.1', text: 'one' },
    { id: 'S0.2', text: 'two' },
    { id: 'T1', text: 'three', by: 'S0.2' },
    { id: 'T2', text: 'four', by: 'the whole title of a test' },
    { id: 'T3', text: 'five', later: '3' },
    { id: 'T4', text: 'six', outside: 'nobody can show it' },
  ]
  const check = (...titles: readonly string[]) => {
    const { missing, ...rest } = checkRequirements(
      rows,
      titles.map((title) => ({ title, file: 'x' })),
    )
    return { missing: missing.map(({ id }) => id), ...rest }
  }
  const whole = 'the whole title of a test'

  it('is content when every row is cited, proven elsewhere, put off or out of reach', () => {
    expect(check('S0.1 does', 'S0.2 does', whole)).toEqual({ missing: [], doubled: [], strange: [] })
  })

  it('finds rows without a test, and those that lean on them', () => {
    expect(check('S0.1 does', whole).missing).toEqual(['S0.2', 'T1'])
    expect(check('S0.1 does', 'S0.2 does')).toMatchObject({ missing: ['T2'], strange: [expect.stringContaining('T2')] })
  })

  it('counts an id only at the beginning, and whole', () => {
    expect(check('does S0.1', 'S0.10 does', 'S0.2 does', whole)).toMatchObject({ missing: ['S0.1'] })
    expect(check('S0.10 does').strange.some((line) => line.includes('S0.10'))).toBe(true)
  })

  it('finds a title that cites two', () => {
    expect(check('S0.1 does as S0.2 does', whole).doubled).toHaveLength(1)
    expect(check('S0.1 does, and S0.1 again', whole).doubled).toEqual([])
  })
})
