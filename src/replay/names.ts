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

/** A name, in its space: how many have it, and whether one of them is in use. */
interface Name {
  count: number
  open: boolean
}

/** Gives keys by name and occurrence, in the order of creation, and knows which names are in use. */
export class Names {
  readonly #names = new Map<string, Name>()

  /** Key of the next ask, step or wait of this name: `item`, `item#2`, `item#3` … */
  next(space: Space, name: string): string {
    const known = this.#of(space, name)
    known.count++
    return known.count === 1 ? name : `${name}#${known.count}`
  }

  /** Takes a name into use; `false` when it already is. */
  open(space: Space, name: string): boolean {
    const known = this.#of(space, name)
    if (known.open) return false
    known.open = true
    return true
  }

  close(space: Space, name: string): void {
    this.#of(space, name).open = false
  }

  #of(space: Space, name: string): Name {
    const id = `${space}:${name}`
    let known = this.#names.get(id)
    if (known === undefined) {
      known = { count: 0, open: false }
      this.#names.set(id, known)
    }
    return known
  }
}
