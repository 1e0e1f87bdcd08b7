import { kindOf } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'

/**
 * What is wrong with a JSON value: the way to it, and the end of a sentence (`[0].name must be a text, not null`).
 * `undefined` when nothing is. Members that are not looked at may be anything.
 */
export type Look = (value: unknown) => string | undefined

export const leaf =
  (is: string, fits: (value: unknown) => boolean): Look =>
  (value) =>
    fits(value) ? undefined : ` must be ${is}, not ${kindOf(value)}`

export const TEXT = leaf('a text', (value) => typeof value === 'string')
export const NUMBER = leaf('a number', (value) => typeof value === 'number')
export const BOOLEAN = leaf('true or false', (value) => typeof value === 'boolean')
export const OBJECT = leaf('an object', isJsonObject)
const LIST = leaf('a list', Array.isArray)

export const optional =
  (look: Look): Look =>
  (value) =>
    value === undefined ? undefined : look(value)

export const listOf =
  (look: Look): Look =>
  (value) => {
    if (!Array.isArray(value)) return LIST(value)
    for (let index = 0; index < value.length; index++) {
      const problem = look(value[index])
      if (problem !== undefined) return `[${index}]${problem}`
    }
    return undefined
  }

/** Objects of these members, and any others. */
export function objectOf(members: Readonly<Record<string, Look>>): Look {
  const looks = Object.entries(members)
  return (value) => {
    if (!isJsonObject(value)) return OBJECT(value)
    for (const [name, look] of looks) {
      const problem = look(value[name])
      if (problem !== undefined) return `.${name}${problem}`
    }
    return undefined
  }
}

/** Objects whose own members, whatever their names, are all alike. */
export const mapOf =
  (look: Look): Look =>
  (value) => {
    if (!isJsonObject(value)) return OBJECT(value)
    for (const key of Object.keys(value)) {
      const problem = look(value[key])
      if (problem !== undefined) return `[${JSON.stringify(key)}]${problem}`
    }
    return undefined
  }

/** A problem of a whole value as a sentence's end: the way to the member has no dot in front. */
export function told(problem: string): string {
  return problem.replace(/^[. ]/, '')
}
