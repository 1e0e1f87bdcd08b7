/** Variables that hosts set whose processes come and go with requests. */
const MARKS = ['AWS_LAMBDA_FUNCTION_NAME', 'VERCEL', 'NETLIFY', 'FUNCTION_TARGET']

/** Whether this process may end between two requests, or have many twins, as far as the host lets us know. */
export function isPerRequestHost(): boolean {
  const host = globalThis as { EdgeRuntime?: unknown; process?: { env?: Record<string, string | undefined> } }
  if (globalThis.navigator?.userAgent === 'Cloudflare-Workers' || host.EdgeRuntime !== undefined) return true
  return MARKS.some((name) => host.process?.env?.[name] !== undefined)
}
