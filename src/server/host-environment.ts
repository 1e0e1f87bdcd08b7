/** The environment of the process, where there is one: Workers have none of their own. */
export function hostEnvironment(): Readonly<Record<string, unknown>> {
  return (globalThis as { process?: { env?: Record<string, unknown> } }).process?.env ?? {}
}
