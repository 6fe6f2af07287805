import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { attachments, replyDrafts } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { cut } from '../../lib/text/one-line.ts'
import { formatTime } from '../../lib/time.ts'
import { fileColumns, limitFiles, type NewAttachment, placesOf } from '../attachments/operations.ts'
import type { Message } from '../model.ts'
import { ticketRowOf } from '../read.ts'
import { type Content, contentOf, isEmpty } from '../thread/content.ts'

/** What is kept of addresses that were typed: more than may be sent to, so that it is refused then and not lost. */
const KEPT_ADDRESSES = 100
const KEPT_OF_ADDRESS = 400

/** Addresses as they were typed. An empty `to` is left to the thread. */
export interface TypedRecipients {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

/** An answer that somebody is writing. */
export interface Draft extends Content {
  readonly id: string
  /** Whom it goes to, as it was typed; null where that is left to the thread. */
  readonly recipients: TypedRecipients | null
  readonly attachments: Message['attachments']
  readonly savedAt: string
}

/** What somebody has written in a ticket so far. Of `html` and `text`, the missing one is made from the other. */
export interface DraftInput {
  html?: string | null | undefined
  text?: string | null | undefined
  recipients: TypedRecipients | null
  /** Files that come along, stored before; `html` may show images of the draft's files by `cid:{id}`. */
  added?: readonly NewAttachment[] | undefined
  /** Ids of its files that go. */
  removed?: readonly string[] | undefined
}

const draftOfUser = prepared((db) =>
  db
    .select(
      named({
        id: replyDrafts.id,
        html: replyDrafts.html,
        text: replyDrafts.text,
        to: replyDrafts.to,
        cc: replyDrafts.cc,
        savedAt: replyDrafts.savedAt,
      }),
    )
    .from(replyDrafts)
    .where(
      and(
        ofTenant(replyDrafts),
        eq(replyDrafts.ticketId, sql.placeholder('ticketId')),
        eq(replyDrafts.userId, sql.placeholder('userId')),
      ),
    )
    .orderBy(desc(replyDrafts.id))
    .limit(1)
    .prepare(),
)

const filesOfDraft = prepared((db) =>
  db
    .select(fileColumns)
    .from(attachments)
    .where(and(ofTenant(attachments), eq(attachments.draftId, sql.placeholder('draftId'))))
    .orderBy(asc(attachments.id))
    .prepare(),
)

/** The answer that a user is writing in a ticket, or null. Nobody else is shown it. */
export async function findDraft(
  db: Reader,
  tenantId: string,
  ticketId: string,
  userId: string | null,
): Promise<Draft | null> {
  const [row] = await draftOfUser(db).execute({ tenantId, ticketId, userId })
  if (!row) return null
  const { to, cc, ...draft } = row
  const files = await filesOfDraft(db).execute({ tenantId, draftId: draft.id })
  return { ...draft, recipients: to && { to, cc }, attachments: files }
}

/**
 * Keeps what an agent has written so far, in place of what was kept before; null, and nothing is kept, when it says
 * nothing and has no files. For agents. Throws `not_found`, `invalid_request` for what is too long to be sent, `too_large`
 * for files above 25 MiB together: then what was kept stays.
 */
export async function saveDraft(tx: Tx, caller: Caller, ticketId: string, input: DraftInput): Promise<Draft | null> {
  const { tenantId, at } = caller
  const userId = caller.author.id as string
  const { id: ofTicket } = await ticketRowOf(tx, tenantId, ticketId)
  const known = await findDraft(tx, tenantId, ofTicket, userId)
  const { added = [], removed = [] } = input
  const left = (known?.attachments ?? []).filter(({ id }) => !removed.includes(id))
  limitFiles([...left, ...added])
  const content = contentOf(input, placesOf([...left, ...added]))
  if (isEmpty(content) && left.length + added.length === 0) {
    if (known) await removeDraft(tx, tenantId, known.id)
    return null
  }
  const { to = null, cc = [] } = input.recipients ?? {}
  const id = known?.id ?? newId(at)
  const written = { ...content, to: to && kept(to), cc: kept(cc), savedAt: formatTime(at) }
  if (known) await tx.update(replyDrafts).set(written).where(ofDraft(tenantId, id))
  else await tx.insert(replyDrafts).values({ ...written, tenantId, id, ticketId: ofTicket, userId })
  const gone = (known?.attachments ?? []).filter((file) => !left.includes(file)).map((file) => file.id)
  // The files themselves are swept.
  if (gone.length > 0) {
    await tx.delete(attachments).where(and(ofTenant(attachments, tenantId), inArray(attachments.id, gone)))
  }
  if (added.length > 0) await tx.insert(attachments).values(added.map((file) => ({ ...file, tenantId, draftId: id })))
  return findDraft(tx, tenantId, ofTicket, userId)
}

function kept(addresses: readonly string[]): string[] {
  return addresses.slice(0, KEPT_ADDRESSES).map((address) => cut(address, KEPT_OF_ADDRESS))
}

/** Whether there would be nothing to see of it in a chat: no words, and no files. */
export function saysNothing(draft: Draft): boolean {
  return isEmpty(draft) && draft.attachments.length === 0
}

/** Forgets a draft, with its files. For the operations of this folder, and for what was sent otherwise. */
export async function removeDraft(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.delete(replyDrafts).where(ofDraft(tenantId, id))
}

/** The files of a draft become those of a message, or back. For the operations of this folder. */
export async function moveFiles(
  tx: Tx,
  tenantId: string,
  from: { draftId: string } | { messageId: string },
  to: { draftId: string } | { messageId: string },
): Promise<void> {
  const held = 'draftId' in from ? eq(attachments.draftId, from.draftId) : eq(attachments.messageId, from.messageId)
  await tx
    .update(attachments)
    .set({ draftId: null, messageId: null, ...to })
    .where(and(ofTenant(attachments, tenantId), held))
}

/** Drafts follow their ticket into the one that it is merged into. For the operations of this folder. */
export async function moveDrafts(tx: Tx, tenantId: string, ticketId: string, intoId: string): Promise<void> {
  await tx
    .update(replyDrafts)
    .set({ ticketId: intoId })
    .where(and(ofTenant(replyDrafts, tenantId), eq(replyDrafts.ticketId, ticketId)))
}

const ofDraft = (tenantId: string, id: string) => and(ofTenant(replyDrafts, tenantId), eq(replyDrafts.id, id))
