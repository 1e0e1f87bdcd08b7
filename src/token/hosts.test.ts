import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const folder = new URL('./', import.meta.url)

describe('hosts without Node', () => {
  const files = readdirSync(folder).filter((name) => /^[^.]+(\.web)?\.ts$/.test(name))

  it.each(files)('%s names nothing of Node', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8')
    expect(text).not.toMatch(/from '(node:|.*\.node\.ts')/)
    expect(text).not.toMatch(/\b(Buffer|process)\b\./)
  })
})
