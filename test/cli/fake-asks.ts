import { type Ask, type FormAsk, type UrlAsk } from '../../src/client/handlers.ts'
import { type FormValue, type RequestedSchema } from '../../src/protocol/elicitation.ts'
import { checkContent, fillDefaults } from '../../src/protocol/form.ts'
import { type Prompter } from '../../src/cli/asks/prompter.ts'

const BASE: Omit<Ask<unknown>, 'request'> = {
  key: 'why',
  call: { method: 'tools/call', name: 'deploy', arguments: { env: 'staging' } },
  round: 1,
  place: { at: 1, of: 1 },
  server: { address: 'http://127.0.0.1:3920/mcp', name: 'deploys', title: undefined, version: '1.0.0' },
  signal: new AbortController().signal,
}

/** A form ask as the client hands it to a handler. */
export function formAsk(schema: Partial<RequestedSchema>, message = 'Why?', key = 'why'): FormAsk {
  const requestedSchema: RequestedSchema = { type: 'object', properties: {}, ...schema }
  return {
    ...BASE,
    key,
    request: { mode: 'form', message, requestedSchema },
    fill: (content = {}) => fillDefaults(requestedSchema, content) as Record<string, FormValue>,
    check: (content) => checkContent(requestedSchema, content),
  }
}

/** A URL ask as the client hands it to a handler. */
export function urlAsk(url: string, message = 'Please pay', key = 'pay'): UrlAsk {
  return { ...BASE, key, request: { mode: 'url', message, url }, host: new URL(url).host }
}

/** Any other ask. */
export function ask<P>(request: P, key = 'sample'): Ask<P> {
  return { ...BASE, key, request }
}

/**
 * What a person does at one prompt: `null` leaves it, and `leaving` leaves it with a text typed so far. A typed text that
 * does not fit is typed again by the next.
 */
export type Act = string | boolean | readonly string[] | null | { readonly leaving: string }

/** A prompter whose person acts by a script; keeps everything shown, prompts by their message and choices. */
export function scripted(
  ...acts: readonly Act[]
): Prompter & { readonly shown: string[]; readonly left: () => number } {
  const queue = [...acts]
  const shown: string[] = []
  const next = (line: string): Act => {
    shown.push(line)
    const act = queue.shift()
    if (act === undefined) throw new Error(`Nobody acts at: ${line}`)
    return act
  }
  return {
    shown,
    columns: 80,
    left: () => queue.length,
    say: (text) => void shown.push(text),
    text: async (question) => {
      for (;;) {
        const act = next(`${question.message} [${question.initial ?? ''}]`)
        if (act === null) return { text: question.initial ?? '', left: true }
        if (typeof act === 'object' && 'leaving' in act) return { text: act.leaving, left: true }
        const problem = question.check(String(act))
        if (problem === undefined) return { text: String(act), left: false }
        shown.push(`! ${problem}`)
      }
    },
    yesNo: async ({ message, initial }) => {
      const act = next(`${message} [${initial === undefined ? '' : initial ? 'yes' : 'no'}]`)
      return act === null ? undefined : act === true
    },
    one: async ({ message, choices, initial }) => {
      const act = next(`${message} <${choices.map(({ label }) => label).join('|')}> [${initial ?? ''}]`)
      if (act === null) return undefined
      const chosen = choices.find(({ value, label }) => value === act || label === act)
      if (chosen === undefined) throw new Error(`"${JSON.stringify(act)}" is not offered at: ${message}`)
      return chosen.value
    },
    several: async ({ message, initial }) => {
      const act = next(`${message} [${initial.join(',')}]`)
      return act === null ? undefined : (act as readonly string[])
    },
  }
}
