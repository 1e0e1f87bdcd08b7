import { fullName, type Imported } from './imports.ts'
import { argumentsOf, isNode, type SyntaxNode } from './syntax.ts'

type Imports = ReadonlyMap<string, Imported>

/** Something a call does to the world, in a few words that fit into "… runs again". */
export interface Effect {
  readonly what: string
  /** True when the name alone says too little (`cache.set`): it counts only where its promise is awaited. */
  readonly onlyAwaited?: boolean
}

const FETCH =
  /^(globalThis\.)?fetch$|^undici\.(fetch|request)$|^(axios|got|ky|superagent|node-fetch)(\.(get|post|put|patch|delete|head|request))?$/
const FILE_WRITES =
  /^fs\.(promises\.)?(writeFile|appendFile|rm|rmdir|unlink|mkdir|mkdtemp|rename|copyFile|cp|chmod|chown|truncate|symlink|link|utimes|remove|move|copy|outputFile|outputJson|writeJson|ensureDir|emptyDir)(Sync)?$|^fs\.createWriteStream$|^Bun\.write$|^Deno\.(write\w*|remove|mkdir|rename|copyFile|truncate)(Sync)?$/
const PROCESSES =
  /^child_process\.(exec|execFile|spawn|fork)(Sync)?$|^(execa|zx|tinyexec)(\.[$\w]+)*$|^process\.kill$|^Bun\.spawn(Sync)?$|^Deno\.(run|kill)$/
/** Receivers that look like a database, a queue or another service by their name. */
const SERVICES =
  /^(this\.)?#?(db|database|pool|conn|connection|client|knex|prisma|drizzle|sql|tx|trx|redis|mongo|pg|mysql|sqlite|em|orm|queue|mailer|mail|stripe|s3|bucket|kafka|producer|publisher|\w*(Repo|Repository|Db|Store|Table|Collection|Queue|Api|Service|Client))(\.|\(\)|$)/
/** Methods that change something on such a receiver. */
const CHANGES =
  /^(query|execute|exec|run|insert|update|upsert|delete|remove|save|create|destroy|set|add|push|put|post|patch|write|send|publish|enqueue|charge|refund|transfer|pay|commit|transaction|\$transaction|\$executeRaw|\$executeRawUnsafe)([A-Z]\w*)?$/
/** Methods that change something on whatever they are called. */
const CERTAIN_CHANGES =
  /^(insertOne|insertMany|updateOne|updateMany|deleteOne|deleteMany|replaceOne|findOneAndUpdate|findOneAndDelete|createMany|upsert|sendMail|\$transaction|\$executeRaw|bulkWrite)$/

/** Databases that change something without a promise. */
const SYNCHRONOUS = /^(this\.)?#?(db|database|sqlite)(\.|$)/

/** What `node` does to the world, judged by names, or `undefined` when it looks harmless. */
export function effectOf(node: SyntaxNode, imports: Imports): Effect | undefined {
  if (node.type === 'TaggedTemplateExpression') return templateEffect(node, imports)
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return undefined
  const name = fullName(node.callee, imports)
  if (name === undefined) return undefined
  if (FETCH.test(name)) return { what: `the request (${short(name)})` }
  if (FILE_WRITES.test(name)) return { what: `the change of files (${short(name)})` }
  if (PROCESSES.test(name)) return { what: `the command (${short(name)})` }
  const dot = name.lastIndexOf('.')
  if (dot < 0) return undefined
  const [receiver, method] = [name.slice(0, dot), name.slice(dot + 1)]
  const what = `the change in a database or service (${short(name)})`
  if (CERTAIN_CHANGES.test(method)) return { what }
  if (!CHANGES.test(method) || !SERVICES.test(receiver)) return undefined
  if (/^(query|execute|exec|run)$/.test(method) && readsOnly(argumentsOf(node)[0])) return undefined
  return SYNCHRONOUS.test(receiver) && /^(exec|run)$/.test(method) ? { what } : { what, onlyAwaited: true }
}

function templateEffect(node: SyntaxNode, imports: Imports): Effect | undefined {
  if (!isNode(node.tag)) return undefined
  const name = fullName(node.tag, imports)
  if (name === undefined) return undefined
  if (/^(zx|execa|bun)\.\$$/.test(name) || name === '$') return { what: 'the command ($`…`)' }
  if (readsOnly(node.quasi)) return undefined
  return /(^|\.)sql$|\$executeRaw$/.test(name) ? { what: `the change in a database (${short(name)}\`…\`)` } : undefined
}

/** Whether a literal text is SQL that changes nothing and takes no lock. */
function readsOnly(node: unknown): boolean {
  if (!isNode(node)) return false
  const parts = Array.isArray(node.quasis) ? (node.quasis as { value: { raw: string } }[]) : []
  const text = typeof node.value === 'string' ? node.value : parts.map(({ value }) => value.raw).join('?')
  return (
    /^\s*(select|show|explain|describe)\b/i.test(text) && !/\b(into|for\s+(no\s+key\s+)?(update|share))\b/i.test(text)
  )
}

const VALUES = new Map<string, string>([
  ['Date.now', 'ctx.now()'],
  ['performance.now', 'ctx.now()'],
  ['process.hrtime', 'ctx.now()'],
  ['process.hrtime.bigint', 'ctx.now()'],
  ['Math.random', 'ctx.random()'],
  ['crypto.randomUUID', 'ctx.uuid()'],
  ['globalThis.crypto.randomUUID', 'ctx.uuid()'],
  ['crypto.getRandomValues', 'ctx.uuid()'],
  ['crypto.randomBytes', 'ctx.uuid()'],
  ['crypto.randomInt', 'ctx.random()'],
  ['nanoid.nanoid', 'ctx.uuid()'],
  ['uuid.v4', 'ctx.uuid()'],
  ['uuid.v7', 'ctx.uuid()'],
])

/** A value that is another in each attempt. */
export interface UnstableValue {
  readonly name: string
  /** What gives the same value in every attempt. */
  readonly instead: string
}

/** Whether `node` reads a clock or chance, and what to write in its place. */
export function unstableValue(node: SyntaxNode, imports: Imports): UnstableValue | undefined {
  if (!isNode(node.callee)) return undefined
  const name = fullName(node.callee, imports)
  if (name === undefined) return undefined
  if (name === 'Date' && (node.type === 'CallExpression' || argumentsOf(node).length === 0)) {
    return { name: node.type === 'NewExpression' ? 'new Date()' : 'Date()', instead: 'new Date(ctx.now())' }
  }
  const instead = node.type === 'CallExpression' ? VALUES.get(name) : undefined
  return instead === undefined ? undefined : { name: `${short(name)}()`, instead }
}

function short(name: string): string {
  return name
    .replace(/^globalThis\./, '')
    .replaceAll('()', '')
    .slice(0, 60)
}
