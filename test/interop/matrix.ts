/** Kinds of ask, as tools are named, with what the answers given in these tests make of them. */
export const EXPECTED = {
  form: 'hello Ada',
  url: 'url accept',
  sampling: 'sampled Paris',
  sampling_tools: 'wants weather',
  roots: 'roots file:///srv/project',
} as const

export type Kind = keyof typeof EXPECTED

export const KINDS = Object.keys(EXPECTED) as Kind[]

/** The answers, as they go on the wire. */
export const ANSWERS = {
  form: { action: 'accept', content: { name: 'Ada' } },
  url: { action: 'accept' },
  sampling: { role: 'assistant', content: { type: 'text', text: 'Paris' }, model: 'none', stopReason: 'endTurn' },
  sampling_tools: {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'use-1', name: 'weather', input: { city: 'Paris' } }],
    model: 'none',
    stopReason: 'toolUse',
  },
  roots: { roots: [{ uri: 'file:///srv/project', name: 'project' }] },
} as const

/** Which cell of the matrix did what; printed when all have run. */
export class Matrix {
  readonly #cells = new Map<string, Map<string, string>>()

  set(row: string, column: string, outcome: string): void {
    const cells = this.#cells.get(row) ?? new Map<string, string>()
    this.#cells.set(row, cells.set(column, outcome))
  }

  toString(): string {
    const columns = [...new Set([...this.#cells.values()].flatMap((cells) => [...cells.keys()]))]
    const lines = [
      ['', ...columns],
      ...[...this.#cells].map(([row, cells]) => [row, ...columns.map((c) => cells.get(c) ?? '–')]),
    ]
    const widths = lines[0]?.map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0))) ?? []
    return lines.map((line) => line.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')).join('\n')
  }
}
