import { harmless } from '../terminal/harmless.ts'

/** A URL of an ask, looked at before anybody opens it. */
export interface UrlView {
  /** The whole URL as it would be opened, made harmless; as received when it cannot be read. */
  readonly full: string
  /** Host and port, to be set apart. */
  readonly host: string
  /** What to open, or `undefined` when it must not be. */
  readonly href: string | undefined
  /** What a person should know first, worst first. */
  readonly warnings: readonly string[]
}

/**
 * Looks at a URL a server wants opened (client/elicitation, "Safe URL Handling"). Nothing is fetched.
 *
 * @param unicodeHost how a host in punycode reads to people
 */
export function viewUrl(raw: string, unicodeHost: (host: string) => string): UrlView {
  const url = parse(raw)
  if (url === undefined) return { full: urlText(raw), host: '', href: undefined, warnings: ['This is not a URL.'] }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    const warnings = [`This is a ${harmless(url.protocol)} URL. Only https: and http: are opened.`]
    return { full: urlText(raw), host: url.host, href: undefined, warnings }
  }
  return { full: urlText(url.href), host: url.host, href: url.href, warnings: warningsOf(raw, url, unicodeHost) }
}

/** A URL on one line, with nothing in it that a terminal would act on. */
export function urlText(raw: string): string {
  return harmless(raw).replaceAll('\n', '\\n').replaceAll('\t', '\\t')
}

function parse(raw: string): URL | undefined {
  try {
    return new URL(raw)
  } catch {
    return undefined
  }
}

function warningsOf(raw: string, url: URL, unicodeHost: (host: string) => string): string[] {
  const { hostname, host } = url
  const warnings: string[] = []
  if (url.username !== '' || url.password !== '') {
    warnings.push(`What stands before the @ is a user name, not the place it leads to. The host is ${host}.`)
  }
  if (hostname.split('.').some((label) => label.startsWith('xn--'))) {
    const shown = harmless(unicodeHost(hostname))
    warnings.push(
      `The host has letters outside ASCII: a browser may show ${hostname} as ${shown}, which can imitate another name.`,
    )
  }
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(raw)) {
    warnings.push(
      'The URL came with blanks, control characters or backslashes in it; what is shown is what would be opened.',
    )
  }
  if (url.protocol === 'http:' && !isLoopback(hostname))
    warnings.push('It is http:, so what you enter there can be read on the way.')
  if (/^[\d.]+$|^\[/.test(hostname) && !isLoopback(hostname)) warnings.push('The host is an address, not a name.')
  if (hostname.split('.').length > 5) warnings.push('The host has many parts; the last two or three say whose it is.')
  return warnings
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}
