import { expect, test } from 'vitest'
import { sensitiveFields } from './sensitive-fields.ts'

const found = (...names: string[]) =>
  sensitiveFields({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) })

test('spec client/elicitation: properties that look like secrets are found, for a warning', () => {
  const secrets = [
    'password',
    'userPassword',
    'api_key',
    'apiKey',
    'API-KEY',
    'accessToken',
    'client secret',
    'cvv',
    'cardNumber',
    'credentials',
  ]
  expect(found(...secrets)).toEqual(secrets)
  expect(found('name', 'email', 'reason', 'tokenizer', 'monkey', 'secretary', 'keyboard', 'number')).toEqual([])
})

test('titles count as well', () => {
  expect(
    sensitiveFields({
      type: 'object',
      properties: { a: { type: 'string', title: 'Your API key' }, b: { type: 'string', title: 'Name' } },
    }),
  ).toEqual(['a'])
})
