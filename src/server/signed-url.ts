import { RondoError } from '../errors/rondo-error.ts'

/** Query parameter that carries the signature. */
const PARAMETER = 'rondo'

/** Who an ask's URL was made for. */
export interface UrlOwner {
  readonly callId: string
  readonly principal: string
}

/**
 * `url` with the call's id and a signature over it, the call and the principal.
 *
 * @param sign gives a text without white space.
 * @throws RondoError `ASK_SCHEMA`, by rejection, when `url` is no absolute URL
 */
export async function signUrl(url: string, owner: UrlOwner, sign: (text: string) => Promise<string>): Promise<string> {
  if (!URL.canParse(url)) {
    throw new RondoError(
      'ASK_SCHEMA',
      `There is no absolute URL to sign: ${JSON.stringify(url)}. Give a full one, such as https://example.com/pay.`,
    )
  }
  const target = new URL(url)
  const { hash } = target
  const bare = withoutSignature(target)
  const signature = await sign(signedText(bare, owner))
  target.hash = hash
  target.searchParams.set(PARAMETER, `${owner.callId}.${signature}`)
  return target.href
}

/**
 * The call id of a signed URL when whoever opens it is who was asked, else `undefined`: a link passed on to another
 * person is refused (client/elicitation, "Phishing").
 *
 * @param principal as the callback's own authentication established it
 */
export async function verifyUrl(
  url: string,
  principal: string,
  verify: (text: string, signature: string) => Promise<boolean>,
): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined
  const target = new URL(url)
  const given = target.searchParams.get(PARAMETER) ?? ''
  const bare = withoutSignature(target)
  const dot = given.indexOf('.')
  if (dot <= 0) return undefined
  const callId = given.slice(0, dot)
  const good = await verify(signedText(bare, { callId, principal }), given.slice(dot + 1))
  return good ? callId : undefined
}

/** What is signed of `target`, which is changed to it: no fragment, since a browser keeps that to itself. */
function withoutSignature(target: URL): string {
  target.searchParams.delete(PARAMETER)
  target.hash = ''
  return target.href
}

function signedText(url: string, { callId, principal }: UrlOwner): string {
  return JSON.stringify(['url', url, callId, principal])
}
