import { domainToUnicode } from 'node:url'
import { expect, test } from 'vitest'
import { viewUrl } from './url-warnings.ts'

const view = (url: string) => viewUrl(url, domainToUnicode)

test('an ordinary URL has its host set apart and no warning', () => {
  expect(view('https://pay.example.com:8443/a?b=c#d')).toEqual({
    full: 'https://pay.example.com:8443/a?b=c#d',
    host: 'pay.example.com:8443',
    href: 'https://pay.example.com:8443/a?b=c#d',
    warnings: [],
  })
})

test.each([
  ['https://example.com@evil.test/login', 'The host is evil.test.'],
  ['https://user:secret@example.com/', 'What stands before the @'],
  ['https://xn--80ak6aa92e.com/', 'a browser may show xn--80ak6aa92e.com as аррӏе.com'],
  ['https://аррӏе.com/', 'The host has letters outside ASCII'],
  ['http://example.com/', 'can be read on the way'],
  ['https://192.0.2.7/', 'The host is an address'],
  ['https://[2001:db8::1]/', 'The host is an address'],
  ['https://example.com\\@evil.test/', 'backslashes'],
  ['https://exam\tple.com/', 'control characters'],
  ['https://login.bank.example.com.account.evil.test/', 'The host has many parts'],
])('%s is warned of', (url, warning) => {
  const { warnings, href } = view(url)
  expect(warnings.join('\n')).toContain(warning)
  expect(href).toBe(new URL(url).href)
})

test.each(['http://127.0.0.1:3000/', 'http://localhost/', 'http://[::1]/'])('%s is this machine', (url) => {
  expect(view(url).warnings).toEqual([])
})

test.each([
  ['javascript:alert(1)', 'This is a javascript: URL.'],
  ['file:///etc/passwd', 'This is a file: URL.'],
  ['data:text/html,x', 'This is a data: URL.'],
  ['not a url', 'This is not a URL.'],
  ['', 'This is not a URL.'],
])('%s is never opened', (url, warning) => {
  const { href, warnings } = view(url)
  expect(href).toBeUndefined()
  expect(warnings.join('\n')).toContain(warning)
})

test('what a terminal would act on is written out', () => {
  expect(view('nonsense \x1b[31m').full).toBe('nonsense \\x1b[31m')
  expect(view('https://example.com/\u202etxt').full).toBe('https://example.com/%E2%80%AEtxt')
})
