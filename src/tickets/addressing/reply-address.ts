import { timingSafeEqual } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../../db/index.ts'
import { tickets } from '../../db/schema.ts'
import { comparable } from '../../lib/input/comparable-email.ts'
import type { Secrets } from '../../secrets/seal.ts'

/* The address that answers go to: it says which ticket they belong to, and nobody but us can make one (decisions §13). */

/** By the letter that an address has: the customer's, and that of whom something was forwarded to. */
const CONTEXTS = { t: 'reply address', f: 'address of a forward' } as const
type Kind = keyof typeof CONTEXTS
/** Some servers change the case of what stands before the @: these letters survive it. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** Letters of the proof: 80 bits. */
const PROOF_LENGTH = 16
/** RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_PART = 64

const TOKEN = new RegExp(`^(.+)\\+([tf])\\.([0-9a-z]{1,11})([a-z2-7]{${PROOF_LENGTH}})$`)

/** What of a ticket its address is made of. */
export interface Addressee {
  tenantId: string
  id: string
  sequentialNumber: number
}

/**
 * `help+t.TOKEN@acme.test`: mail to it joins the ticket, whoever sends it. For the Reply-To of what we send. Just the
 * inbox's address where that leaves no room for a token.
 */
export function replyAddress(secrets: Pick<Secrets, 'mac'>, ticket: Addressee, inboxAddress: string): string {
  return addressOf(secrets, 't', ticket, inboxAddress)
}

/**
 * `help+f.TOKEN@acme.test`: mail to it comes from outside the conversation of the ticket, whoever sends it (decisions §20).
 * For the Reply-To of what is forwarded. Otherwise as `replyAddress`.
 */
export function forwardAddress(secrets: Pick<Secrets, 'mac'>, ticket: Addressee, inboxAddress: string): string {
  return addressOf(secrets, 'f', ticket, inboxAddress)
}

function addressOf(secrets: Pick<Secrets, 'mac'>, kind: Kind, ticket: Addressee, inboxAddress: string): string {
  const at = inboxAddress.lastIndexOf('@')
  const token = ticket.sequentialNumber.toString(36) + proofOf(secrets, kind, ticket)
  const localPart = `${inboxAddress.slice(0, at)}+${kind}.${token}`
  return Buffer.byteLength(localPart) > MAX_LOCAL_PART ? inboxAddress : localPart + inboxAddress.slice(at)
}

interface OwnInbox {
  tenantId: string
  emailAddress: string
}

/** The id of the ticket that a reply address of this inbox names, or null for any other address and a forged token. */
export function ticketOfReplyAddress(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  inbox: OwnInbox,
  address: string,
): Promise<string | null> {
  return ticketOfAddress(db, secrets, 't', inbox, address)
}

/** As `ticketOfReplyAddress`, of a `forwardAddress`. */
export function ticketOfForwardAddress(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  inbox: OwnInbox,
  address: string,
): Promise<string | null> {
  return ticketOfAddress(db, secrets, 'f', inbox, address)
}

async function ticketOfAddress(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  kind: Kind,
  inbox: OwnInbox,
  address: string,
): Promise<string | null> {
  const split = splitAddress(address)
  if (split?.kind !== kind || split.inboxAddress !== comparable(inbox.emailAddress)) return null
  const { tenantId } = inbox
  const sequentialNumber = Number.parseInt(split.number, 36)
  if (!Number.isSafeInteger(sequentialNumber)) return null
  const [ticket] = await ticketByNumber(db).execute({ tenantId, sequentialNumber })
  if (!ticket) return null
  const proof = proofOf(secrets, kind, { tenantId, id: ticket.id })
  return timingSafeEqual(Buffer.from(proof), Buffer.from(split.proof)) ? ticket.id : null
}

function splitAddress(address: string) {
  const normalised = comparable(address)
  const at = normalised.lastIndexOf('@')
  const [, name, kind, number, proof] = TOKEN.exec(normalised.slice(0, at)) ?? []
  if (!name || !number || !proof) return null
  return { inboxAddress: name + normalised.slice(at), kind, number, proof }
}

const ticketByNumber = prepared((db) =>
  db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.sequentialNumber, sql.placeholder('sequentialNumber'))))
    .prepare(),
)

function proofOf(
  secrets: Pick<Secrets, 'mac'>,
  kind: Kind,
  { tenantId, id }: Pick<Addressee, 'tenantId' | 'id'>,
): string {
  const mac = secrets.mac(`${tenantId}/${id}`, CONTEXTS[kind])
  return Array.from(mac.subarray(0, PROOF_LENGTH), (byte) => ALPHABET[byte % 32]).join('')
}
