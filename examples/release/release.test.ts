import { connect, type FormAsk } from 'rondo/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { releaseServer } from './release-server.ts'
import { makeTag, readRelease } from './repository.ts'
import { scratchRepository, type ScratchRepository } from './scratch-repository.ts'

let repository: ScratchRepository
beforeEach(() => {
  repository = scratchRepository()
})
afterEach(() => repository.remove())

type Content = Readonly<Record<string, string | boolean>>
/** What a person does with an ask: fills it in, or refuses. `onAsk` may look at it first. */
type Answers = Readonly<Record<string, Content | 'decline' | 'cancel'>>

async function release(answers: Answers, path = repository.name, onAsk?: (ask: FormAsk) => void) {
  const asked: FormAsk[] = []
  const client = await connect(releaseServer({ root: repository.root }), {
    onElicit: (ask) => {
      asked.push(ask)
      onAsk?.(ask)
      const answer = answers[ask.key] ?? 'decline'
      if (answer === 'decline' || answer === 'cancel') return { action: answer }
      return { action: 'accept', content: ask.fill(answer) as Content }
    },
  })
  const result = await client.callTool('release', { repository: path })
  await client.close()
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  return { text, failed: result.isError === true, asked }
}

const YES = { version: {}, notes: {}, go: { value: true } }

describe('a release', () => {
  test('asks for the version, the notes and the go-ahead, and makes an annotated tag', async () => {
    repository.commit('chore: begin')
    repository.git('tag', '-a', 'v1.2.3', '-m', 'before')
    repository.commit('fix: crash on start')
    const head = repository.commit('feat(ui): a button')

    const { text, failed, asked } = await release(YES)

    expect(failed).toBe(false)
    expect(text).toBe(`Tagged ${head.slice(0, 9)} of shop as v1.3.0. Publish it with: git push origin v1.3.0`)
    expect(asked.map(({ key, round }) => [key, round])).toEqual([
      ['version', 1],
      ['notes', 2],
      ['go', 3],
    ])
    expect(asked[0]?.request.message).toBe(
      'shop has 2 commits since v1.2.3:\n- feat(ui): a button\n- fix: crash on start',
    )
    expect(asked[0]?.fill()).toEqual({ version: '1.3.0' })
    expect(asked[1]?.fill()).toEqual({ value: 'Features:\n- ui: a button\n\nFixes:\n- crash on start' })
    expect(asked[2]?.request.message).toContain(`Tag ${head.slice(0, 9)} of shop as v1.3.0?`)
    expect(repository.git('rev-parse', 'v1.3.0^{commit}')).toBe(head)
    expect(repository.git('cat-file', '-t', 'v1.3.0')).toBe('tag')
    expect(repository.git('tag', '-l', '--format=%(contents)', 'v1.3.0')).toMatch(
      /^v1\.3\.0\n\nFeatures:\n- ui: a button\n\nFixes:\n- crash on start\n\nRelease-Key: \S+$/,
    )
  })

  test('the first release of a repository starts at 0.1.0', async () => {
    repository.commit('begin')
    const { asked, failed } = await release(YES)
    expect(failed).toBe(false)
    expect(asked[0]?.request.message).toBe('shop has 1 commit so far:\n- begin')
    expect(repository.git('tag')).toBe('v0.1.0')
  })

  test('tags without a v stay without one', async () => {
    repository.commit('begin')
    repository.git('tag', '1.0.0')
    repository.commit('feat!: other')
    await release(YES)
    expect(repository.git('tag')).toBe('1.0.0\n2.0.0')
  })

  test('what the person changes is what is made, headings included', async () => {
    repository.commit('begin')
    await release({ ...YES, version: { version: '3.0.0-rc.1' }, notes: { value: '# Big one\n\nMany things.' } })
    expect(repository.git('tag', '-l', '--format=%(contents)', 'v3.0.0-rc.1')).toContain('# Big one\n\nMany things.')
  })

  test('commits made while the person thinks neither reword the questions nor move the tag', async () => {
    const head = repository.commit('feat: one')
    const { asked, text } = await release(YES, 'shop', ({ key }) => {
      if (key === 'notes') repository.commit('feat: two')
    })
    expect(asked.map(({ key }) => key)).toEqual(['version', 'notes', 'go'])
    expect(text).toContain(head.slice(0, 9))
    expect(repository.git('rev-parse', 'v0.1.0^{commit}')).toBe(head)
  })

  test('a path into the repository means the repository', async () => {
    repository.commit('begin')
    repository.git('config', 'core.hooksPath', '/nowhere')
    const { failed } = await release(YES, repository.path)
    expect(failed).toBe(false)
  })
})

describe('a person who says no', () => {
  test.each([
    ['version', {}, 'shop was not released: no version was chosen.', true],
    ['notes', { version: {} }, 'shop was not released: there are no notes.', true],
    ['go', { version: {}, notes: {} }, 'shop was not released.', false],
  ])('at %s', async (_key, answers, said, failed) => {
    repository.commit('begin')
    expect(await release(answers)).toMatchObject({ text: said, failed })
    expect(repository.git('tag')).toBe('')
  })

  test('by choosing No, or by closing the window', async () => {
    repository.commit('begin')
    expect((await release({ ...YES, go: { value: false } })).text).toBe('shop was not released.')
    expect((await release({ ...YES, go: 'cancel' })).text).toBe('shop was not released.')
    expect(repository.git('tag')).toBe('')
  })
})

