import { type RequestedSchema } from './elicitation.ts'

/** Words that name what must not pass through a client. */
const SECRET =
  /\b(?:pass ?(?:word|wd|phrase|code)|secret|token|(?:api|access|private|secret) ?key|credentials?|cvv|cvc|card ?number|otp)s?\b/i

/**
 * Properties of a form that look like secrets, by name and title. A server must ask for those by url (client/elicitation,
 * "User Interaction Model"); this is a guess, for a warning.
 */
export function sensitiveFields(requested: RequestedSchema): string[] {
  return Object.entries(requested.properties)
    .filter(([name, { title }]) => SECRET.test(words(name)) || (title !== undefined && SECRET.test(words(title))))
    .map(([name]) => name)
}

function words(text: string): string {
  return text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[^A-Za-z\d]+/g, ' ')
}
