import { type Context, InputRequiredResult, Server, type ServerOptions } from 'rondo'

/** What a handler of {@link askingServer} gives; `any` shape is tried on purpose. */
export type Respond = (ctx: Context, given: unknown) => unknown

/** A call of one of the methods that may ask, aimed at {@link askingServer}. */
export interface AskingCall {
  readonly name: string
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read'
  readonly params: Readonly<Record<string, unknown>>
  /** The member that a complete result of this method has. */
  readonly member: 'content' | 'messages' | 'contents'
}

export const CALLS: readonly AskingCall[] = [
  { name: 'a tool', method: 'tools/call', params: { name: 'it', arguments: { a: '1' } }, member: 'content' },
  { name: 'a prompt', method: 'prompts/get', params: { name: 'it', arguments: { a: '1' } }, member: 'messages' },
  { name: 'a static resource', method: 'resources/read', params: { uri: 'it://static' }, member: 'contents' },
  { name: 'a templated resource', method: 'resources/read', params: { uri: 'it://one/1' }, member: 'contents' },
]

/** One call for each of the three methods. */
export const METHODS: readonly AskingCall[] = CALLS.filter(({ name }) => name !== 'a templated resource')

/** A server whose tool, prompt, resource and template all answer as `respond` says. */
export function askingServer(respond: Respond, options: ServerOptions = {}): Server {
  const server = new Server({ name: 'asking', version: '1.0.0' }, options)
  server.tool('it', {}, (args, ctx) => respond(ctx, args) as string)
  server.prompt('it', { arguments: { a: {} } }, (args, ctx) => respond(ctx, args) as string)
  server.resource('it', { uri: 'it://static' }, (uri, ctx) => respond(ctx, uri) as string)
  server.resourceTemplate('one', { uriTemplate: 'it://one/{a}' }, (given, ctx) => respond(ctx, given) as string)
  return server
}

export const FORM = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Which?',
    requestedSchema: { type: 'object', properties: { which: { type: 'string' } }, required: ['which'] },
  },
} as const
export const URL_ASK = {
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Look', url: 'https://example.com/look', elicitationId: 'one' },
} as const
export const SAMPLE = {
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'Name one' } }], maxTokens: 10 },
} as const
export const ROOTS = { method: 'roots/list' } as const

/** Asks with everything there is to ask with. */
export const asking = (requestState?: string): InputRequiredResult =>
  new InputRequiredResult({ inputRequests: { which: FORM, dirs: ROOTS }, requestState })

/** What a person filled in for {@link FORM}. */
export const FILLED = { action: 'accept', content: { which: 'this' } } as const
