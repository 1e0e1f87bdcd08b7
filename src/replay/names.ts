/** Asks, steps and waits have name spaces of their own (E9). */
export type Space = 'ask' | 'step' | 'wait'

/** Longest name, scope included, in characters. */
const LONGEST = 200

/** Why `name` cannot name an ask, a step, a wait or a scope (E9); `undefined` when it can. */
export function nameProblem(name: unknown): string | undefined {
  if (typeof name !== 'string') return `a name is a string, not ${typeof name}`
  if (name === '') return 'a name is not empty'
  if (name.length > LONGEST) return `a name has at most ${LONGEST} characters`
  if (name.includes('#') || name.includes('~')) return 'a name contains neither "#" nor "~", which keys are made with'
  return undefined
}

/** Key on the wire: an ask put again with another text or reason is another question to the client (E9). */
export function wireKey(key: string, puts: number): string {
  return puts === 1 ? key : `${key}~${puts}`
}

/** Gives keys by name and occurrence, in the order of creation, and knows which names are in use. */
export class Names {
  readonly #counts = new Map<string, number>()
  readonly #open = new Set<string>()

  /** Key of the next ask, step or wait of this name: `item`, `item#2`, `item#3` … */
  next(space: Space, name: string): string {
    const id = `${space}:${name}`
    const count = (this.#counts.get(id) ?? 0) + 1
    this.#counts.set(id, count)
    return count === 1 ? name : `${name}#${count}`
  }

  /** Takes a name into use; `false` when it already is. */
  open(space: Space, name: string): boolean {
    const id = `${space}:${name}`
    if (this.#open.has(id)) return false
    this.#open.add(id)
    return true
  }

  close(space: Space, name: string): void {
    this.#open.delete(`${space}:${name}`)
  }
}
