import { askKind } from '../client/answer-check.ts'
import { type Answer, type InputRequest } from '../client/round.ts'
import { RondoError } from '../errors/rondo-error.ts'
import { type FormValue } from '../protocol/elicitation.ts'
import { type Root } from '../protocol/roots.ts'

/** An ask as a script's function is given it. */
export interface ScriptedAsk {
  /** Key on the wire. */
  readonly key: string
  readonly method: string
  /** Params of the embedded request, as received. */
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * What a script answers to an ask:
 * - to a form, its content as an object, or the one value of a form with one property (`true` to a confirmation);
 * - to a URL ask, `true` for accept and `false` for decline;
 * - to a sample, the text the model says;
 * - to a question for roots, a list of URIs or roots;
 * - to any of them, the answer as it goes on the wire, {@link DECLINE} or {@link CANCEL} among them;
 * - or a function of the ask that gives one of these, or {@link inTurn} for an ask that is put several times.
 *
 * It is sent as it is: nothing is checked, so that a test can answer wrongly.
 */
export type ScriptedAnswer =
  | Answer
  | FormValue
  | Readonly<Record<string, FormValue>>
  | readonly Root[]
  | InTurn
  | ((ask: ScriptedAsk) => ScriptedAnswer)

/**
 * Answers by the key of their ask. `item` also answers `item#2`, the second ask of that name, and `item~2`, the same ask
 * put again, unless they have entries of their own.
 */
export type Script = Readonly<Record<string, ScriptedAnswer>>

/** A person who says no. */
export const DECLINE = Object.freeze({ action: 'decline' } as const)

/** A person who closes the window. */
export const CANCEL = Object.freeze({ action: 'cancel' } as const)

/** Answers to an ask that is put several times; the last goes on for ever. */
export class InTurn {
  readonly #answers: readonly ScriptedAnswer[]
  #next = 0

  constructor(answers: readonly ScriptedAnswer[]) {
    if (answers.length === 0) throw new RondoError('CONFIG_INVALID', 'inTurn() needs at least one answer')
    this.#answers = answers
  }

  next(): ScriptedAnswer {
    const index = Math.min(this.#next++, this.#answers.length - 1)
    return this.#answers[index] as ScriptedAnswer
  }
}

/** One answer after the other for an ask that is put several times. */
export function inTurn(...answers: readonly ScriptedAnswer[]): InTurn {
  return new InTurn(answers)
}

/** The entry of a script that answers an ask, by its wire key. */
export function scriptKey(script: Script, key: string): string | undefined {
  const again = key.indexOf('~') < 0 ? key : key.slice(0, key.indexOf('~'))
  const first = again.indexOf('#') < 0 ? again : again.slice(0, again.indexOf('#'))
  return [key, again, first].find((candidate) => Object.hasOwn(script, candidate))
}

/** A script's answer to an ask, as it goes on the wire. */
export function wireAnswer(key: string, ask: InputRequest, scripted: ScriptedAnswer): unknown {
  let answer = scripted
  while (typeof answer === 'function' || answer instanceof InTurn) {
    answer = answer instanceof InTurn ? answer.next() : answer({ key, method: ask.method, params: ask.params ?? {} })
  }
  switch (askKind(ask)) {
    case 'form':
      return isElicitAnswer(answer) ? answer : { action: 'accept', content: contentOf(ask, answer) }
    case 'url':
      return typeof answer === 'boolean' ? { action: answer ? 'accept' : 'decline' } : answer
    case 'sample':
    case 'sampleWithTools':
      return typeof answer === 'string' ? said(answer) : answer
    case 'roots':
      return Array.isArray(answer)
        ? { roots: answer.map((root: unknown) => (typeof root === 'string' ? { uri: root } : root)) }
        : answer
  }
}

function contentOf(ask: InputRequest, answer: unknown): unknown {
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer
  const properties = (ask.params?.['requestedSchema'] as { properties?: object } | undefined)?.properties ?? {}
  const [only, ...more] = Object.keys(properties)
  if (only !== undefined && more.length === 0) return { [only]: answer }
  throw new RondoError(
    'CONFIG_INVALID',
    `A single value answers a form of one property; this one has ${JSON.stringify(Object.keys(properties))}. Give its content as an object.`,
  )
}

function said(text: string): Answer {
  return { role: 'assistant', content: { type: 'text', text }, model: 'scripted', stopReason: 'endTurn' }
}

function isElicitAnswer(answer: unknown): boolean {
  const action = (answer as { action?: unknown } | null)?.action
  return action === 'accept' || action === 'decline' || action === 'cancel'
}
