/** The known name that a wrong one was most likely meant for, or `undefined` when none is near. */
export function nearest(wrong: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(wrong.length / 3))
  const near = known
    .map((name) => ({ name, far: distance(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, far }) => far <= most || (wrong.length > 2 && name.startsWith(wrong)))
    .sort((a, b) => a.far - b.far)
  return near[0]?.name
}

/** Characters to change, leave out or put in, two that changed places counted as one (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity
      row.push(Math.min(at(i - 1, j) + 1, (row[j - 1] ?? 0) + 1, at(i - 1, j - 1) + same, swapped))
    }
  }
  return at(a.length, b.length)
}
