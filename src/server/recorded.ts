/**
 * What a recorded value reads as: the JSON form, parsed back (E10). A `Date` is its text; what JSON cannot say is `never`,
 * so that using it does not compile. Of `any`, such as `JSON.parse` gives, nothing is known: it must be looked at, or checked.
 */
export type Recorded<T> = unknown extends T
  ? unknown
  : T extends string | number | boolean | null | undefined | void
    ? T
    : T extends { toJSON(): infer J }
      ? Recorded<J>
      : T extends bigint | symbol | ((...args: never) => unknown) | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
        ? never
        : T extends object
          ? { [K in keyof T]: Recorded<T[K]> }
          : never
