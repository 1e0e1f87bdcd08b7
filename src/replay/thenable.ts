/** Whether `await` would wait for `value`. */
export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return (
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Whether `value` is a promise, given up here: nobody will wait for it, and its rejection must not end the process. */
export function abandoned(value: unknown): boolean {
  if (!isThenable(value)) return false
  value.then(undefined, () => undefined)
  return true
}
