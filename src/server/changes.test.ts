import { describe, expect, it } from 'vitest'
import { Server } from '../entry/index.ts'
import { host, type Host } from '../replay/host.ts'
import { Changes, type Change } from './changes.ts'
import { promptEntry } from './define-prompt.ts'
import { resourceEntry } from './define-resource.ts'
import { templateEntry } from './define-resource-template.ts'
import { toolEntry } from './define-tool.ts'
import { Logger, type ServerLog } from './log.ts'
import { Registry } from './registry.ts'

/** Timers that run when told to. */
class Timers {
  readonly due = new Map<number, () => void>()
  readonly asked: { ms: number; background: boolean | undefined }[] = []
  readonly host: Host = {
    ...host,
    setTimer: (fn, ms, background) => {
      const id = this.asked.push({ ms, background })
      this.due.set(id, fn)
      return id
    },
    clearTimer: (timer) => void this.due.delete(timer as number),
  }

  run(): void {
    const fns = [...this.due.values()]
    this.due.clear()
    for (const fn of fns) fn()
  }
}

function setUp() {
  const timers = new Timers()
  const events: ServerLog[] = []
  const log = new Logger((event) => events.push(event))
  const registry = new Registry(log)
  const changes = new Changes(registry, log, timers.host)
  const heard: (readonly Change[])[] = []
  const hear = (given: readonly Change[]): void => void heard.push(given)
  return { timers, events, registry, changes, heard, hear }
}

const tool = (name: string) => toolEntry(name, {}, () => '')

describe('changes', () => {
  it('are gathered: each once, in the order they first came, behind one timer that keeps no process alive', () => {
    const { timers, changes, heard, hear } = setUp()
    changes.listen(hear)
    changes.resource('notes://a')
    changes.tools()
    changes.prompts()
    changes.resources()
    changes.resource('notes://b')
    changes.tools()
    changes.resource('notes://a')
    expect(timers.asked).toEqual([{ ms: 25, background: true }])
    expect(heard).toEqual([])
    timers.run()
    const kinds = ['tools', 'prompts', 'resources'].map((kind) => ({ kind }))
    const [a, b] = ['notes://a', 'notes://b'].map((uri) => ({ kind: 'resource', uri }))
    expect(heard).toEqual([[a, ...kinds, b]])
    changes.tools()
    timers.run()
    expect(heard[1]).toEqual([{ kind: 'tools' }])
  })

  it('of the registry are raised by it, templates as resources', () => {
    const { timers, registry, changes, heard, hear } = setUp()
    changes.listen(hear)
    registry.add(tool('a'))
    registry.replace(tool('a'))
    registry.remove('tool', 'a')
    timers.run()
    registry.add(promptEntry('p', {}, () => ''))
    timers.run()
    registry.add(templateEntry('t', { uriTemplate: 't://{n}' }, () => ''))
    registry.add(resourceEntry('r', { uri: 'r://1' }, () => ''))
    timers.run()
    expect(heard).toEqual([[{ kind: 'tools' }], [{ kind: 'prompts' }], [{ kind: 'resources' }]])
  })

  it('cost nothing while nobody listens, and are not kept for who comes later', () => {
    const { timers, registry, changes, heard, hear } = setUp()
    const raise = (): void => {
      changes.tools()
      changes.resource('notes://a')
      registry.add(tool(`t${registry.version}`))
    }
    raise()
    const [one, two] = [changes.listen(hear), changes.listen(hear)]
    raise()
    one()
    one()
    expect(timers.due.size).toBe(1)
    two()
    expect(timers.due.size).toBe(0)
    raise()
    expect(timers.asked).toHaveLength(1)
    changes.listen(hear)
    changes.prompts()
    timers.run()
    expect(heard).toEqual([[{ kind: 'prompts' }]])
  })

  it('reach the other listeners when one throws or ends another', () => {
    const { timers, events, changes, heard, hear } = setUp()
    const boom = new Error('boom')
    changes.listen(() => {
      throw boom
    })
    changes.listen(() => second())
    const second = changes.listen(() => heard.push([]))
    changes.listen(hear)
    changes.tools()
    timers.run()
    expect(heard).toEqual([[{ kind: 'tools' }]])
    expect(events).toMatchObject([{ level: 'error', code: 'change-failed', error: boom }])
  })

  it.each([undefined, null, 7, '', 'notes', 'notes://{id}', {}])('of %o are refused: it is no URI', (uri) => {
    const { changed } = new Server({ name: 's', version: '1.0.0' })
    expect(() => changed.resource(uri as never)).toThrow(/^changed\.resource\(\): uri /)
  })
})
