/**
 * Leaves members out of what is printed of an error: a token is long, and whoever has it may go on with the call, so that
 * it has no place in a log. They are read as before.
 */
export function unprinted<E extends Error>(error: E, ...names: readonly (keyof E & string)[]): E {
  for (const name of names) Object.defineProperty(error, name, { enumerable: false })
  return error
}
