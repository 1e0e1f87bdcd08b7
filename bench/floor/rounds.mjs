/** The bare server of a call in two rounds: the state is sealed with AES-256-GCM and bound by one SHA-256 of the call. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import '../measure/answer-parent.mjs'
import { META } from './handle.mjs'
import { serve } from './serve.mjs'

const key = randomBytes(32)

const digest = ({ name, arguments: input }) =>
  createHash('sha256').update(name).update('\n').update(JSON.stringify(input)).digest('base64url')

function seal(text) {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

function open(token) {
  const sealed = Buffer.from(token, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(sealed.length - 16))
  return decipher.update(sealed.subarray(12, sealed.length - 16), undefined, 'utf8') + decipher.final('utf8')
}

const requestedSchema = {
  type: 'object',
  properties: { reason: { type: 'string', minLength: 3 } },
  required: ['reason'],
}

function round({ params }) {
  const call = digest(params)
  if (params.requestState === undefined) {
    const message = `Why deploy to ${params.arguments.env}?`
    return {
      resultType: 'input_required',
      inputRequests: { why: { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } } },
      requestState: seal(JSON.stringify({ call, expires: Date.now() + 3_600_000, asked: ['why'] })),
      _meta: META,
    }
  }
  const state = JSON.parse(open(params.requestState))
  if (state.call !== call || state.expires < Date.now()) throw new Error('refused')
  const text = `Deployed to ${params.arguments.env}: ${params.inputResponses.why.content.reason}`
  return { resultType: 'complete', content: [{ type: 'text', text }], _meta: META }
}

serve((text) => {
  const request = JSON.parse(text)
  return JSON.stringify({ jsonrpc: '2.0', id: request.id, result: round(request) })
})
