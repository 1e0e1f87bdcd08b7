import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nodeHost } from './host.node.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rondo-host-')))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
  vi.unstubAllEnvs()
})

const host = nodeHost()

test('source files: folders are searched, files taken as they are', async () => {
  for (const dir of ['src', 'src/deep', 'node_modules/x', 'dist', '.hidden'])
    mkdirSync(join(folder, dir), { recursive: true })
  for (const file of [
    'src/a.ts',
    'src/a.d.ts',
    'src/b.mjs',
    'src/c.json',
    'src/deep/d.tsx',
    'node_modules/x/i.js',
    'dist/i.js',
    '.hidden/h.ts',
  ]) {
    writeFileSync(join(folder, file), '')
  }
  const names = async (...paths: string[]) =>
    (await host.sourceFiles(paths.map((path) => join(folder, path)))).map((path) =>
      path.split('rondo-host-')[1]?.slice(7),
    )
  expect(await names('.')).toEqual(['src/a.ts', 'src/b.mjs', 'src/deep/d.tsx'])
  expect(await names('src/c.json')).toEqual(['src/c.json'])
  await expect(names('nowhere')).rejects.toThrow('ENOENT')
})

test('a directory as a URL, real; undefined for anything else', async () => {
  mkdirSync(join(folder, 'a b'))
  symlinkSync(join(folder, 'a b'), join(folder, 'link'))
  writeFileSync(join(folder, 'file'), '')
  const url = pathToFileURL(join(folder, 'a b')).href
  expect(await host.directoryUrl(join(folder, 'a b'))).toBe(url)
  expect(await host.directoryUrl(join(folder, 'link'))).toBe(url)
  expect(await host.directoryUrl(join(folder, 'file'))).toBeUndefined()
  expect(await host.directoryUrl(join(folder, 'nowhere'))).toBeUndefined()
})

describe('a URL is opened', () => {
  /** Puts a program in the place of the system's opener that writes down its arguments. */
  function opener(): () => string {
    const seen = join(folder, 'seen')
    for (const name of ['xdg-open', 'open']) {
      writeFileSync(
        join(folder, name),
        `#!/bin/sh\nprintf '%s\\n' "$#" "$@" > ${seen}.part\nmv ${seen}.part ${seen}\n`,
        { mode: 0o755 },
      )
    }
    vi.stubEnv('PATH', `${folder}:/usr/bin:/bin`)
    return () => readFileSync(seen, 'utf8')
  }

  test('through no shell: the whole URL is one argument', async () => {
    const seen = opener()
    const url = `https://example.com/?a=$(touch+${folder}/pwned)&b=;id`
    expect(await host.openUrl(url)).toBe(true)
    await vi.waitFor(() => expect(seen()).toBe(`1\n${url}\n`))
    expect(await host.directoryUrl(join(folder, 'pwned'))).toBeUndefined()
  })

  test.each(['file:///etc/passwd', 'javascript:alert(1)', '--version', 'HTTPS://example.com', ''])(
    'never %j',
    async (url) => {
      opener()
      expect(await host.openUrl(url)).toBe(false)
    },
  )

  test('unless there is nothing to open it with', async () => {
    vi.stubEnv('PATH', folder)
    expect(await host.openUrl('https://example.com/')).toBe(false)
  })
})
