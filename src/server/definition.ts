import { kindOf, shown } from '../errors/value-text.ts'
import { isAudience, isDateText, isIconSizes, isIconTheme, isMimeType, isPriority } from '../protocol/content-check.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { isRondoError, RondoError } from '../errors/rondo-error.ts'
import type { Annotations } from '../protocol/content.ts'
import { isMetaKey, type Icon, type Meta } from '../protocol/meta.ts'
import { isStandardSchema } from '../protocol/standard-schema.ts'
import type { Visible } from './visible.ts'

/** What every definition may say of itself. */
export interface DescribedOptions {
  /** Name for people. */
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly icons?: readonly Icon[] | undefined
  /** `_meta` of the definition. */
  readonly meta?: Meta | undefined
  /** For whom it exists; everybody by default. */
  readonly visible?: Visible | undefined
}

/** Names of {@link DescribedOptions}, for the check of unknown options. */
export const DESCRIBED_OPTIONS = ['title', 'description', 'icons', 'meta', 'visible'] as const

/** The members of {@link DescribedOptions} as the wire has them. */
export interface Described {
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly _meta?: Meta
}

/** Names other libraries, or the wire, have for an option of ours. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  inputSchema: 'input',
  parameters: 'input',
  argsSchema: 'arguments',
  args: 'arguments',
  outputSchema: 'output',
  _meta: 'meta',
  uri_template: 'uriTemplate',
  template: 'uriTemplate',
  hidden: 'visible',
  ttlMs: 'cache',
  cacheScope: 'cache',
}

/** Refuses a definition: what is wrong, and what to do. */
export function refuse(where: string, why: string, cause?: unknown): never {
  throw new RondoError('DEFINITION_INVALID', `${where}: ${why}`, { cause })
}

/** Puts the name of the definition before a refusal from the layer below; anything else is a bug and goes on as it is. */
export function refuseWith(error: unknown, where: string): never {
  if (!isRondoError(error, 'DEFINITION_INVALID')) throw error
  return refuse(where, error.message, error)
}

/**
 * Refuses what is no object of options, or has one that nobody reads: a misspelt option would otherwise be silently lost.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function checkOptions(options: object, known: readonly string[], where: string): void {
  if (!isJsonObject(options)) {
    refuse(
      where,
      `the options must be an object, not ${kindOf(options)}. What describes it stands in it, before the handler: { description: '…' }.`,
    )
  }
  for (const name of Object.keys(options)) {
    if (known.includes(name)) continue
    const meant = OTHER_NAMES[name]
    const takes = ['input', 'arguments'].find((one) => known.includes(one))
    if (meant === undefined && takes !== undefined && isStandardSchema(options[name])) {
      refuse(where, `\`${name}\` is a schema where an option must be. Write { ${takes}: z.object({ ${name}: … }) }.`)
    }
    const hint = meant !== undefined && known.includes(meant) ? `Use \`${meant}\`.` : `Known are ${known.join(', ')}.`
    refuse(where, `there is no option \`${name}\`. ${hint}`)
  }
}

/** @throws RondoError `DEFINITION_INVALID` */
export function checkHandler(handler: unknown, where: string): void {
  if (typeof handler !== 'function') refuse(where, 'the handler (the last argument) must be a function.')
}

/**
 * Checks title, description, icons, `_meta` and `visible`.
 *
 * @throws RondoError `DEFINITION_INVALID`
 */
export function described(options: DescribedOptions, where: string): Described {
  const { title, description, icons, meta, visible } = options
  optionalText(title, 'title', where)
  optionalText(description, 'description', where)
  if (visible !== undefined && typeof visible !== 'function') {
    refuse(where, 'visible must be a function of the caller that returns a boolean.')
  }
  if (icons !== undefined) checkIcons(icons, where)
  if (meta !== undefined) checkMeta(meta, where)
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(icons === undefined ? {} : { icons }),
    ...(meta === undefined ? {} : { _meta: meta }),
  }
}

