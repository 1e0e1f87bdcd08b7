/** A value, or a promise of one: no promise where a value will do. */
export type Maybe<T> = T | Promise<T>

/** Applies `next` now or when `value` is there. */
export function after<T, R>(value: Maybe<T>, next: (value: T) => Maybe<R>): Maybe<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
