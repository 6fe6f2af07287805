import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { keysetList, type PageRequest } from '../../db/lists/keyset.ts'
import { contactImports, refusedLines } from '../../db/schema.ts'
import { invalid, notFound, type Rule, refusal, rule } from '../../errors.ts'
import type { Delimiter, Encoding, ImportPlan } from '../../kinds/contact-imports.ts'
import { formatTime } from '../../lib/time.ts'
import { checkGroups } from '../references.ts'
import { listCustomFields } from '../rows.ts'

const DAY = 24 * 60 * 60 * 1000
/** How long a file waits for somebody to say what is to become of it, in milliseconds. */
const DRAFT_KEPT = DAY
/** How long it can be seen what became of a file, in milliseconds. */
export const ENDED_KEPT = 30 * DAY

const shown = {
  id: contactImports.id,
  fileName: contactImports.fileName,
  encoding: contactImports.encoding,
  delimiter: sql<Delimiter>`${contactImports.delimiter}`,
  lines: contactImports.lines,
  state: contactImports.state,
  doneLines: contactImports.doneLines,
  created: contactImports.created,
  updated: contactImports.updated,
  unchanged: contactImports.unchanged,
  refused: contactImports.refused,
  userName: contactImports.userName,
  endedAt: contactImports.endedAt,
  createdAt: contactImports.createdAt,
}

const importList = keysetList({
  name: 'contact imports',
  select: (db) => db.select(shown).from(contactImports),
  tenantId: contactImports.tenantId,
  key: contactImports.id,
  keyOf: (row) => row.id,
  filters: {},
})

/** A page of the files that were taken in during the last 30 days, newest first. Throws `invalid_request` for a foreign cursor. */
export function listImports(db: Reader, tenantId: string, page: PageRequest) {
  return importList(db, tenantId, page)
}

export type Import = Awaited<ReturnType<typeof listImports>>['rows'][number]

const importById = prepared((db) =>
  db
    .select(shown)
    .from(contactImports)
    .where(and(ofTenant(contactImports), eq(contactImports.id, sql.placeholder('id'))))
    .prepare(),
)

/** One of them. Throws `not_found`. */
export async function getImport(db: Reader, tenantId: string, id: string): Promise<Import> {
  const [found] = await importById(db).execute({ tenantId, id })
  if (!found) throw notFound('import')
  return found
}

/** What is known of a file that was sent. */
export interface NewImport {
  readonly id: string
  readonly fileName: string
  readonly size: number
  readonly sha256: string
  readonly encoding: Encoding
  readonly delimiter: Delimiter
  readonly lines: number
}

/** Keeps the record of a file that is stored already, for a day; nothing is taken in yet. For people who sign in. */
export async function draftImport(tx: Tx, { tenantId, author, at, address }: Caller, file: NewImport): Promise<void> {
  await tx.insert(contactImports).values({
    ...file,
    tenantId,
    state: 'draft',
    expiresAt: formatTime(at + DRAFT_KEPT),
    ...{ userId: author.id ?? '', userName: author.name ?? '', address },
    createdAt: formatTime(at),
  })
}

/**
 * Begins to take a file in, on behalf of whoever says so. Throws `not_found`, `conflict` where it was begun already,
 * `invalid_request` for a plan that cannot be: without a column of emails, with one thing in two columns, or with groups
 * or fields that are not there.
 */
export async function startImport(
  tx: Tx,
  caller: Caller,
  id: string,
  { plan, lines, ...text }: { plan: ImportPlan; lines: number; encoding: Encoding; delimiter: Delimiter },
): Promise<void> {
  const { tenantId, author, address, at } = caller
  const { state } = await getImport(tx, tenantId, id)
  if (state !== 'draft') throw refusal('conflict', rule('import_begun'))
  await checkPlan(tx, tenantId, plan)
  await tx
    .update(contactImports)
    .set({
      ...{ ...text, plan, lines },
      ...{ state: 'running', dueAt: formatTime(at), expiresAt: null },
      ...{ userId: author.id ?? '', userName: author.name ?? '', address },
    })
    .where(own(tenantId, id))
  await audit(tx, caller, 'import.started', id)
}

async function checkPlan(tx: Tx, tenantId: string, plan: ImportPlan): Promise<void> {
  const chosen = plan.columns.flatMap((target, index) => (target === null ? [] : { target, index }))
  if (!chosen.some(({ target }) => target === 'email')) throw invalid('columns', rule('email_column'))
  const fields = new Set((await listCustomFields(tx, tenantId)).map((field) => field.id))
  const seen = new Set<string>()
  for (const { target, index } of chosen) {
    const name = target.replace(/^(text|number|date):/, '')
    if (seen.has(name)) throw invalid(`columns[${index}]`, rule('column_twice'))
    if (name !== target && !fields.has(name)) throw invalid(`columns[${index}]`, rule('field_unknown'))
    seen.add(name)
  }
  await checkGroups(tx, tenantId, plan.groupIds)
}

/** Ends an import where it is: what was taken in stays. Returns whether it ended by this. Throws `not_found`. */
export async function cancelImport(tx: Tx, caller: Caller, id: string): Promise<boolean> {
  const { tenantId, at } = caller
  await getImport(tx, tenantId, id)
  const ended = await tx
    .update(contactImports)
    .set({ state: 'cancelled', dueAt: null, endedAt: formatTime(at), expiresAt: formatTime(at + ENDED_KEPT) })
    .where(and(own(tenantId, id), isOneOf(tx, contactImports.state, JSON.stringify(['draft', 'running']))))
    .returning({ id: contactImports.id })
  if (ended.length > 0) await audit(tx, caller, 'import.cancelled', id)
  return ended.length > 0
}

const refusedAfter = prepared((db) =>
  db
    .select({
      line: refusedLines.line,
      field: refusedLines.field,
      rule: refusedLines.rule,
      content: refusedLines.content,
    })
    .from(refusedLines)
    .where(
      and(
        ofTenant(refusedLines),
        eq(refusedLines.importId, sql.placeholder('importId')),
        gt(refusedLines.line, sql.placeholder('after')),
      ),
    )
    .orderBy(asc(refusedLines.line))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** Lines that were not taken, and why, in their order: those after line `after`, `limit` at most. */
export async function listRefusedLines(
  db: Reader,
  tenantId: string,
  importId: string,
  { after, limit }: { after: number; limit: number },
) {
  const lines = await refusedAfter(db).execute({ tenantId, importId, after, limit })
  return lines.map((line) => ({ ...line, rule: ruleIn(line.rule) }))
}

/** Why a line was refused: the rule, or of lines that an older version took, its English. */
function ruleIn(stored: string): Rule | string {
  return stored.startsWith('{') ? (JSON.parse(stored) as Rule) : stored
}

export type RefusedLine = Awaited<ReturnType<typeof listRefusedLines>>[number]

function own(tenantId: string, id: string) {
  return and(ofTenant(contactImports, tenantId), eq(contactImports.id, id))
}
