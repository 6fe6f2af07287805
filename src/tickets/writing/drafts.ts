import { and, asc, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { attachments, replyDrafts } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { cut, oneLine } from '../../lib/text/one-line.ts'
import { formatTime } from '../../lib/time.ts'
import { fileColumns, limitFiles, type NewAttachment, placesOf } from '../attachments/operations.ts'
import { ticketAfterMerges } from '../merging/merges.ts'
import type { Message } from '../model.ts'
import { ticketRowOf } from '../read.ts'
import { type Content, contentOf, isEmpty } from '../thread/content.ts'

/** What is kept of addresses that were typed: more than may be sent to, so that it is refused then and not lost. */
const KEPT_ADDRESSES = 100
const KEPT_OF_ADDRESS = 400
/** As many characters as a ticket's subject may have. */
const KEPT_OF_SUBJECT = 500
/** More than a message has files. */
const KEPT_LEFT_OUT = 200

/** Addresses as they were typed. An empty `to` is left to the thread. */
export interface TypedRecipients {
  readonly to: readonly string[]
  readonly cc: readonly string[]
}

/** What somebody is writing: an answer in a ticket, or what begins a conversation. */
export interface Draft extends Content, Beginning, Forwarding {
  readonly id: string
  /** Null where it begins one. */
  readonly ticketId: string | null
  /** Whom it goes to, as it was typed; null where that is left to the thread. */
  readonly recipients: TypedRecipients | null
  /** Who gets a blind copy, as it was typed: the thread never says so. */
  readonly bcc: readonly string[]
  readonly attachments: Message['attachments']
  readonly savedAt: string
}

/** Of a mail that begins a conversation: what it is about, and the inbox it is sent from, as they were chosen so far. */
export interface Beginning {
  readonly subject: string | null
  readonly inboxId: string | null
}

/** Of a mail that forwards a message: which, and which of its files do not come along. */
export interface Forwarding {
  readonly forwardedId: string | null
  readonly leftOut: readonly string[] | null
}

/** What somebody has written so far. Of `html` and `text`, the missing one is made from the other. */
export interface DraftInput {
  html?: string | null | undefined
  text?: string | null | undefined
  recipients: TypedRecipients | null
  bcc?: readonly string[] | undefined
  /** Files that come along, stored before; `html` may show images of the draft's files by `cid:{id}`. */
  added?: readonly NewAttachment[] | undefined
  /** Ids of its files that go. */
  removed?: readonly string[] | undefined
}

const newestDraft = (db: Reader, place: SQL | undefined) =>
  db
    .select(
      named({
        id: replyDrafts.id,
        ticketId: replyDrafts.ticketId,
        html: replyDrafts.html,
        text: replyDrafts.text,
        to: replyDrafts.to,
        cc: replyDrafts.cc,
        bcc: replyDrafts.bcc,
        subject: replyDrafts.subject,
        inboxId: replyDrafts.inboxId,
        forwardedId: replyDrafts.forwardedId,
        leftOut: replyDrafts.leftOut,
        savedAt: replyDrafts.savedAt,
      }),
    )
    .from(replyDrafts)
    .where(and(ofTenant(replyDrafts), place, eq(replyDrafts.userId, sql.placeholder('userId'))))
    .orderBy(desc(replyDrafts.id))
    .limit(1)
    .prepare()

const isInTicket = eq(replyDrafts.ticketId, sql.placeholder('ticketId'))
const draftInTicket = prepared((db) => newestDraft(db, and(isInTicket, isNull(replyDrafts.forwardedId))))
const draftOfForward = prepared((db) =>
  newestDraft(db, and(isInTicket, eq(replyDrafts.forwardedId, sql.placeholder('forwardedId')))),
)
const draftOfBeginning = prepared((db) => newestDraft(db, isNull(replyDrafts.ticketId)))

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
  return draftOf(db, tenantId, await draftInTicket(db).execute({ tenantId, ticketId, userId }))
}

/** What a user is writing to begin a conversation, or null. Nobody else is shown it. */
export async function findBeginning(db: Reader, tenantId: string, userId: string | null): Promise<Draft | null> {
  return draftOf(db, tenantId, await draftOfBeginning(db).execute({ tenantId, userId }))
}

/** What a user is writing to forward a message of a ticket, or null. Nobody else is shown it. */
export async function findForwardDraft(
  db: Reader,
  tenantId: string,
  { ticketId, id: forwardedId }: Pick<Message, 'ticketId' | 'id'>,
  userId: string | null,
): Promise<Draft | null> {
  return draftOf(db, tenantId, await draftOfForward(db).execute({ tenantId, ticketId, forwardedId, userId }))
}

