import { and, desc, eq, lte } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { formEdits } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import type { FormRecord } from './operations.ts'
import { type FormContent, parseContent } from './pages.ts'

/** How many changes of a form can be undone. */
const MOST = 50

/** Changes of the same thing that follow each other within this time are one change to undo, in milliseconds. */
const TOGETHER = 60_000

/** Those that a draft is saved with while somebody types. */
const GOES_ON = /^(intro|(page|question) \d+) changed$/

/** One change that can be undone, or one that was. */
export interface Edit {
  /** In the words of the audit log: `question 12 moved`. */
  readonly what: string
  /** What was drafted before it. */
  readonly content: FormContent
}

type Kind = (typeof formEdits.$inferSelect)['kind']

/** Which changes could be undone and done again now, in the words of the audit log; null for none. */
export async function editsOf(
  db: Reader,
  tenantId: string,
  formId: string,
): Promise<{ undo: string | null; redo: string | null }> {
  const [undo, redo] = [await newest(db, tenantId, formId, 'undo'), await newest(db, tenantId, formId, 'redo')]
  return { undo: undo?.what ?? null, redo: redo?.what ?? null }
}

/** Keeps what was drafted before a change, which is about to be made. What was undone cannot be done again after it. */
export async function noteEdit(
  tx: Tx,
  caller: Caller,
  form: FormRecord,
  { what, before }: { what: string; before: FormContent },
): Promise<void> {
  const { tenantId, author, at } = caller
  await tx.delete(formEdits).where(and(ofForm(tenantId, form.id), eq(formEdits.kind, 'redo')))
  const last = await newest(tx, tenantId, form.id, 'undo')
  const goesOn = last?.what === what && GOES_ON.test(what) && last.authorId === author.id
  if (goesOn && at - Date.parse(last.createdAt) < TOGETHER) return
  await keepEdit(tx, caller, form, 'undo', { what, before })
  const [oldest] = await tx
    .select({ version: formEdits.version })
    .from(formEdits)
    .where(ofForm(tenantId, form.id))
    .orderBy(desc(formEdits.version))
    .limit(1)
    .offset(MOST)
  if (oldest) await tx.delete(formEdits).where(and(ofForm(tenantId, form.id), lte(formEdits.version, oldest.version)))
}

/** Keeps one change, by the version that it makes. */
export async function keepEdit(
  tx: Tx,
  { tenantId, author, at }: Caller,
  { id: formId, draftVersion }: FormRecord,
  kind: Kind,
  { what, before }: { what: string; before: FormContent },
): Promise<void> {
  const content = JSON.stringify(before)
  const createdAt = formatTime(at)
  const version = draftVersion + 1
  await tx.insert(formEdits).values({ tenantId, formId, version, kind, what, authorId: author.id, content, createdAt })
}

/** Takes the newest change of a kind away, to undo it or do it again; null when there is none. */
export async function takeEdit(tx: Tx, { tenantId }: Caller, formId: string, kind: Kind): Promise<Edit | null> {
  const last = await newest(tx, tenantId, formId, kind)
  if (!last) return null
  const { version, what } = last
  const [taken] = await tx
    .delete(formEdits)
    .where(and(ofForm(tenantId, formId), eq(formEdits.version, version)))
    .returning({ content: formEdits.content })
  return taken ? { what, content: parseContent(taken.content) } : null
}

/** Forgets all of them: what has been published is not undone. */
export async function forgetEdits(tx: Tx, { tenantId }: Caller, formId: string): Promise<void> {
  await tx.delete(formEdits).where(ofForm(tenantId, formId))
}

async function newest(db: Reader, tenantId: string, formId: string, kind: Kind) {
  const { version, what, authorId, createdAt } = formEdits
  const [row] = await db
    .select({ version, what, authorId, createdAt })
    .from(formEdits)
    .where(and(ofForm(tenantId, formId), eq(formEdits.kind, kind)))
    .orderBy(desc(version))
    .limit(1)
  return row ?? null
}

const ofForm = (tenantId: string, formId: string) => and(ofTenant(formEdits, tenantId), eq(formEdits.formId, formId))
