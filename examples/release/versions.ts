/** A commit as far as a release cares. */
export interface Commit {
  readonly hash: string
  readonly subject: string
  /** Whether its message says that it breaks something (`feat!: …`, `BREAKING CHANGE: …`). */
  readonly breaking: boolean
}

const NUMBER = '(0|[1-9]\\d*)'
const VERSION = new RegExp(`^(v?)${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-[0-9A-Za-z.-]+)?$`)

/** Whether `text` is a version such as `1.4.0` or `2.0.0-rc.1`, without a prefix. */
export function isVersion(text: string): boolean {
  return VERSION.test(text) && !text.startsWith('v') && !text.endsWith('.') && !text.includes('..')
}

/** What a tag's name begins with before its version: `v`, or nothing. `v` when there is no tag to follow. */
export function prefixOf(lastTag: string | undefined): string {
  return lastTag === undefined || lastTag.startsWith('v') ? 'v' : ''
}

/**
 * The version that the commit messages suggest (conventional commits): a breaking change, a feature, or neither. Before
 * 1.0.0 a breaking change counts as a feature. `0.1.0` when there was none before.
 */
export function suggestVersion(lastTag: string | undefined, commits: readonly Commit[]): string {
  const [, , major, minor, patch] = VERSION.exec(lastTag ?? '') ?? []
  if (major === undefined || minor === undefined || patch === undefined) return '0.1.0'
  const numbers = { major: Number(major), minor: Number(minor), patch: Number(patch) }
  const breaking = commits.some((commit) => commit.breaking)
  if (breaking && numbers.major > 0) return `${numbers.major + 1}.0.0`
  if (breaking || commits.some((commit) => kindOf(commit) === 'feature'))
    return `${numbers.major}.${numbers.minor + 1}.0`
  return `${numbers.major}.${numbers.minor}.${numbers.patch + 1}`
}

/** Lines of a draft that a person can still take in, in a terminal of 24 rows. */
const DRAFT_LINES = 8

/** Characters of a subject in a list: one row of a terminal. */
const SUBJECT_LENGTH = 72

/** A subject as a line of a list. */
export function listed(subject: string): string {
  return `- ${subject.length > SUBJECT_LENGTH ? `${subject.slice(0, SUBJECT_LENGTH - 1).trimEnd()}…` : subject}`
}

/**
 * Release notes to start from: one line a commit, features first. The heading stands for the kind of a commit, so only its
 * scope is kept; under a heading of many kinds the whole subject is.
 */
export function draftNotes(since: readonly Commit[], total: number): string {
  const commits = since.slice(0, DRAFT_LINES)
  const of = (kind: Kind): readonly Commit[] => commits.filter((commit) => kindOf(commit) === kind)
  const other = of('other')
  const parts = [
    section('Breaking', of('breaking')),
    section('Features', of('feature')),
    section('Fixes', of('fix')),
    section(other.length === commits.length ? 'Changes' : 'Other changes', other),
    total > commits.length ? `… and ${total - commits.length} more` : '',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function section(title: string, commits: readonly Commit[]): string {
  if (commits.length === 0) return ''
  return [`${title}:`, ...commits.map((commit) => listed(headed(commit)))].join('\n')
}

const CONVENTIONAL = /^([a-z]+)(\([^)]*\))?(!)?:\s+/

type Kind = 'breaking' | 'feature' | 'fix' | 'other'

function kindOf({ subject, breaking }: Commit): Kind {
  if (breaking) return 'breaking'
  const word = CONVENTIONAL.exec(subject)?.[1]
  if (word === 'feat') return 'feature'
  return word === 'fix' ? 'fix' : 'other'
}

/** The subject as it reads below the heading of its kind. */
function headed(commit: Commit): string {
  const { subject } = commit
  if (kindOf(commit) === 'other') return subject
  return subject.replace(CONVENTIONAL, (_all, _kind, scope?: string) =>
    scope === undefined ? '' : `${scope.slice(1, -1)}: `,
  )
}

/** Whether a commit message says that it breaks something. */
export function isBreaking(subject: string, body: string): boolean {
  return CONVENTIONAL.exec(subject)?.[3] === '!' || /^BREAKING[ -]CHANGE: /m.test(body)
}
