import { and, asc, desc, eq, gt, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { fitting } from '../../db/lists/keyset.ts'
import { messages } from '../../db/schema.ts'
import { type MessageOrigin, messageStates } from '../../kinds/tickets.ts'
import type { Message } from '../model.ts'
import { type ForwardedMessage, forwardsAmong } from '../outgoing/forwarded.ts'
import { nextAttempts } from '../replies/put-off-replies.ts'
import { messageRow, withAttachments } from './messages.ts'

/** Of one page, and how much HTML they may be together, in bytes. */
const MAX_MESSAGES = 30
const MAX_SIZE = 1024 * 1024

/** A message as agents see it, notes and replies that did not go out among them. */
export interface AgentsMessage extends Omit<Message, 'text'> {
  readonly state: (typeof messageStates)[number]
  /** Why it was not sent; of a reply that went out, in what words it came back. */
  readonly error: string | null
  /** Whether somebody has said that nothing is to be done about that. */
  readonly isSettled: boolean
  /** Who got it without the others being told. */
  readonly bcc: readonly string[]
  /** What it forwards to somebody outside the conversation. */
  readonly forwarded: ForwardedMessage | null
  /** Who sent it, where it was taken for the customer's: one of our people, or a site's form. */
  readonly origin: MessageOrigin | null
  /** When a reply that has not gone out is tried next; with an `error`, not for the first time. */
  readonly nextAttemptAt: string | null
}

/** Agents read the HTML: the text would be read from the disk for nothing. */
const row = {
  ...messageRow,
  text: sql<string>`''`,
  bcc: messages.bcc,
  state: messages.state,
  error: messages.error,
  errorSettledAt: messages.errorSettledAt,
  origin: messages.origin,
}

/** Of one state: the index has each in its order. */
const newestOfState = prepared((db) =>
  db
    .select(named(row))
    .from(messages)
    .where(
      and(
        ofTenant(messages),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        eq(messages.state, sql.placeholder('state')),
        lt(messages.id, sql.placeholder('before')),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(MAX_MESSAGES + 1)
    .prepare(),
)

/** Sorts after every id. */
const END = '~'

/**
 * The newest messages of a ticket, whatever their state, oldest first, or those before the message `before`. `hasEarlier`
 * tells whether there are more. For agents alone: customers and integrations read `thread.ts`.
 */
export async function readAgentsThread(
  db: Reader,
  tenantId: string,
  ticketId: string,
  before: string = END,
): Promise<{ messages: AgentsMessage[]; hasEarlier: boolean }> {
  const ofStates = await Promise.all(
    messageStates.map((state) => newestOfState(db).execute({ tenantId, ticketId, state, before })),
  )
  const newest = ofStates.flat().sort((one, other) => (one.id < other.id ? 1 : -1))
  const page = newest.slice(0, MAX_MESSAGES)
  const rows = page.slice(
    0,
    fitting(
      page.map(({ html }) => html.length),
      MAX_SIZE,
    ),
  )
  const states = new Map(
    rows.map(({ id, bcc, state, error, errorSettledAt, origin }) => [
      id,
      { bcc: bcc ?? [], state, error, isSettled: errorSettledAt !== null, origin },
    ]),
  )
  const whole = await withAttachments(db, tenantId, rows)
  const waiting = rows.filter(({ state }) => state === 'pending').map(({ id }) => id)
  const attempts = await nextAttempts(db, tenantId, waiting)
  const outbound = rows.filter(({ direction, state }) => direction === 'outbound' && state !== 'public')
  const forwarded = await forwardsAmong(
    db,
    tenantId,
    outbound.map(({ id }) => id),
  )
  const read = whole.map(({ text: _, ...message }) => ({
    ...message,
    forwarded: forwarded.get(message.id) ?? null,
    nextAttemptAt: attempts.get(message.id) ?? null,
    ...(states.get(message.id) as Pick<AgentsMessage, 'bcc' | 'state' | 'error' | 'isSettled' | 'origin'>),
  }))
  return { messages: read.reverse(), hasEarlier: newest.length > rows.length }
}

const newestIdOfState = prepared((db) =>
  db
    .select(named({ id: messages.id }))
    .from(messages)
    .where(
      and(
        ofTenant(messages),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        eq(messages.state, sql.placeholder('state')),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare(),
)

/** The id of the newest message, whatever its state, or null: tells whether anybody has written meanwhile. */
export async function newestMessageOf(db: Reader, tenantId: string, ticketId: string): Promise<string | null> {
  const newest = await Promise.all(
    messageStates.map((state) => newestIdOfState(db).execute({ tenantId, ticketId, state })),
  )
  return newest.flat().reduce<string | null>((last, { id }) => (last !== null && last > id ? last : id), null)
}

/** Whether somebody else wrote it, and no inbox by itself. */
const isByOthers = and(
  or(isNull(messages.authorId), ne(messages.authorId, sql.placeholder('userId'))),
  or(ne(messages.direction, 'outbound'), ne(messages.source, 'email')),
)

/** What somebody else has added to a ticket. */
export type Addition = Pick<AgentsMessage, 'direction' | 'createdAt'> & {
  readonly id: string
  readonly state: AgentsMessage['state']
  readonly authorName: string | null
}

const addedByOthers = and(
  ofTenant(messages),
  eq(messages.ticketId, sql.placeholder('ticketId')),
  eq(messages.state, sql.placeholder('state')),
  gt(messages.id, sql.placeholder('after')),
  isByOthers,
)

const newestOfOthers = prepared((db) =>
  db
    .select(
      named({
        id: messages.id,
        state: messages.state,
        direction: messages.direction,
        authorName: messages.authorName,
        createdAt: messages.createdAt,
      }),
    )
    .from(messages)
    .where(addedByOthers)
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare(),
)

/**
 * The newest that anybody but the user has added to a ticket after the message `after`, or null: replies that are on their
 * way count, those that did not go out do not.
 */
export async function newestByOthers(
  db: Reader,
  { tenantId, userId }: { tenantId: string; userId: string },
  ticketId: string,
  after: string,
): Promise<Addition | null> {
  const states = messageStates.filter((state) => state !== 'failed')
  const newest = await Promise.all(
    states.map((state) => newestOfOthers(db).execute({ tenantId, userId, ticketId, state, after })),
  )
  return (newest.flat() as Addition[]).reduce<Addition | null>(
    (last, one) => (last !== null && last.id > one.id ? last : one),
    null,
  )
}

/** Messages of the conversation that are counted at most. */
const MAX_COUNTED = 99

const idsAfter = prepared((db) =>
  db
    .select(named({ id: messages.id }))
    .from(messages)
    .where(addedByOthers)
    .orderBy(asc(messages.id))
    .limit(MAX_COUNTED)
    .prepare(),
)

/** How many messages of the conversation others have added after the message `after`; 99 where there are more. */
export async function countMessagesAfter(
  db: Reader,
  { tenantId, userId }: { tenantId: string; userId: string },
  ticketId: string,
  after: string,
): Promise<number> {
  return (await idsAfter(db).execute({ tenantId, userId, ticketId, state: 'public', after })).length
}
