import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { keysetList, type PageRequest } from '../../db/lists/keyset.ts'
import { forms, responses, tenants } from '../../db/schema.ts'
import { parsePages } from '../../forms/pages.ts'
import { pagesOfRevision } from '../../forms/revisions.ts'
import { languageOf, parseSettings } from '../../forms/settings/model.ts'
import { inOrderOf } from '../../lib/ids.ts'
import type { Response } from '../model.ts'
import { type Asked, listRow, type ResponseListFilters, rowFilters, shownResponses, withIds } from './of-form.ts'

/** Entries that are looked at in one query where some may be passed over. */
const STEP = 1_000
/** Such queries of a page: more are left to the next. */
const STEPS = 20
/** How much of what forms ask is read before other requests are, in characters. */
const TEXT = 1_000_000

const entry = { id: responses.id, formId: responses.formId }
const entries = {
  name: 'responses of all forms',
  select: (db: Reader) => db.select(named(entry)).from(responses),
  tenantId: responses.tenantId,
  key: responses.id,
  keyOf: (row: { id: string; formId: string }) => row.id,
  changedAt: responses.updatedAt,
}

const allEntries = keysetList({
  ...entries,
  filters: {
    formId: (value) => eq(responses.formId, value),
    status: (value) => eq(responses.status, value),
  },
  changedWithin: ['formId'],
})

/** A contact has few: the others are looked at row by row, and must not tempt the engine to leave the contact's index. */
const entriesOfContact = keysetList({
  ...entries,
  filters: {
    contactId: (value) => eq(responses.contactId, value),
    formId: (value) => sql`${value} = ${responses.formId} || ''`,
    status: (value) => sql`${value} = ${responses.status} || ''`,
  },
})

const trashedForms = prepared((db) =>
  db
    .select(named({ id: forms.id }))
    .from(forms)
    .where(and(ofTenant(forms), isNotNull(forms.trashedAt)))
    .prepare(),
)

/** What the list of all responses can be asked for. */
export interface AllResponsesFilters extends ResponseListFilters {
  readonly formId?: string | undefined
  readonly contactId?: string | undefined
}

/**
 * A page of responses to all forms but those in the trash, newest first. It ends early where it would exceed 1 MiB, as
 * that of one form, and where very many to trashed forms lie in between: then it may even be empty. Throws
 * `invalid_request` for a foreign cursor.
 */
export async function listAllResponses(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  asked: AllResponsesFilters,
): Promise<{ items: Response[]; nextCursor: string | null }> {
  const { ids, nextCursor, cursorBehind } = await someIds(db, tenantId, page, asked)
  const found = await listedByIds(db).execute({ tenantId, ids: JSON.stringify(ids) })
  const { items, last } = await shownResponses(db, tenantId, inOrderOf(ids, found), askedByForms(db, tenantId))
  return { items, nextCursor: last ? cursorBehind(last.id) : nextCursor }
}

const listedByIds = prepared((db) => db.select(named(listRow)).from(responses).where(withIds(db)).prepare())

/** The ids of a page. */
async function someIds(db: Reader, tenantId: string, page: PageRequest, asked: AllResponsesFilters) {
  const trashed = new Set((await trashedForms(db).execute({ tenantId })).map(({ id }) => id))
  const filters = { ...rowFilters(asked), formId: asked.formId?.toLowerCase() }
  const contactId = asked.contactId?.toLowerCase()
  const read = (cursor: string | undefined, limit: number) =>
    contactId === undefined
      ? allEntries(db, tenantId, { cursor, limit }, filters)
      : entriesOfContact(db, tenantId, { cursor, limit }, { ...filters, contactId })

  const ids: string[] = []
  for (let { cursor } = page, step = 1; ; step++) {
    const { rows, nextCursor, cursorBehind } = await read(cursor, trashed.size === 0 ? page.limit : STEP)
    for (const { id, formId } of rows) {
      if (trashed.has(formId)) continue
      if (ids.length === page.limit) return { ids, nextCursor: cursorBehind(ids.at(-1) as string), cursorBehind }
      ids.push(id)
    }
    // Of a form in the trash all would be passed over.
    if (trashed.has(filters.formId ?? '')) return { ids, nextCursor: null, cursorBehind }
    if (nextCursor === null || ids.length === page.limit || step === STEPS) return { ids, nextCursor, cursorBehind }
    cursor = nextCursor
    // Requests are read in between.
    await new Promise(setImmediate)
  }
}

const formById = prepared((db) =>
  db
    .select(
      named({
        id: forms.id,
        revision: forms.revision,
        pages: forms.pages,
        settings: forms.settings,
        tenantLanguage: tenants.language,
      }),
    )
    .from(forms)
    .innerJoin(tenants, eq(tenants.id, forms.tenantId))
    .where(and(ofTenant(forms), eq(forms.id, sql.placeholder('id'))))
    .prepare(),
)

/** Tells what was asked in responses to any forms, reading each form and each of its revisions once. */
function askedByForms(db: Reader, tenantId: string) {
  const known = new Map<string, Asked>()
  const readForms = new Map<string, Awaited<ReturnType<typeof readForm>>>()
  let unread = TEXT

  async function readForm(id: string) {
    const [form] = await formById(db).execute({ tenantId, id })
    if (!form) throw new Error(`there are responses to form ${id}, but not the form`)
    unread -= form.pages.length
    if (unread < 0) {
      unread = TEXT
      await new Promise(setImmediate)
    }
    const { pages, settings, tenantLanguage } = form
    return { ...form, pages: parsePages(pages), language: languageOf(parseSettings(settings), tenantLanguage) }
  }

  return async ({ formId, revision }: { formId: string; revision: number }): Promise<Asked> => {
    const key = `${formId}/${revision}`
    const asked = known.get(key)
    if (asked) return asked
    const form = readForms.get(formId) ?? (await readForm(formId))
    readForms.set(formId, form)
    const found = { pages: await pagesOfRevision(db, tenantId, form, revision), language: form.language }
    known.set(key, found)
    return found
  }
}
