/** What an `Accept` header takes. */
export interface Accepted {
  readonly json: boolean
  /** Only when `text/event-stream` stands there by name (H6). */
  readonly events: boolean
}

const BOTH: Accepted = { json: true, events: true }
const JSON_ONLY: Accepted = { json: true, events: false }
const BOTH_AS_USUAL = 'application/json, text/event-stream'

/** Reads `Accept`; an absent one takes JSON. */
export function readAccept(header: string | undefined): Accepted {
  if (header === BOTH_AS_USUAL) return BOTH
  if (header === undefined) return JSON_ONLY
  let json: boolean | undefined
  let any = false
  let events = false
  for (const range of header.split(',')) {
    const [type = '', ...parameters] = range.split(';')
    const wanted = !parameters.some(isZeroQuality)
    switch (type.trim().toLowerCase()) {
      case 'application/json':
        json = wanted
        break
      case 'text/event-stream':
        events = wanted
        break
      case '*/*':
      case 'application/*':
        any ||= wanted
    }
  }
  return { json: json ?? any, events }
}

/** Whether a `Content-Type` says JSON in UTF-8. */
export function isJsonType(header: string | undefined): boolean {
  if (header === 'application/json') return true
  if (header === undefined) return false
  const [type = '', ...parameters] = header.split(';')
  return type.trim().toLowerCase() === 'application/json' && parameters.every(saysUtf8)
}

function isZeroQuality(parameter: string): boolean {
  return /^\s*q\s*=\s*0(\.0*)?\s*$/i.test(parameter)
}

function saysUtf8(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=')
  return name.trim().toLowerCase() !== 'charset' || /^\s*"?utf-?8"?\s*$/i.test(value)
}
