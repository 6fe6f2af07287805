import { timingSafeEqual } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../../db/index.ts'
import { tickets } from '../../db/schema.ts'
import { comparable } from '../../lib/input/comparable-email.ts'
import type { Secrets } from '../../secrets/seal.ts'

/*
 * Addresses that answers go to: a customer's says which ticket they belong to, that of a mail about an alert which agent was
 * told of it, too, and that of what was forwarded that the answer is from outside. Nobody but us can make one (decisions
 * §13, §20).
 */

const CONTEXT = 'reply address'
const AGENTS_CONTEXT = 'address of an alert'
const FORWARD_CONTEXT = 'address of a forward'
/** Some servers change the case of what stands before the @: these letters survive it. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** Letters of the proof: 80 bits. */
const PROOF_LENGTH = 16
/** RFC 5321 §4.5.3.1.1. */
const MAX_LOCAL_PART = 64

const TOKEN = new RegExp(`^(.+)\\+t\\.([0-9a-z]{1,11})([a-z2-7]{${PROOF_LENGTH}})$`)

const FORWARD_TOKEN = new RegExp(`^(.+)\\+f\\.([0-9a-z]{1,11})([a-z2-7]{${PROOF_LENGTH}})$`)

const AGENTS_TOKEN = new RegExp(`^(.+)\\+a\\.([0-9a-z]{1,11})\\.([0-9a-z]{1,11})\\.([a-z2-7]{${PROOF_LENGTH}})$`)

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
  const token = ticket.sequentialNumber.toString(36) + proofOf(secrets, idOf(ticket), CONTEXT)
  return withToken(inboxAddress, `t.${token}`)
}

/**
 * `help+f.TOKEN@acme.test`: mail to it comes from outside the conversation of the ticket, whoever sends it (decisions §20).
 * For the Reply-To of what is forwarded. Otherwise as `replyAddress`.
 */
export function forwardAddress(secrets: Pick<Secrets, 'mac'>, ticket: Addressee, inboxAddress: string): string {
  const token = ticket.sequentialNumber.toString(36) + proofOf(secrets, idOf(ticket), FORWARD_CONTEXT)
  return withToken(inboxAddress, `f.${token}`)
}

/**
 * `help+a.TOKEN@acme.test`: mail to it from the agent who was told of something about the ticket is their answer. For the
 * Reply-To of mails about alerts. Just the inbox's address where that leaves no room for a token.
 */
export function alertAddress(
  secrets: Pick<Secrets, 'mac'>,
  ticket: Addressee,
  alertNumber: number,
  inboxAddress: string,
): string {
  const numbers = [ticket.sequentialNumber, alertNumber].map((number) => number.toString(36))
  const proof = proofOf(secrets, `${idOf(ticket)}/${alertNumber}`, AGENTS_CONTEXT)
  return withToken(inboxAddress, `a.${[...numbers, proof].join('.')}`)
}

function withToken(inboxAddress: string, token: string): string {
  const at = inboxAddress.lastIndexOf('@')
  const localPart = `${inboxAddress.slice(0, at)}+${token}`
  return Buffer.byteLength(localPart) > MAX_LOCAL_PART ? inboxAddress : localPart + inboxAddress.slice(at)
}

/** The id of the ticket that a reply address of this inbox names, or null for any other address and a forged token. */
export function ticketOfReplyAddress(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  inbox: OwnInbox,
  address: string,
): Promise<string | null> {
  return provenTicket(db, secrets, inbox, tokenIn(TOKEN, inbox, address), CONTEXT)
}

/** As `ticketOfReplyAddress`, of a `forwardAddress`. */
export function ticketOfForwardAddress(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  inbox: OwnInbox,
  address: string,
): Promise<string | null> {
  return provenTicket(db, secrets, inbox, tokenIn(FORWARD_TOKEN, inbox, address), FORWARD_CONTEXT)
}

interface OwnInbox {
  tenantId: string
  emailAddress: string
}

async function provenTicket(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  { tenantId }: OwnInbox,
  [number, proof]: string[],
  context: string,
): Promise<string | null> {
  const ticketId = await ticketOf(db, tenantId, number)
  if (ticketId === null) return null
  return isSame(proofOf(secrets, idOf({ tenantId, id: ticketId }), context), proof) ? ticketId : null
}

/** The ticket and the alert that an `alertAddress` of this inbox names; null for any other address and a forged token. */
export async function alertOfAddress(
  db: Reader,
  secrets: Pick<Secrets, 'mac'>,
  inbox: { tenantId: string; emailAddress: string },
  address: string,
): Promise<{ ticketId: string; alertNumber: number } | null> {
  const [number, alert, proof] = tokenIn(AGENTS_TOKEN, inbox, address)
  const ticketId = await ticketOf(db, inbox.tenantId, number)
  const alertNumber = Number.parseInt(alert ?? '', 36)
  if (ticketId === null || !Number.isSafeInteger(alertNumber)) return null
  const id = `${idOf({ tenantId: inbox.tenantId, id: ticketId })}/${alertNumber}`
  return isSame(proofOf(secrets, id, AGENTS_CONTEXT), proof) ? { ticketId, alertNumber } : null
}

/** What stands in the token of an address of this inbox; nothing where there is none. */
function tokenIn(pattern: RegExp, { emailAddress }: { emailAddress: string }, address: string): string[] {
  const normalised = comparable(address)
  const at = normalised.lastIndexOf('@')
  const [, name, ...parts] = pattern.exec(normalised.slice(0, at)) ?? []
  return name !== undefined && name + normalised.slice(at) === comparable(emailAddress) ? parts : []
}

async function ticketOf(db: Reader, tenantId: string, number: string | undefined): Promise<string | null> {
  const sequentialNumber = Number.parseInt(number ?? '', 36)
  if (!Number.isSafeInteger(sequentialNumber)) return null
  const [ticket] = await ticketByNumber(db).execute({ tenantId, sequentialNumber })
  return ticket?.id ?? null
}

const ticketByNumber = prepared((db) =>
  db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.sequentialNumber, sql.placeholder('sequentialNumber'))))
    .prepare(),
)

const idOf = ({ tenantId, id }: Pick<Addressee, 'tenantId' | 'id'>) => `${tenantId}/${id}`

function proofOf(secrets: Pick<Secrets, 'mac'>, id: string, context: string): string {
  const mac = secrets.mac(id, context)
  return Array.from(mac.subarray(0, PROOF_LENGTH), (byte) => ALPHABET[byte % 32]).join('')
}

function isSame(expected: string, given: string | undefined): boolean {
  return given?.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}
