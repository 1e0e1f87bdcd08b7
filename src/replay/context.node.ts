import { AsyncLocalStorage } from 'node:async_hooks'
import * as crypto from 'node:crypto'

const { node, bun, deno } = process.versions

/** Whether following the async context costs nothing here (E10); on Node 20 and 22 it slows every promise. */
export const contextIsFree: boolean = bun !== undefined || deno !== undefined || Number.parseInt(node) >= 24

// Made on first use: on older Nodes the first run slows the whole process down.
let storage: AsyncLocalStorage<object> | undefined

/** Runs `fn` with `store` as what {@link currentContext} gives to everything that follows from it. */
export function runInContext<T>(store: object, fn: () => T): T {
  storage ??= new AsyncLocalStorage()
  return storage.run(store, fn)
}

/** What {@link runInContext} was given around the running code. */
export function currentContext(): object | undefined {
  return storage?.getStore()
}

// The one-shot form takes half the time, but is not in every runtime that claims to be Node.
const oneShot = (crypto as { hash?: typeof crypto.hash }).hash

/** SHA-256 of `text`, base64url. */
export function digest(text: string): string {
  return oneShot ? oneShot('sha256', text, 'base64url') : crypto.createHash('sha256').update(text).digest('base64url')
}
