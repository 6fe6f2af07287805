import { desc } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { prepared, type Reader, type Tx } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import { invalid, rule } from '../../errors.ts'
import { inboxesOf } from '../../inboxes/recipient.ts'
import { isEmail, normaliseEmail } from '../../lib/input/email.ts'
import type { TicketRow } from '../read.ts'
import { inConversation } from '../thread/public-thread.ts'
import { blindReaders } from './blind-copies.ts'

/** People who get a reply. */
const MAX_RECIPIENTS = 50
/** Messages of the thread, the newest, among which they are looked for. */
const ASKED = 100

/** Whom a reply goes to, each address once. */
export interface Recipients {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

/**
 * Whom its author names: where they leave out `to` or `cc`, it is as the thread says (`recipientsOfThread`). Blind copies are
 * those that are named alone: nobody gets one because they once did.
 */
export interface NamedRecipients {
  readonly to?: readonly string[] | undefined
  readonly cc?: readonly string[] | undefined
  readonly bcc?: readonly string[] | undefined
}

/** All whom a mail goes to, each address once. */
export interface AllRecipients {
  to: string[]
  cc: string[]
  bcc: string[]
}

type Field = keyof AllRecipients

type Asked = Pick<TicketRow, 'id' | 'channel' | 'requesterEmail' | 'contactId' | 'customerSince'>

/**
 * Whom a reply goes to: those whom its author names, else those whom the thread does. Never an inbox of anybody's here,
 * which would take it for new mail. Throws `invalid_request` for a bad address, too many, none, and recipients of what is
 * no mail.
 */
export async function recipientsOf(
  tx: Tx,
  caller: Caller,
  ticket: TicketRow,
  named: NamedRecipients,
): Promise<AllRecipients> {
  if (ticket.channel !== 'email') {
    if (named.cc?.length) throw invalid('cc', rule('only_mail_has_copies'))
    if (named.bcc?.length) throw invalid('bcc', rule('only_mail_has_copies'))
    if (named.to?.length) throw invalid('to', rule('only_mail_has_recipients'))
    return { to: [], cc: [], bcc: [] }
  }
  const of = caller.author.type === 'agent' ? recipientsOfThread : recipientsOfKey
  const { to, cc } = named.to && named.cc ? { to: [], cc: [] } : await of(tx, caller.tenantId, ticket)
  const wanted = {
    to: checked(named.to, 'to') ?? to,
    cc: checked(named.cc, 'cc') ?? cc,
    bcc: checked(named.bcc, 'bcc') ?? [],
  }
  const found = await reachable(tx, ticket, wanted, Number.POSITIVE_INFINITY)
  if (found.to.length === 0) throw invalid('to', rule('no_recipient'))
  return limited(found)
}

/**
 * Whom a mail goes to that answers nothing, each address once. Never an inbox of the tenant's own, which would take it for its
 * own mail and drop it. Throws `invalid_request` for such, a bad address, too many, and none in `to`.
 */
export async function recipientsNamed(db: Reader, tenantId: string, named: NamedRecipients): Promise<AllRecipients> {
  const known = new Set<string>()
  const once = async (field: Field) => {
    const found: string[] = []
    for (const [index, address] of (checked(named[field], field) ?? []).entries()) {
      if ((await inboxesOf(db, address))?.tenantId === tenantId) {
        throw invalid(`${field}[${index}]`, rule('own_inbox', { address }))
      }
      const normalised = normaliseEmail(address)
      if (known.has(normalised)) continue
      known.add(normalised)
      found.push(address)
    }
    return found
  }
  const to = await once('to')
  if (to.length === 0) throw invalid('to', rule('nobody_named'))
  return limited({ to, cc: await once('cc'), bcc: await once('bcc') })
}

/** The recipients, unless they are too many together: then the last field that holds some is the one to shorten. */
function limited(found: AllRecipients): AllRecipients {
  const { to, cc, bcc } = found
  if (to.length + cc.length + bcc.length <= MAX_RECIPIENTS) return found
  const place = bcc.length > 0 ? 'bcc' : cc.length > 0 ? 'cc' : 'to'
  throw invalid(place, rule('too_many_addresses', { most: MAX_RECIPIENTS }))
}

/** Whether two mails that are stored, or about to be, go to the same people in the same way. */
export function isSameRecipients(one: StoredRecipients, other: StoredRecipients): boolean {
  const [a, b] = [one, other].map(({ to, cc, bcc }) => JSON.stringify([to, cc, bcc ?? []]))
  return a === b
}

type StoredRecipients = Recipients & { readonly bcc: readonly string[] | null }

function checked(named: readonly string[] | undefined, field: Field): string[] | undefined {
  if (named && named.length > MAX_RECIPIENTS) throw invalid(field, rule('too_many_addresses', { most: MAX_RECIPIENTS }))
  return named?.map((text, index) => {
    const address = text.trim()
    if (!isEmail(address)) throw invalid(`${field}[${index}]`, rule('email_length'))
    return address
  })
}

/** Each address once, and none of an inbox: but for the customer's, who may have one. */
async function reachable(
  db: Reader,
  { requesterEmail }: Asked,
  wanted: Recipients & Pick<NamedRecipients, 'bcc'>,
  most = MAX_RECIPIENTS,
): Promise<AllRecipients> {
  const known = new Set<string>()
  const among = async (addresses: readonly string[]) => {
    const found: string[] = []
    for (const address of addresses) {
      const normalised = normaliseEmail(address)
      if (known.size === most || known.has(normalised) || !isEmail(address)) continue
      const isCustomer = normalised === normaliseEmail(requesterEmail ?? '')
      if (!isCustomer && (await inboxesOf(db, address))) continue
      known.add(normalised)
      found.push(address)
    }
    return found
  }
  const to = await among(wanted.to)
  const cc = await among(wanted.cc)
  return { to, cc, bcc: await among(wanted.bcc ?? []) }
}

const newestOfThread = prepared((db) =>
  db
    .select({
      direction: messages.direction,
      source: messages.source,
      authorType: messages.authorType,
      authorId: messages.authorId,
      from: messages.fromAddress,
      to: messages.to,
      cc: messages.cc,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .where(inConversation())
    .orderBy(desc(messages.id))
    .limit(ASKED)
    .prepare(),
)

type Written = Awaited<ReturnType<ReturnType<typeof newestOfThread>['execute']>>[number]

/**
 * Whom an agent's answer goes to unless its writer says otherwise (decisions §20): the customer, everybody who has written
 * since an agent last answered, the newest first, and as copies everybody who had one of those mails. Where nobody has
 * written since, whoever got the last answer. What a merge brought is left out: the other conversation had readers of its
 * own. So is what was said before people said whose ticket it is: it was said to somebody else. And so is what was written by
 * who had a blind copy: their name would give them away. Nobody for what is no mail.
 */
export async function recipientsOfThread(db: Reader, tenantId: string, ticket: Asked): Promise<Recipients> {
  if (ticket.channel !== 'email') return { to: [], cc: [] }
  const { since, answer } = await sinceAnswer(db, tenantId, ticket)
  if (since.length === 0 && answer && answer.to.length > 0) return reachable(db, ticket, answer)
  const to = [ticket.requesterEmail, ...since.map((mail) => writerOf(mail, ticket))]
  return reachable(db, ticket, { to: to.filter((address) => address !== null), cc: since.flatMap(({ cc }) => cc) })
}

/** Whom a program's answer goes to: the customer, and whoever wrote last. */
async function recipientsOfKey(db: Reader, tenantId: string, ticket: Asked): Promise<Recipients> {
  const { since } = await sinceAnswer(db, tenantId, ticket)
  const to = [ticket.requesterEmail, ...since.slice(0, 1).map((mail) => writerOf(mail, ticket))]
  return { to: to.filter((address) => address !== null), cc: [] }
}

/** What has come in since an agent's last answer, newest first, and that answer. */
async function sinceAnswer(db: Reader, tenantId: string, ticket: Asked) {
  const { id: ticketId, customerSince } = ticket
  const newest = await newestOfThread(db).execute({ tenantId, ticketId })
  const blind = await blindReaders(db, tenantId, ticketId)
  const isBlind = (mail: Written) => blind.has(normaliseEmail(mail.from ?? '')) && !isCustomers(mail, ticket)
  const thread = newest.filter((mail) => {
    if (mail.createdAt <= (customerSince ?? '')) return false
    return mail.direction === 'inbound' ? !isBlind(mail) : mail.authorType !== 'api' && mail.source !== 'email'
  })
  const index = thread.findIndex(({ direction }) => direction === 'outbound')
  return { since: index < 0 ? thread : thread.slice(0, index), answer: thread[index] }
}

/** Where answers to a mail go: the customer's may go to another address than the one they write from. */
function writerOf(mail: Written, ticket: Asked): string | null {
  return isCustomers(mail, ticket) ? ticket.requesterEmail : mail.from
}

function isCustomers({ authorId }: Written, { contactId }: Asked): boolean {
  return authorId !== null && authorId === contactId
}
