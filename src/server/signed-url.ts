/** Query parameter that carries the signature. */
const PARAMETER = 'rondo'

/** Who an ask's URL was made for. */
export interface UrlOwner {
  readonly callId: string
  readonly principal: string
}

type Sign = (text: string) => Promise<string>

/**
 * `url` with the call's id and a signature over it, the call and the principal. The same every round, so that the ask's
 * text does not change.
 */
export async function signUrl(url: string, owner: UrlOwner, sign: Sign): Promise<string> {
  const target = new URL(url)
  target.searchParams.delete(PARAMETER)
  const mac = await sign(signedText(target.href, owner))
  target.searchParams.set(PARAMETER, `${owner.callId}.${mac}`)
  return target.href
}

/**
 * The call id of a signed URL when whoever opens it is who was asked, else `undefined`: a link passed on to another
 * person is refused (client/elicitation, "Phishing").
 *
 * @param principal as the callback's own authentication established it
 */
export async function verifyUrl(url: string, principal: string, sign: Sign): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined
  const target = new URL(url)
  const given = target.searchParams.get(PARAMETER) ?? ''
  target.searchParams.delete(PARAMETER)
  const dot = given.lastIndexOf('.')
  const callId = given.slice(0, Math.max(dot, 0))
  if (callId === '') return undefined
  const mac = await sign(signedText(target.href, { callId, principal }))
  return equal(mac, given.slice(dot + 1)) ? callId : undefined
}

function signedText(url: string, { callId, principal }: UrlOwner): string {
  return JSON.stringify(['url', url, callId, principal])
}

/** Compares in a time that does not depend on where the two differ. */
function equal(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
