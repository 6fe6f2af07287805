import { and, desc, eq, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { attachments, messages } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { limitFiles, type NewAttachment, placesOf } from './attachments.ts'
import { contentOf, cut, isEmpty } from './content.ts'
import { addMessage, getMessage } from './messages.ts'
import type { Message } from './model.ts'
import { ticketRowOf } from './read.ts'

/** What is kept of addresses that were typed: more than may be sent to, so that it is refused then and not lost. */
const KEPT_ADDRESSES = 100
const KEPT_OF_ADDRESS = 400

/** What somebody has written in a ticket so far. Of `html` and `text`, the missing one is made from the other. */
export interface DraftInput {
  html?: string | null | undefined
  text?: string | null | undefined
  /** Addresses for copies, as they were typed. */
  cc: readonly string[]
  /** Files that come along, stored before; `html` may show images of the draft's files by `cid:{id}`. */
  added?: readonly NewAttachment[] | undefined
  /** Ids of its files that go. */
  removed?: readonly string[] | undefined
}

const draftOfUser = prepared((db) =>
  db
    .select(named({ id: messages.id }))
    .from(messages)
    .where(
      and(
        ofTenant(messages),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        eq(messages.state, 'draft'),
        eq(messages.authorId, sql.placeholder('userId')),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(1)
    .prepare(),
)

/** The answer that a user is writing in a ticket, or null. Nobody else is shown it. */
export async function findDraft(
  db: Reader,
  tenantId: string,
  ticketId: string,
  userId: string | null,
): Promise<Message | null> {
  const [found] = await draftOfUser(db).execute({ tenantId, ticketId, userId })
  return found ? getMessage(db, tenantId, found.id) : null
}

/**
 * Keeps what an agent has written so far, in place of what was kept before; null, and nothing is kept, when it says
 * nothing and has no files. For agents. Throws `not_found`, `invalid_request` for what is too long to be sent, `too_large`
 * for files above 25 MiB together: then what was kept stays.
 */
export async function saveDraft(tx: Tx, caller: Caller, ticketId: string, input: DraftInput): Promise<Message | null> {
  const { tenantId, author } = caller
  const { id: ofTicket } = await ticketRowOf(tx, tenantId, ticketId)
  const known = await findDraft(tx, tenantId, ofTicket, author.id)
  const { added = [], removed = [] } = input
  const files = [...(known?.attachments ?? []).filter(({ id }) => !removed.includes(id)), ...added]
  limitFiles(files)
  const content = contentOf(input, placesOf(files))
  const cc = input.cc.slice(0, KEPT_ADDRESSES).map((address) => cut(address, KEPT_OF_ADDRESS))
  if (known) await removeFiles(tx, tenantId, known, removed)
  if (isEmpty(content) && files.length === 0) {
    if (known) await removeDraft(tx, tenantId, known.id)
    return null
  }
  if (!known) {
    const draft = { ...content, ...nowhere, cc, ticketId: ofTicket, author, attachments: added }
    return getMessage(tx, tenantId, await addMessage(tx, caller, draft))
  }
  await tx
    .update(messages)
    .set({ ...content, cc, createdAt: formatTime(caller.at) })
    .where(ofMessage(tenantId, known.id))
  if (added.length > 0)
    await tx.insert(attachments).values(added.map((file) => ({ ...file, tenantId, messageId: known.id })))
  return getMessage(tx, tenantId, known.id)
}

/** What a draft is before it is addressed. */
const nowhere = {
  state: 'draft',
  direction: 'outbound',
  source: 'web',
  subject: null,
  from: null,
  to: [],
  mailId: null,
} as const

/** The files themselves are swept. */
async function removeFiles(tx: Tx, tenantId: string, draft: Message, removed: readonly string[]): Promise<void> {
  for (const { id } of draft.attachments.filter((file) => removed.includes(file.id))) {
    await tx.delete(attachments).where(and(ofTenant(attachments, tenantId), eq(attachments.id, id)))
  }
}

/** Forgets a draft, with its files. For the operations of this folder. */
export async function removeDraft(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.delete(attachments).where(and(ofTenant(attachments, tenantId), eq(attachments.messageId, id)))
  await tx.delete(messages).where(ofMessage(tenantId, id))
}

const ofMessage = (tenantId: string, id: string) => and(ofTenant(messages, tenantId), eq(messages.id, id))