async function draftOf(
  db: Reader,
  tenantId: string,
  [row]: Awaited<ReturnType<ReturnType<typeof draftInTicket>['execute']>>,
): Promise<Draft | null> {
  if (!row) return null
  const { to, cc, bcc, ...draft } = row
  const files = await filesOfDraft(db).execute({ tenantId, draftId: draft.id })
  return { ...draft, recipients: to && { to, cc }, bcc: bcc ?? [], attachments: files }
}

/**
 * Keeps what an agent has written so far, in place of what was kept before; null, and nothing is kept, when it says
 * nothing and has no files. What is written in a ticket that was merged is kept where its messages are. For agents. Throws `not_found`, `invalid_request` for what is too long to be sent, `too_large`
 * for files above 25 MiB together: then what was kept stays.
 */
export async function saveDraft(tx: Tx, caller: Caller, ticketId: string, input: DraftInput): Promise<Draft | null> {
  const { tenantId, author } = caller
  const { id } = await ticketRowOf(tx, tenantId, await ticketAfterMerges(tx, tenantId, ticketId))
  const known = await findDraft(tx, tenantId, id, author.id)
  await keep(tx, caller, known, { ...NOWHERE, ticketId: id }, input)
  return findDraft(tx, tenantId, id, author.id)
}

/** As `saveDraft`, of what begins a conversation. What it is about and whom it is for is kept without a word of it, too. */
export async function saveBeginning(
  tx: Tx,
  caller: Caller,
  { subject, inboxId, ...input }: DraftInput & Beginning,
): Promise<Draft | null> {
  const { tenantId, author } = caller
  const known = await findBeginning(tx, tenantId, author.id)
  const beginning = { ...NOWHERE, subject: keptSubject(subject), inboxId }
  await keep(tx, caller, known, beginning, input)
  return findBeginning(tx, tenantId, author.id)
}

/** As `saveDraft`, of what forwards a message, which has been found in its ticket. Without `leftOut`, all that was left out stays so. */
export async function saveForwardDraft(
  tx: Tx,
  caller: Caller,
  message: Pick<Message, 'ticketId' | 'id'>,
  { subject, leftOut, ...input }: DraftInput & { subject: string; leftOut?: readonly string[] | undefined },
): Promise<Draft | null> {
  const { tenantId, author } = caller
  const known = await findForwardDraft(tx, tenantId, message, author.id)
  const left = [...(leftOut ?? known?.leftOut ?? [])].slice(0, KEPT_LEFT_OUT)
  const { ticketId, id: forwardedId } = message
  const place = { ...NOWHERE, ticketId, forwardedId, subject: keptSubject(subject), leftOut: left }
  await keep(tx, caller, known, place, input)
  return findForwardDraft(tx, tenantId, message, author.id)
}

const keptSubject = (subject: string | null) => cut(oneLine(subject ?? ''), KEPT_OF_SUBJECT)

type Place = Pick<typeof replyDrafts.$inferInsert, 'ticketId' | 'subject' | 'inboxId' | 'forwardedId' | 'leftOut'>

const NOWHERE = { ticketId: null, subject: null, inboxId: null, forwardedId: null, leftOut: null } as const

async function keep(tx: Tx, caller: Caller, known: Draft | null, place: Place, input: DraftInput): Promise<void> {
  const { tenantId, at } = caller
  const { added = [], removed = [] } = input
  const left = (known?.attachments ?? []).filter(({ id }) => !removed.includes(id))
  limitFiles([...left, ...added])
  const content = contentOf(input, placesOf([...left, ...added]))
  const { to = null, cc = [] } = input.recipients ?? {}
  const { bcc = [] } = input
  const isAnswer = place.ticketId !== null && place.forwardedId === null
  const isAddressed = !isAnswer && [...(to ?? []), ...cc, ...bcc, ...(place.leftOut ?? [place.subject])].some(Boolean)
  if (isEmpty(content) && left.length + added.length === 0 && !isAddressed) {
    if (known) await removeDraft(tx, tenantId, known.id)
    return
  }
  const id = known?.id ?? newId(at)
  const addressed = { to: to && kept(to), cc: kept(cc), bcc: bcc.length > 0 ? kept(bcc) : null }
  const written = { ...content, ...place, ...addressed, savedAt: formatTime(at) }
  if (known) await tx.update(replyDrafts).set(written).where(ofDraft(tenantId, id))
  else await tx.insert(replyDrafts).values({ ...written, tenantId, id, userId: caller.author.id as string })
  const gone = (known?.attachments ?? []).filter((file) => !left.includes(file)).map((file) => file.id)
  // The files themselves are swept.
  if (gone.length > 0) {
    await tx.delete(attachments).where(and(ofTenant(attachments, tenantId), inArray(attachments.id, gone)))
  }
  if (added.length > 0) await tx.insert(attachments).values(added.map((file) => ({ ...file, tenantId, draftId: id })))
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
