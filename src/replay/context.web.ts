import { sha256 } from './sha256.ts'

interface Storage {
  run<T>(store: object, fn: () => T): T
  getStore(): object | undefined
}

/** Cloudflare Workers give Node's async context without an import, when the worker was deployed with it. */
const hooks = (
  globalThis as {
    process?: { getBuiltinModule?(name: string): { AsyncLocalStorage: new () => Storage } | undefined }
  }
).process?.getBuiltinModule?.('node:async_hooks')
const storage = hooks && new hooks.AsyncLocalStorage()

/** Whether following the async context costs nothing here (E10). */
export const contextIsFree: boolean = storage !== undefined

/** Runs `fn` with `store` as what {@link currentContext} gives to everything that follows from it. */
export function runInContext<T>(store: object, fn: () => T): T {
  return storage ? storage.run(store, fn) : fn()
}

/** What {@link runInContext} was given around the running code. */
export function currentContext(): object | undefined {
  return storage?.getStore()
}

/** SHA-256 of `text`, base64url. */
export function digest(text: string): string {
  return btoa(String.fromCharCode(...sha256(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace('=', '')
}
