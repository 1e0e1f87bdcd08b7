import type { Context } from './context.ts'
import type { Recorded } from './recorded.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<T extends true> = T

interface Build {
  id: number
  at: Date
  tags?: string[]
  pair: [Date, 'x']
}

export type _cases = [
  Expect<Equal<Recorded<string>, string>>,
  Expect<Equal<Recorded<void>, void>>,
  Expect<Equal<Recorded<unknown>, unknown>>,
  Expect<Equal<Recorded<ReturnType<typeof JSON.parse>>, unknown>>,
  Expect<Equal<Recorded<{ a: ReturnType<typeof JSON.parse>; b: string[] }>, { a: unknown; b: string[] }>>,
  Expect<Equal<Recorded<Date | null>, string | null>>,
  Expect<Equal<Recorded<{ m: Map<string, number> }>, { m: never }>>,
  Expect<Equal<Recorded<Build>, { id: number; at: string; tags?: string[]; pair: [string, 'x'] }>>,
]

export async function readsTheJsonForm(ctx: Context): Promise<string> {
  const build = await ctx.step('build', () => ({ at: new Date(), id: 1 }))
  // @ts-expect-error a Date comes back as its text
  const at: Date = build.at
  void at
  const parsed = await ctx.step('parsed', () => JSON.parse('{}'))
  const fetched = await ctx.step('fetched', async () => (await fetch('https://example.com')).json())
  const polled = await ctx.waitFor('polled', () => JSON.parse('{}'))
  const typed = await ctx.step('typed', () => JSON.parse('{}') as Build)
  // @ts-expect-error nothing is known of it
  void parsed.a
  // @ts-expect-error nothing is known of it
  void fetched.a
  // @ts-expect-error nothing is known of it
  void polled.a
  const id: number = typed.id
  void id
  const nothing: void = await ctx.step('nothing', () => {})
  void nothing
  return build.at
}
