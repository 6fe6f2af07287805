import { and, desc, eq, sql } from 'drizzle-orm'
import { contactRow, toContacts } from '../contacts/rows.ts'
import { named, ofTenant, prepared, type Reader, textList } from '../db/index.ts'
import { contacts, inboxes, messages, tickets, ticketTags } from '../db/schema.ts'
import { normaliseEmail } from '../lib/input/email.ts'
import { tagsOfIds } from '../tags/read.ts'
import { comparableField } from './fields.ts'
import { type Fact, type Facts, fold } from './model.ts'
import { isWorkingTime } from './working-hours.ts'

/** Characters of a message that conditions look at. */
const MAX_TEXT = 50_000

/** Which fields somebody is going to ask for; left out: any. What nobody asks for is not read. */
export type Asked = ReadonlySet<string> | undefined

/** Of what an event tells, and when it happened, in milliseconds since 1970. */
interface TicketEvent {
  readonly ticketId: string
  /** The message that it tells of; left out, the newest that the customer wrote. */
  readonly messageId?: string | null
  readonly at: number
}

/** The facts of a ticket and its contact, in three queries at most; null where there is no such ticket any more. */
export async function ticketFacts(
  db: Reader,
  tenantId: string,
  { ticketId, messageId = null, at }: TicketEvent,
  asked?: Asked,
): Promise<Facts | null> {
  const [ticket] = await ticketById(db).execute({ tenantId, id: ticketId })
  if (!ticket) return null
  const facts = new Map<string, Fact>([
    ['inbox', one(ticket.inboxId)],
    ['channel', one(ticket.channel)],
    ['status', one(ticket.status)],
    ['priority', one(ticket.priority)],
    ['tag', several((await tagsOfIds(db, tenantId, ticket.tagIds)).map(({ name }) => name))],
    ['assignee', one(ticket.assigneeId)],
    ['team', one(ticket.teamId)],
    ['subject', one(ticket.subject)],
  ])
  if (wants(asked, 'working_hours'))
    facts.set('working_hours', flag(await isWorkingTime(db, tenantId, ticket.inboxId, at)))
  if (wants(asked, 'text', 'from', 'from_domain', 'to', 'automatic')) {
    addMessage(facts, await messageOf(db, tenantId, ticketId, messageId), ticket.requesterEmail)
  }
  await addContact(facts, db, tenantId, ticket.contactId, asked)
  return facts
}

const ticketById = prepared((db) =>
  db
    .select(
      named({
        inboxId: tickets.inboxId,
        channel: inboxes.channel,
        status: tickets.status,
        priority: tickets.priority,
        tagIds: textList(
          db,
          ticketTags.tagId,
          ticketTags,
          and(eq(ticketTags.tenantId, tickets.tenantId), eq(ticketTags.ticketId, tickets.id)),
        ),
        assigneeId: tickets.assigneeId,
        teamId: tickets.teamId,
        subject: tickets.subject,
        contactId: tickets.contactId,
        requesterEmail: tickets.requesterEmail,
      }),
    )
    .from(tickets)
    .innerJoin(inboxes, and(eq(inboxes.tenantId, tickets.tenantId), eq(inboxes.id, tickets.inboxId)))
    .where(and(ofTenant(tickets), eq(tickets.id, sql.placeholder('id'))))
    .prepare(),
)

const selectMessage = (db: Reader) =>
  db
    .select(
      named({
        text: sql<string>`substr(${messages.text}, 1, ${sql.raw(String(MAX_TEXT))})`,
        from: messages.fromAddress,
        to: messages.to,
        isAutomatic: messages.isAutomatic,
      }),
    )
    .from(messages)

type MessageRow = Awaited<ReturnType<typeof selectMessage>>[number]

const messageById = prepared((db) =>
  selectMessage(db)
    .where(and(ofTenant(messages), eq(messages.id, sql.placeholder('id'))))
    .prepare(),
)

const newestOfCustomer = prepared((db) =>
  selectMessage(db)
    .where(
      and(
        ofTenant(messages),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        eq(messages.state, 'public'),
        eq(messages.direction, 'inbound'),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare(),
)

async function messageOf(db: Reader, tenantId: string, ticketId: string, messageId: string | null) {
  const [message] =
    messageId === null
      ? await newestOfCustomer(db).execute({ tenantId, ticketId })
      : await messageById(db).execute({ tenantId, id: messageId })
  return message
}

function addMessage(facts: Map<string, Fact>, message: MessageRow | undefined, requester: string | null): void {
  const from = normaliseEmail(message?.from ?? requester ?? '')
  facts.set('text', one(message?.text ?? null))
  facts.set('from', one(from))
  facts.set('from_domain', one(from.slice(from.lastIndexOf('@') + 1)))
  facts.set('to', several(message?.to ?? []))
  facts.set('automatic', flag(message?.isAutomatic ?? false))
}

const contactById = prepared((db) =>
  db
    .select(contactRow(db))
    .from(contacts)
    .where(and(ofTenant(contacts), eq(contacts.id, sql.placeholder('id'))))
    .prepare(),
)

/** The facts of a contact; null where there is none any more. */
export async function contactFacts(
  db: Reader,
  tenantId: string,
  { contactId, at }: { readonly contactId: string; readonly at: number },
): Promise<Facts | null> {
  const facts = new Map<string, Fact>([['working_hours', flag(await isWorkingTime(db, tenantId, null, at))]])
  return (await addContact(facts, db, tenantId, contactId)) ? facts : null
}

/** Adds what is known of the contact. Returns whether there is one. */
export async function addContact(
  facts: Map<string, Fact>,
  db: Reader,
  tenantId: string,
  contactId: string | null,
  asked?: Asked,
): Promise<boolean> {
  const isAsked = asked === undefined || [...asked].some((field) => field.startsWith('contact.'))
  if (contactId === null || !isAsked) return false
  const [contact] = await toContacts(db, tenantId, await contactById(db).execute({ tenantId, id: contactId }))
  if (!contact) return false
  facts.set('contact.email', one(contact.email))
  facts.set('contact.group', several(contact.groups.map(({ id }) => String(id))))
  facts.set('contact.organisation', one(contact.organisationId))
  for (const { fieldName, stringValue, numberValue, dateValue } of contact.customValues) {
    const text = stringValue ?? dateValue ?? String(numberValue ?? '')
    facts.set(comparableField(`contact.custom:${fieldName}`), value([text], numberValue ?? numberIn(text)))
  }
  return true
}

function wants(asked: Asked, ...fields: readonly string[]): boolean {
  return asked === undefined || fields.some((field) => asked.has(field))
}

/** A fact of one text, or of none where it is blank. */
const one = (text: string | null): Fact => several(text === null ? [] : [text])

const several = (texts: readonly string[]): Fact => value(texts, null)

/** A fact of texts that may be a number. */
export function value(texts: readonly string[], number: number | null): Fact {
  return { texts: texts.map((text) => fold(text).trim()).filter((text) => text !== ''), number }
}

/** A fact that is so or is not. */
export const flag = (is: boolean): Fact => ({ texts: [String(is)], number: null })

/** The number that a text is, or null. */
export function numberIn(text: string): number | null {
  return /^\s*-?\d{1,15}(?:\.\d{1,15})?\s*$/.test(text) ? Number(text) : null
}
