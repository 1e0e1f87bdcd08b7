import type { ResourceHandler, ResourceOptions } from './define-resource.ts'
import type { ResourceTemplateHandler, ResourceTemplateOptions } from './define-resource-template.ts'
import type { TemplateVariable, TemplateVariables } from './template-variables.ts'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Expect<T extends true> = T
type Flat<T> = { [K in keyof T]: T[K] }

/** The forms of `server.resource()` and `server.resourceTemplate()`. */
declare function resource(name: string, options: ResourceOptions, handler: ResourceHandler): void
declare function resourceTemplate<const T extends string>(
  name: string,
  options: ResourceTemplateOptions<T>,
  handler: ResourceTemplateHandler<T>,
): void

// Every operator of RFC 6570.
export type Variables = [
  Expect<Equal<TemplateVariable<'a://{x}'>, 'x'>>,
  Expect<Equal<TemplateVariable<'a://{x}/{+path}/b{#part}'>, 'x' | 'path' | 'part'>>,
  Expect<
    Equal<TemplateVariable<'a://{x,y:3}{/z*}{.ext}{;p}{?q,r*}{&s}'>, 'x' | 'y' | 'z' | 'ext' | 'p' | 'q' | 'r' | 's'>
  >,
  Expect<Equal<TemplateVariable<string>, string>>,
  Expect<
    Equal<Flat<TemplateVariables<'a://{x}{?q,r}'>>, { readonly x: string; readonly q?: string; readonly r?: string }>
  >,
]

resourceTemplate('notes', { uriTemplate: 'notes://{day}/{+path}{?q}', complete: { day: ['monday'] } }, (variables) => {
  type _Day = Expect<Equal<typeof variables.day, string>>
  type _Query = Expect<Equal<typeof variables.q, string | undefined>>
  // @ts-expect-error not in the template
  return `${variables.day} ${variables.path} ${variables.month}`
})
resourceTemplate('async', { uriTemplate: 'rows://{id}' }, async ({ id }, ctx) => {
  const row = await ctx.step('read', () => ({ id }))
  return id === '' ? undefined : { text: row.id, mimeType: 'text/plain' }
})
resourceTemplate(
  'complete',
  {
    uriTemplate: 'rows://{id}',
    // @ts-expect-error not in the template
    complete: { day: ['monday'] },
  },
  () => 'x',
)

resource('text', { uri: 'a://1', cache: { ttlMs: '5 min', scope: 'public' } }, (uri) => uri)
resource('bytes', { uri: 'a://2' }, () => new Uint8Array(3))
resource('several', { uri: 'a://3' }, () => ['one', { uri: 'a://3/2', blob: new Uint8Array(3) }])
resource('none', { uri: 'a://4' }, async () => undefined)
// @ts-expect-error a number is nothing to read
resource('number', { uri: 'a://5' }, () => 7)
// @ts-expect-error it needs a URI
resource('no uri', {}, () => 'x')