describe('a version that will not do is asked again, with the reason', () => {
  test.each([
    ['one', 'This is not a version such as 1.4.0'],
    ['v2.0.0', 'This is not a version such as 1.4.0'],
    ['1.0.0', 'There is a tag of this version already'],
  ])('%s', async (version, reason) => {
    repository.commit('begin')
    repository.git('tag', 'v1.0.0')
    repository.commit('fix: it')
    const { asked, text } = await release({ ...YES, version: { version }, 'version~2': { version: '1.0.1' } })
    expect(asked.map(({ key }) => key)).toEqual(['version', 'version~2', 'notes', 'go'])
    expect(asked[1]?.request.message).toContain(reason)
    expect(text).toContain('as v1.0.1')
  })
})

describe('what cannot be released is said in words', () => {
  const tell = async (path?: string) => {
    const { text, failed, asked } = await release({}, path)
    expect(failed).toBe(true)
    expect(asked).toEqual([])
    return text
  }

  test('a folder that is not there', async () => {
    expect(await tell('nowhere')).toBe(`There is no folder nowhere in ${repository.root}.`)
  })

  test.each(['..', '../..', '/', '/etc'])('a folder outside the root: %s', async (path) => {
    expect(await tell(path)).toBe(`There is no folder ${path} in ${repository.root}.`)
  })

  test('a folder without a repository', async () => {
    repository.write('../plain', '')
    expect(await tell('.')).toBe('. is not a Git repository.')
  })

  test('a file', async () => {
    repository.write('file', '')
    expect(await tell('shop/file')).toBe('shop/file is not a Git repository.')
  })

  test('a repository without a commit', async () => {
    expect(await tell()).toBe('shop has no commit yet.')
  })

  test('a repository without a working tree', async () => {
    expect(await tell('shop/.git')).toBe('shop/.git is a repository without a working tree.')
  })

  test('changes that are not committed; untracked files do not count', async () => {
    repository.write('a.txt', 'one')
    repository.git('add', 'a.txt')
    repository.commit('begin')
    repository.write('a.txt', 'two')
    expect(await tell()).toBe('shop has changes that are not committed:\n M a.txt\nCommit or stash them first.')
    repository.git('checkout', '--quiet', 'a.txt')
    repository.write('untracked.txt', '')
    expect((await release(YES)).failed).toBe(false)
  })

  test('nothing since the last tag', async () => {
    repository.commit('begin')
    repository.git('tag', 'v1.0.0')
    expect(await tell()).toBe('There is nothing to release: no commit since v1.0.0.')
  })

  test('a git without a name', async () => {
    repository.commit('begin')
    repository.git('config', 'user.useConfigOnly', 'true')
    repository.git('config', '--unset', 'user.name')
    repository.git('config', '--unset', 'user.email')
    const before = { ...process.env }
    Object.assign(process.env, { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' })
    try {
      expect((await release(YES)).text).toContain('set user.name and user.email')
    } finally {
      process.env = before
    }
  })
})

describe('a path that begins with a dash', () => {
  test('is only a name', async () => {
    const dashed = scratchRepository('--upload-pack=touch pwned')
    dashed.commit('begin')
    const { commits } = await readRelease(dashed.root, dashed.name)
    expect(commits).toHaveLength(1)
    dashed.remove()
  })
})

describe('the step that makes the tag, run again', () => {
  const tag = { name: 'v1.0.0', notes: 'Notes', key: 'key-of-this-call' }

  test('finds its own tag by the key and is content', async () => {
    const commit = repository.commit('begin')
    expect(await makeTag(repository.path, { ...tag, commit })).toBe('made')
    const made = repository.git('rev-parse', 'v1.0.0')
    expect(await makeTag(repository.path, { ...tag, commit })).toBe('found')
    expect(repository.git('rev-parse', 'v1.0.0')).toBe(made)
  })

  test('a round sent twice, as when its reply was lost, succeeds twice and makes one tag', async () => {
    repository.commit('begin')
    const client = await connect(releaseServer({ root: repository.root }), { asks: ['form'] })
    let round = await client.startTool('release', { repository: 'shop' })
    const answers = { version: { version: '1.0.0' }, notes: { value: 'Notes' } }
    for (const [key, content] of Object.entries(answers)) {
      if (round.kind === 'input_required') round = await client.resume(round, { [key]: { action: 'accept', content } })
    }
    if (round.kind !== 'input_required') throw new Error('expected the last ask')
    const yes = { go: { action: 'accept', content: { value: true } } } as const
    const first = await client.resume(round, yes)
    const made = repository.git('rev-parse', 'v1.0.0')
    const second = await client.resume(round, yes)
    expect(first).toMatchObject({
      kind: 'complete',
      result: { content: [{ text: expect.stringMatching(/^Tagged/) as string }] },
    })
    expect(second).toEqual(first)
    expect(repository.git('rev-parse', 'v1.0.0')).toBe(made)
  })

  test("refuses somebody else's tag of that name", async () => {
    const commit = repository.commit('begin')
    repository.git('tag', '-a', 'v1.0.0', '-m', 'mine')
    await expect(makeTag(repository.path, { ...tag, commit })).rejects.toThrow(
      'There is a tag v1.0.0 already, and this call did not make it.',
    )
  })

  test('refuses a tag of another call', async () => {
    const commit = repository.commit('begin')
    await makeTag(repository.path, { ...tag, commit })
    await expect(makeTag(repository.path, { ...tag, commit, key: 'key-of-this' })).rejects.toThrow('did not make it')
  })

  test('a tag that appeared while the person was asked is told', async () => {
    repository.commit('begin')
    const { text, failed } = await release(YES, 'shop', ({ key }) => {
      if (key === 'go') repository.git('tag', 'v0.1.0')
    })
    expect(failed).toBe(true)
    expect(text).toBe('There is a tag v0.1.0 already, and this call did not make it.')
  })
})
