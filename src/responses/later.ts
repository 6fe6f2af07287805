import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../secrets/seal.ts'

/* The links by which respondents go on with what they began (decisions §21). Nobody but us can make one. */

/** How long a link works, in milliseconds. */
export const LINK_KEPT = 30 * 24 * 60 * 60 * 1000

/** The name of the token in the address of a form. */
export const LATER_TOKEN = 'later'

const CONTEXT = 'link to go on with a response'
/** Bytes of the proof: 128 bits. */
const PROOF_LENGTH = 16

type Macs = Pick<Secrets, 'mac'>

/** The response that a link leads to, and until when, in milliseconds since 1970. */
export interface Linked {
  readonly tenantId: string
  readonly formId: string
  readonly responseId: string
  readonly until: number
}

/** Shows that whoever has it was sent a link to the response: it stands for the resume token until then. */
export function laterToken(secrets: Macs, linked: Linked): string {
  const { responseId, until } = linked
  return `${responseId}.${until.toString(36)}.${Buffer.from(proofOf(secrets, linked)).toString('base64url')}`
}

/** The response of this form that a token of ours leads to at `now`; null for a forged one and one that is over. */
export function linkedResponse(
  secrets: Macs,
  { tenantId, formId }: Pick<Linked, 'tenantId' | 'formId'>,
  token: string,
  now: number,
): string | null {
  const [responseId = '', time = '', proof = ''] = token.split('.')
  const until = Number.parseInt(time, 36)
  const given = Buffer.from(proof, 'base64url')
  if (!Number.isSafeInteger(until) || given.length !== PROOF_LENGTH || until < now) return null
  return timingSafeEqual(proofOf(secrets, { tenantId, formId, responseId, until }), given) ? responseId : null
}

function proofOf(secrets: Macs, { tenantId, formId, responseId, until }: Linked): Uint8Array {
  return secrets.mac(`${tenantId}/${formId}/${responseId}/${until}`, CONTEXT).subarray(0, PROOF_LENGTH)
}
