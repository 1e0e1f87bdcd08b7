import { spawn, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { machineNode } from '../../scripts/machine-node.mjs'

const node = machineNode()

const pinned = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0

/** Whether server and load get a core each. */
export const cores = pinned ? 'one core each for server and load' : 'not pinned: taskset or a second core is missing'

/** A child process on one core that is asked by message and answers in order. */
export class Child {
  #process
  #waiting = []
  #early = []

  constructor(file, { core, args = [], flags = [] }) {
    const command = [node, ...flags, file, ...args]
    if (pinned) command.unshift('taskset', '-c', String(core))
    this.#process = spawn(command[0], command.slice(1), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, NODE_ENV: 'production' },
    })
    this.#process.on('message', (message) => {
      const next = this.#waiting.shift()
      if (next === undefined) this.#early.push(message)
      else next.resolve(message)
    })
    this.#process.on('exit', (code) => {
      for (const next of this.#waiting.splice(0)) next.reject(new Error(`${file} ended with code ${code}`))
    })
  }

  /** The next message it sends. */
  next() {
    if (this.#early.length > 0) return Promise.resolve(this.#early.shift())
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  ask(question) {
    this.#process.send(question)
    return this.next()
  }

  /** Microseconds of CPU used so far, in user and system. */
  async cpu() {
    const { cpu } = await this.ask('cpu')
    return cpu.user + cpu.system
  }

  stop() {
    this.#process.kill('SIGKILL')
  }
}