/** @throws RondoError `DEFINITION_INVALID` */
export function optionalText(value: unknown, name: string, where: string): void {
  if (value !== undefined && typeof value !== 'string') {
    refuse(where, `${name} must be a text, not ${kindOf(value)}.`)
  }
}

/** @throws RondoError `DEFINITION_INVALID` */
export function checkMimeType(value: unknown, where: string): void {
  if (value === undefined || isMimeType(value)) return
  refuse(where, `mimeType ${shown(value)} is not a MIME type. Write type/subtype, such as 'text/plain'.`)
}

/**
 * @throws RondoError `DEFINITION_INVALID`
 * @see basic/index, "`icons`", of the specification
 */
export function checkIcons(icons: readonly Icon[], where: string): void {
  if (!Array.isArray(icons)) refuse(where, 'icons must be an array of { src, mimeType?, sizes?, theme? }.')
  for (const icon of icons as readonly Icon[]) {
    const src: unknown = isJsonObject(icon) ? icon.src : undefined
    if (typeof src !== 'string') refuse(where, 'every icon needs a src, an https: or data: URI.')
    if (!isIconSource(src)) {
      refuse(
        where,
        `icon ${JSON.stringify(src.slice(0, 80))} is not an https: or data: URI; clients refuse other icons.`,
      )
    }
    checkMimeType(icon.mimeType, where)
    const { sizes, theme } = icon
    if (sizes !== undefined && !isIconSizes(sizes)) {
      refuse(where, "an icon's sizes must be an array of texts, such as ['48x48'].")
    }
    if (theme !== undefined && !isIconTheme(theme)) {
      refuse(where, "an icon's theme must be 'light' or 'dark'.")
    }
  }
}

/** `http:` is let through for a development server. */
function isIconSource(src: string): boolean {
  if (/^data:/i.test(src)) return true
  return /^https?:/i.test(src) && URL.canParse(src) && new URL(src).username === ''
}

/**
 * @throws RondoError `DEFINITION_INVALID`
 * @see basic/index, "`_meta`", of the specification
 */
export function checkMeta(meta: Meta, where: string): void {
  if (!isJsonObject(meta)) refuse(where, 'meta must be an object.')
  for (const key of Object.keys(meta)) {
    if (isMetaKey(key)) continue
    refuse(
      where,
      `meta key ${JSON.stringify(key)} is not allowed. A key is a name of letters, digits, '-', '_' and '.', ` +
        "and may have a prefix of dotted labels and a slash before it, such as 'com.example/team'.",
    )
  }
}

/**
 * @throws RondoError `DEFINITION_INVALID`
 * @see server/resources, "Annotations", of the specification
 */
export function checkAnnotations(annotations: Annotations | undefined, where: string): void {
  if (annotations === undefined) return
  if (!isJsonObject(annotations)) refuse(where, 'annotations must be an object.')
  checkOptions(annotations, ['audience', 'priority', 'lastModified'], `${where}: annotations`)
  const { audience, priority, lastModified } = annotations
  if (audience !== undefined && !isAudience(audience)) {
    refuse(where, "annotations.audience must be an array of 'user' and 'assistant'.")
  }
  if (priority !== undefined && !isPriority(priority)) {
    refuse(where, 'annotations.priority must be a number from 0 to 1.')
  }
  if (lastModified !== undefined && !isDateText(lastModified)) {
    refuse(where, "annotations.lastModified must be a date in ISO 8601, such as '2026-01-12T15:00:58Z'.")
  }
}

/**
 * JSON text of a definition.
 *
 * @throws RondoError `DEFINITION_INVALID` when it holds what JSON cannot.
 */
export function definitionJson(definition: object, where: string): string {
  try {
    return JSON.stringify(definition)
  } catch (error) {
    return refuse(where, `the definition cannot be written as JSON (${(error as Error).message}).`, error)
  }
}
