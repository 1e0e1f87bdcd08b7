import { realpath } from 'node:fs/promises'
import { basename, join, resolve, sep } from 'node:path'
import { git, GitError } from './git.ts'
import { type Commit, isBreaking } from './versions.ts'

/** Something the person can put right; its message is for them. */
export class Problem extends Error {}

/** What is to be released: taken once, in a step, so that commits that come later do not reword the questions. */
export interface Release {
  /** The repository's top folder. */
  readonly folder: string
  readonly name: string
  /** The commit that will carry the tag. */
  readonly head: string
  readonly lastTag?: string
  /** Commits since the last tag, newest first, and how many there are. */
  readonly commits: readonly Commit[]
  readonly total: number
  /** Names of the tags there are. */
  readonly tags: readonly string[]
}

/** What a round trip has to carry of a long history is bounded. */
const MOST_COMMITS = 100
const MOST_TAGS = 1000

/**
 * Reads what there is to release.
 *
 * @param root folder that `path` must lie in
 * @throws Problem in words for the person
 */
export async function readRelease(root: string, path: string, signal?: AbortSignal): Promise<Release> {
  const options = signal === undefined ? {} : { signal }
  const start = await folderWithin(root, path)
  const top = await git(start, ['rev-parse', '--show-toplevel'], options).catch((error: unknown) =>
    notReadable(path, error),
  )
  // The folder may lie in a repository that is larger than the root.
  const folder = await folderWithin(root, top.trimEnd())
  const run = (...args: string[]): Promise<string> => git(folder, args, options)
  const head = await run('rev-parse', '--verify', '--quiet', 'HEAD^{commit}').catch(() => {
    throw new Problem(`${path} has no commit yet.`)
  })
  const changes = await run('status', '--porcelain', '--untracked-files=no')
  if (changes !== '')
    throw new Problem(`${path} has changes that are not committed:\n${changes.trimEnd()}\nCommit or stash them first.`)
  const lastTag = (
    await run('describe', '--tags', '--abbrev=0', '--match=v[0-9]*', '--match=[0-9]*').catch(() => '')
  ).trim()
  const range = lastTag === '' ? 'HEAD' : `refs/tags/${lastTag}..HEAD`
  const total = Number(await run('rev-list', '--count', '--no-merges', range, '--'))
  if (total === 0) throw new Problem(`There is nothing to release: no commit since ${lastTag}.`)
  const log = await run('log', '--no-merges', `--max-count=${MOST_COMMITS}`, '--format=%H%x1f%s%x1f%b%x1e', range, '--')
  const tags = await run('tag', '--list', '--sort=-creatordate')
  return {
    folder,
    name: basename(folder),
    head: head.trim(),
    ...(lastTag !== '' && { lastTag }),
    commits: commitsOf(log),
    total,
    tags: tags
      .split('\n')
      .filter((tag) => tag !== '')
      .slice(0, MOST_TAGS),
  }
}

/** The folder, real and inside `root`: what is outside is not told from what is not there. */
async function folderWithin(root: string, path: string): Promise<string> {
  const [top, folder] = await Promise.all([realpath(root), realpath(resolve(root, path)).catch(() => undefined)])
  if (folder === undefined || (folder !== top && !folder.startsWith(join(top, sep)))) {
    throw new Problem(`There is no folder ${path} in ${root}.`)
  }
  return folder
}

function notReadable(path: string, error: unknown): never {
  const said = error instanceof GitError ? error.stderr : String(error)
  if (said.includes('dubious ownership'))
    throw new Problem(`${path} belongs to another user, so git does not touch it.`)
  if (said.includes('must be run in a work tree')) throw new Problem(`${path} is a repository without a working tree.`)
  if (said.includes('not a git repository') || said.includes('ENOTDIR'))
    throw new Problem(`${path} is not a Git repository.`)
  throw new Problem(`git cannot read ${path}: ${said.trim()}`)
}

function commitsOf(log: string): Commit[] {
  return log
    .split('\x1e')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [hash = '', subject = '', body = ''] = entry.split('\x1f')
      return { hash, subject: subject.slice(0, 200), breaking: isBreaking(subject, body) }
    })
}

/** A tag to be made. */
export interface NewTag {
  readonly name: string
  /** Commit that carries it. */
  readonly commit: string
  readonly notes: string
  /** Stands in the message, so that a repeated attempt knows its own tag. */
  readonly key: string
}

/**
 * Makes an annotated tag. When it is already there and its message carries the same key, an earlier attempt of the same
 * call made it, and nothing is left to do.
 *
 * @throws Problem when a tag of that name is somebody else's, or git cannot make it
 */
export async function makeTag(folder: string, tag: NewTag, signal?: AbortSignal): Promise<'made' | 'found'> {
  const trailer = `Release-Key: ${tag.key}`
  const input = `${tag.name}\n\n${tag.notes.trim()}\n\n${trailer}\n`
  const options = { input, ...(signal && { signal }) }
  try {
    await git(folder, ['tag', '--annotate', '--cleanup=whitespace', '--file=-', tag.name, tag.commit], options)
    return 'made'
  } catch (error) {
    const there = await git(folder, ['for-each-ref', '--format=%(contents)', `refs/tags/${tag.name}`]).catch(() => '')
    if (there.split('\n').includes(trailer)) return 'found'
    const said = error instanceof GitError ? error.stderr : String(error)
    if (said.includes('already exists'))
      throw new Problem(`There is a tag ${tag.name} already, and this call did not make it.`)
    if (/tell me who you are|empty ident/i.test(said)) {
      throw new Problem('git does not know who makes the tag: set user.name and user.email in its configuration.')
    }
    throw new Problem(`git cannot make the tag ${tag.name}: ${said.trim()}`)
  }
}
