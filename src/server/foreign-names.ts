import { RondoError } from '../errors/rondo-error.ts'

/** Methods that a server has in other libraries, and what to write here. */
const OF_SERVER: Readonly<Record<string, string>> = {
  registerTool: 'Write server.tool(name, { description, input, output }, handler)',
  addTool: 'Write server.tool(name, { description, input, output }, handler)',
  registerPrompt: 'Write server.prompt(name, { arguments }, handler)',
  addPrompt: 'Write server.prompt(name, { arguments }, handler)',
  registerResource:
    'Write server.resource(name, { uri }, handler), or server.resourceTemplate(name, { uriTemplate }, handler)',
  addResource: 'Write server.resource(name, { uri }, handler)',
  addResourceTemplate: 'Write server.resourceTemplate(name, { uriTemplate }, handler)',
  setRequestHandler:
    'Tools, prompts and resources are served as they are registered; for a method of your own write server.method(name, options, handler)',
  connect:
    'Write serve(server) of rondo/stdio, listen(server, { port }) of rondo/node, or fetchHandler(server) of rondo/fetch',
  start: 'Write serve(server) of rondo/stdio, or listen(server, { port }) of rondo/node',
  elicitInput: 'A server asks only as part of a call: in a handler, await ctx.ask.form(key, { message, schema })',
  createMessage: 'A server asks only as part of a call: in a handler, await ctx.ask.sample(key, params)',
  listRoots: 'A server asks only as part of a call: in a handler, await ctx.ask.roots(key)',
  sendLoggingMessage: 'In a handler, write ctx.log.info(data)',
}

const ASK = 'Write await ctx.ask.form(key, { message, schema }), or ask.url, ask.sample or ask.roots'
const SAMPLE = 'Write await ctx.ask.sample(key, params)'

/** Methods that a handler's context has in other libraries, and what to write here. */
const OF_CONTEXT: Readonly<Record<string, string>> = {
  sendRequest: ASK,
  sendNotification: 'Write ctx.progress(done, total), or ctx.log.info(data)',
  elicit: ASK,
  elicitInput: ASK,
  createMessage: SAMPLE,
  requestSampling: SAMPLE,
  listRoots: 'Write await ctx.ask.roots(key)',
  reportProgress: 'Write ctx.progress(done, total)',
}

/** Methods of `ctx.mcpReq` of the official SDK's version 2. */
const OF_REQUEST: Readonly<Record<string, string>> = {
  send: ASK,
  notify: 'Write ctx.progress(done, total), or ctx.log.info(data)',
  log: 'Write ctx.log.info(data)',
  elicitInput: ASK,
  requestSampling: SAMPLE,
}

/**
 * Lets a server say what to write in place of the methods of other libraries: JavaScript would say no more than that there
 * is no such function. No type and no listing shows them.
 */
export function adviseOnServer(prototype: object): void {
  for (const [name, advice] of Object.entries(OF_SERVER)) {
    const value = (): never => {
      throw foreignMethod(`server.${name}()`, advice)
    }
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true })
  }
}

/**
 * The same for a handler's context, on which nothing throws (E4).
 *
 * @param end ends the call of a context, and gives what never settles (E12)
 */
export function adviseOnContext<C>(prototype: object, end: (ctx: C, error: RondoError) => Promise<never>): void {
  const method = (ctx: C, shown: string, advice: string) => async (): Promise<never> =>
    end(ctx, foreignMethod(`${shown}()`, advice))
  for (const [name, advice] of Object.entries(OF_CONTEXT)) {
    define(prototype, name, (ctx: C) => method(ctx, `ctx.${name}`, advice))
  }
  define(prototype, 'mcpReq', (ctx: C) =>
    Object.fromEntries(
      Object.entries(OF_REQUEST).map(([name, advice]) => [name, method(ctx, `ctx.mcpReq.${name}`, advice)]),
    ),
  )
}

function define<C>(prototype: object, name: string, get: (ctx: C) => unknown): void {
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: C) {
      return get(this)
    },
  })
}

function foreignMethod(shown: string, advice: string): RondoError<'DEFINITION_INVALID'> {
  return new RondoError('DEFINITION_INVALID', `There is no ${shown} in Rondo. ${advice}.`)
}
