/** Names of the variables of one expression of RFC 6570, without operator, `*` and `:length`. */
type NamesOf<E extends string> = E extends `${infer First},${infer Rest}` ? NameOf<First> | NamesOf<Rest> : NameOf<E>

type NameOf<E extends string> = E extends `${infer Name}*` ? Name : E extends `${infer Name}:${number}` ? Name : E

type Operator = '+' | '#' | '.' | '/' | ';'

/** Variables that a matching URI always holds. */
type AlwaysIn<E extends string> = E extends `${'?' | '&'}${string}`
  ? never
  : E extends `${Operator}${infer Names}`
    ? NamesOf<Names>
    : NamesOf<E>

/** Variables of `{?a,b}` and `{&c}`: parts of a query, which may be left out. */
type InQuery<E extends string> = E extends `${'?' | '&'}${infer Names}` ? NamesOf<Names> : never

type Expressions<T extends string> = T extends `${string}{${infer E}}${infer Rest}` ? E | Expressions<Rest> : never

/** Names of the variables of a URI template. */
export type TemplateVariable<T extends string> = string extends T
  ? string
  : AlwaysIn<Expressions<T>> | InQuery<Expressions<T>>

/** Values of the variables of a URI template, as read from a URI. */
export type TemplateVariables<T extends string> = string extends T
  ? { readonly [name: string]: string }
  : { readonly [K in AlwaysIn<Expressions<T>>]: string } & { readonly [K in InQuery<Expressions<T>>]?: string }
