import { type Context, fail, Server } from 'rondo'
import { z } from 'zod'
import { makeTag, Problem, readRelease, type Release } from './repository.ts'
import { draftNotes, isVersion, listed, prefixOf, suggestVersion } from './versions.ts'

/** Options of the example server. */
export interface ReleaseServerOptions {
  /** Folder whose repositories it may release. */
  readonly root: string
}

/** A server with one tool, `release`, which asks its way to an annotated Git tag. */
export function releaseServer({ root }: ReleaseServerOptions): Server {
  const server = new Server({ name: 'release', title: 'Release desk', version: '1.0.0' })

  server.tool(
    'release',
    {
      title: 'Release a repository',
      description: 'Makes an annotated Git tag, once a person has chosen its version and notes and confirmed it',
      input: z.object({ repository: z.string().describe(`Path of the repository, from ${root}`) }),
    },
    async ({ repository }, ctx) => {
      // In a step: the history is read once. Commits made while the person thinks change nothing.
      const release = await ctx.step('read history', ({ signal }) => told(readRelease(root, repository, signal)))
      if ('problem' in release) return fail(release.problem)

      const version = await askVersion(ctx, release)
      const notes = await ctx.ask.text('notes', `What do the notes of ${version} say?`, {
        title: 'Notes',
        default: draftNotes(release.commits, release.total),
        orEnd: `${release.name} was not released: there are no notes.`,
      })

      const tag = prefixOf(release.lastTag) + version
      const go = await ctx.ask.confirm(
        'go',
        `Tag ${release.head.slice(0, 9)} of ${release.name} as ${tag}?\n\n${notes}`,
      )
      if (!go) return `${release.name} was not released.`

      // In a step: it runs once, and when its reply is lost, the repeated attempt finds the tag by its key.
      const made = await ctx.step('make tag', ({ idempotencyKey: key, signal }) =>
        told(makeTag(release.folder, { name: tag, commit: release.head, notes, key }, signal).then((how) => ({ how }))),
      )
      if ('problem' in made) return fail(made.problem)
      return `Tagged ${release.head.slice(0, 9)} of ${release.name} as ${tag}. Publish it with: git push origin ${tag}`
    },
  )
  return server
}

/** Commits that a question names, so that it fits a small terminal. */
const SHOWN_COMMITS = 5

/** Asks for the version until it is one, and free. What the schema refuses is asked again, with the reason. */
async function askVersion(ctx: Context, release: Release): Promise<string> {
  const { name, lastTag, commits, total, tags } = release
  const since = lastTag === undefined ? 'so far' : `since ${lastTag}`
  const shown = commits.slice(0, SHOWN_COMMITS).map(({ subject }) => listed(subject))
  const more = total > shown.length ? [`… and ${total - shown.length} more`] : []
  const { version } = await ctx.ask.form('version', {
    message: [`${name} has ${total} commit${total === 1 ? '' : 's'} ${since}:`, ...shown, ...more].join('\n'),
    schema: z.object({
      version: z
        .string()
        .refine(isVersion, 'This is not a version such as 1.4.0')
        .refine((text) => !tags.includes(prefixOf(lastTag) + text), 'There is a tag of this version already')
        .meta({
          title: 'Version',
          description: 'Suggested from the commit messages',
          default: suggestVersion(lastTag, commits),
        }),
    }),
    orEnd: `${name} was not released: no version was chosen.`,
  })
  return version
}

/** A problem as a value, so that a step records it and a later round says the same. Anything else stays an error. */
async function told<T>(work: Promise<T>): Promise<T | { readonly problem: string }> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}
