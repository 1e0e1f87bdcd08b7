import { shown } from '../errors/value-text.ts'
import { isJsonObject } from '../jsonrpc/json-object.ts'
import { compileTemplate, type CompiledTemplate } from '../protocol/uri-template.ts'
import { checkCacheHint, type CacheHintOptions } from './cache-hints.ts'
import { callPolicy, type CallPolicy } from './call-policy.ts'
import { completer, type CompleteFn, type Completer } from './completer.ts'
import type { Context } from './context.ts'
import { RESOURCE_OPTIONS, type ResourceOptionsBase, type ResourceReturn } from './define-resource.ts'
import {
  checkAnnotations,
  checkHandler,
  checkMimeType,
  checkOptions,
  definitionJson,
  described,
  refuse,
  refuseWith,
} from './definition.ts'
import type { ResourceLister } from './resource-source.ts'
import type { TemplateVariable, TemplateVariables } from './template-variables.ts'
import type { Visible } from './visible.ts'

/** What {@link templateEntry} takes beside name and handler. */
export interface ResourceTemplateOptions<T extends string = string> extends ResourceOptionsBase {
  /** RFC 6570, such as `notes://{day}/{+path}`. */
  readonly uriTemplate: T
  /** Completers by variable. */
  readonly complete?: { readonly [K in TemplateVariable<T>]?: Completer } | undefined
  /** Lists the resources there are under this template, page by page. */
  readonly list?: ResourceLister | undefined
  /** Lets variables hold `..`, encoded slashes and NUL, which a server of files must not. */
  readonly allowUnsafe?: boolean | undefined
}

/** Reads a resource of a template. Runs again from the top each round. */
export type ResourceTemplateHandler<T extends string> = (
  variables: TemplateVariables<T>,
  ctx: Context,
) => ResourceReturn | PromiseLike<ResourceReturn>

/** A resource template as the registry keeps it. */
export interface TemplateEntry {
  readonly kind: 'template'
  readonly name: string
  readonly uriTemplate: string
  readonly template: CompiledTemplate
  /** Its definition as it is listed, serialised once. */
  readonly json: string
  readonly mimeType: string | undefined
  readonly complete: ReadonlyMap<string, CompleteFn>
  readonly list: ResourceLister | undefined
  readonly cache: CacheHintOptions | undefined
  readonly policy: CallPolicy
  readonly visible: Visible | undefined
  readonly handler: (variables: never, ctx: Context) => unknown
}

const OPTIONS = [...RESOURCE_OPTIONS, 'uriTemplate', 'complete', 'list', 'allowUnsafe']

/**
 * Checks a resource template's definition and makes it ready for reads.
 *
 * @throws RondoError `DEFINITION_INVALID`, with what is wrong and what to do.
 * @see server/resources, "Resource Templates", of the specification
 */
export function templateEntry(
  name: string,
  options: ResourceTemplateOptions,
  handler: (variables: never, ctx: Context) => unknown,
): TemplateEntry {
  const where = `Resource template ${shown(name)}`
  if (typeof name !== 'string' || name === '') refuse(where, 'a template needs a name, a text that is not empty.')
  checkOptions(options, OPTIONS, where)
  checkHandler(handler, where)
  const { uriTemplate, mimeType, annotations, cache, list } = options
  const template = compile(uriTemplate, options.allowUnsafe ?? false, where)
  checkMimeType(mimeType, where)
  checkAnnotations(annotations, where)
  checkCacheHint(cache, where)
  if (list !== undefined && typeof list !== 'function') refuse(where, 'list must be a function that returns a page.')
  const { title, description, icons, _meta } = described(options, where)
  return {
    kind: 'template',
    name,
    uriTemplate,
    template,
    json: definitionJson({ uriTemplate, name, title, description, mimeType, icons, annotations, _meta }, where),
    mimeType,
    complete: completersOf(options.complete, template, where),
    list,
    cache,
    policy: callPolicy(options, where),
    visible: options.visible,
    handler,
  }
}

function compile(uriTemplate: string, allowUnsafe: boolean, where: string): CompiledTemplate {
  if (typeof uriTemplate !== 'string' || !/^[A-Za-z][A-Za-z0-9+.-]*:|^\{/.test(uriTemplate)) {
    refuse(where, `uriTemplate ${shown(uriTemplate)} does not begin with a scheme, such as 'notes://{day}'.`)
  }
  try {
    const template = compileTemplate(uriTemplate, { allowUnsafe })
    if (template.variables.length > 0) return template
  } catch (error) {
    refuseWith(error, where)
  }
  return refuse(where, 'uriTemplate has no variables. Use resource() for a fixed URI.')
}

function completersOf(
  complete: Readonly<Record<string, Completer | undefined>> | undefined,
  template: CompiledTemplate,
  where: string,
): ReadonlyMap<string, CompleteFn> {
  if (complete !== undefined && !isJsonObject(complete))
    refuse(where, 'complete must be an object of completers by variable.')
  const completers = new Map<string, CompleteFn>()
  for (const [name, one] of Object.entries(complete ?? {})) {
    if (one === undefined) continue
    if (!template.variables.includes(name)) {
      refuse(where, `complete names ${shown(name)}, which is not among ${template.variables.join(', ')}.`)
    }
    completers.set(name, completer(one, `${where}: variable ${shown(name)}`))
  }
  return completers
}
