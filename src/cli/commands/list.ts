import { type Client } from '../../client/client.ts'
import { type Prompt } from '../../protocol/prompt.ts'
import { type Resource, type ResourceTemplate } from '../../protocol/resource.ts'
import { type Tool } from '../../protocol/tool.ts'
import { quoted } from '../asks/asker.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { type SessionOptions, withClient } from '../session.ts'
import { harmlessJson, oneLine } from '../terminal/harmless.ts'
import { type Host } from '../terminal/host.ts'
import { type Paint, paintFor } from '../terminal/paint.ts'
import { hung } from '../terminal/wrap.ts'

/** Options of `rondo list`. */
export interface ListOptions extends SessionOptions {
  readonly json: boolean
}

interface Offer {
  readonly tools: readonly Tool[]
  readonly prompts: readonly Prompt[]
  readonly resources: readonly Resource[]
  readonly resourceTemplates: readonly ResourceTemplate[]
}

/** `rondo list`: what a server offers. */
export async function list(options: ListOptions, host: Host): Promise<ExitCode> {
  const paint = paintFor(host.stdout.colour)
  return withClient(host, paint, options, {}, async (client, signal) => {
    const offer = await offerOf(client, signal)
    const { server, version } = client
    const { columns } = host.stdout
    host.stdout.write(
      options.json
        ? `${harmlessJson({ server, protocolVersion: version, ...offer })}\n`
        : `${headOf(client, paint, columns)}\n${offerText(offer, paint, columns)}\n`,
    )
    return EXIT.ok
  })
}

async function offerOf(client: Client, signal: AbortSignal): Promise<Offer> {
  const { capabilities } = client
  const all = async <T>(pages: AsyncIterable<T>, offered: boolean): Promise<T[]> => {
    const items: T[] = []
    if (offered) for await (const item of pages) items.push(item)
    return items
  }
  // Without an answer to discover, tools are what nearly every server has.
  const has = (kind: 'tools' | 'prompts' | 'resources'): boolean => capabilities?.[kind] !== undefined
  return {
    tools: await all(client.tools({ signal }), capabilities === undefined || has('tools')),
    prompts: await all(client.prompts({ signal }), has('prompts')),
    resources: await all(client.resources({ signal }), has('resources')),
    resourceTemplates: await all(client.resourceTemplates({ signal }), has('resources')),
  }
}

function headOf({ server, address, version, instructions }: Client, paint: Paint, columns: number): string {
  const called =
    server === undefined
      ? oneLine(address)
      : `${oneLine(server.title ?? server.name, 40)} ${oneLine(server.version, 20)}`
  const head = hung(`${called} (${oneLine(address)}, protocol ${oneLine(version, 40)})`, columns)
  const lines = [head.replace(called, (text) => paint('bold', text))]
  if (instructions !== undefined) lines.push(...quoted(oneLine(instructions, 300), paint, columns))
  return lines.join('\n')
}

function offerText(offer: Offer, paint: Paint, columns: number): string {
  const parts = [
    part(
      'Tools',
      offer.tools.map((tool) =>
        line(`${tool.name}(${argumentsText(tool)})`, tool.title, tool.description, paint, columns),
      ),
    ),
    part(
      'Prompts',
      offer.prompts.map((prompt) =>
        line(`${prompt.name}(${promptArguments(prompt)})`, prompt.title, prompt.description, paint, columns),
      ),
    ),
    part(
      'Resources',
      offer.resources.map((resource) =>
        line(resource.uri, resource.title ?? resource.name, resource.description, paint, columns),
      ),
    ),
    part(
      'Resource templates',
      offer.resourceTemplates.map((t) => line(t.uriTemplate, t.title ?? t.name, t.description, paint, columns)),
    ),
  ]
  return parts.filter((text) => text !== '').join('\n') || 'It offers nothing.'
}

function part(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n${title}\n${lines.join('\n')}`
}

function line(
  name: string,
  title: string | undefined,
  description: string | undefined,
  paint: Paint,
  columns: number,
): string {
  const about = [title, description].filter((text) => text !== undefined).map((text) => oneLine(text, 300))
  const head = paint('cyan', hung(`  ${oneLine(name, 300)}`, columns, 6))
  return about.length === 0 ? head : `${head}\n${hung(`      ${about.join(': ')}`, columns, 6)}`
}

function argumentsText({ inputSchema }: Tool): string {
  const { properties, required } = inputSchema as { properties?: Record<string, unknown>; required?: readonly string[] }
  return Object.entries(properties ?? {})
    .map(([name, schema]) => `${name}${required?.includes(name) === true ? '' : '?'}${typeText(schema)}`)
    .join(', ')
}

/** Type of an argument, or its choices. */
function typeText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return ''
  const { type, enum: choices, items } = schema as { type?: unknown; enum?: unknown; items?: { type?: unknown } }
  if (Array.isArray(choices)) return `: ${choices.map((each) => JSON.stringify(each)).join(' | ')}`
  if (type === 'array' && typeof items?.type === 'string') return `: ${items.type}[]`
  if (typeof type === 'string') return `: ${type}`
  return Array.isArray(type) ? `: ${type.join(' | ')}` : ''
}

function promptArguments({ arguments: args }: Prompt): string {
  return (args ?? []).map(({ name, required }) => (required === true ? name : `${name}?`)).join(', ')
}
