import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../secrets/seal.ts'

/** The name of the token in an address and among hidden fields; no form has to declare it. */
export const TICKET_TOKEN = 'ticket_token'

const CONTEXT = 'form sent for a ticket'
/** Bytes of the proof: 128 bits. */
const PROOF_LENGTH = 16
const ID_LENGTH = 16

/** A ticket, and the form that its customer was sent. */
export interface AskedTicket {
  tenantId: string
  ticketId: string
  formId: string
}

/** Shows that an answer to a form belongs to a ticket: nobody but us can make one, nor use it with another form (decisions §19). */
export function ticketToken(secrets: Pick<Secrets, 'mac'>, asked: AskedTicket): string {
  const id = Buffer.from(asked.ticketId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, proofOf(secrets, asked)]).toString('base64url')
}

/** The id of the ticket that a token of this form names; null for a forged one, and for one of another form. */
export function ticketOfToken(
  secrets: Pick<Secrets, 'mac'>,
  { tenantId, formId }: Pick<AskedTicket, 'tenantId' | 'formId'>,
  token: string,
): string | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== ID_LENGTH + PROOF_LENGTH) return null
  const ticketId = bytes
    .subarray(0, ID_LENGTH)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  const proof = proofOf(secrets, { tenantId, formId, ticketId })
  return timingSafeEqual(proof, bytes.subarray(ID_LENGTH)) ? ticketId : null
}

function proofOf(secrets: Pick<Secrets, 'mac'>, { tenantId, ticketId, formId }: AskedTicket): Uint8Array {
  return secrets.mac(`${tenantId}/${formId}/${ticketId}`, CONTEXT).subarray(0, PROOF_LENGTH)
}
