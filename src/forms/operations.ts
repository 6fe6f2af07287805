import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { takeNumbers } from '../db/counters.ts'
import { named, ofTenant, prepared, preparedWrite, type Reader, remembered, rowsWritten, type Tx } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/lists/keyset.ts'
import { forms, tenants, workspaces } from '../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../errors.ts'
import { newId, randomCode } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { findOwner } from '../users/accounts.ts'
import { type NewContent, readContent } from './content.ts'
import { shownEnds, shownPages } from './logic-input/shown.ts'
import type { Form, FormCreate, FormListItem } from './model.ts'
import {
  type FormContent,
  numberContent,
  type PageIds,
  parseEnds,
  parsePages,
  parseVariables,
  storedContent,
} from './pages.ts'
import { languageOf, type OtherSettings, parseSettings } from './settings/model.ts'

/** The length of a launch code: 47 random bits. */
const LAUNCH_CODE_LENGTH = 8

const listItemRow = {
  id: forms.id,
  title: forms.title,
  status: forms.status,
  workspaceId: forms.workspaceId,
  publishedAt: forms.publishedAt,
  updatedAt: forms.updatedAt,
}

const formList = keysetList({
  name: 'forms',
  select: (db) => db.select(named(listItemRow)).from(forms),
  tenantId: forms.tenantId,
  key: forms.id,
  keyOf: (row) => row.id,
  filters: {
    workspaceId: (value) => eq(forms.workspaceId, value),
  },
  changedAt: forms.updatedAt,
  always: isNull(forms.trashedAt),
})

/** A page of forms, newest first, without trashed ones. Throws `invalid_request` for a foreign cursor. */
export async function listForms(
  db: Reader,
  tenantId: string,
  page: PageRequest,
  filters: { workspaceId?: string | undefined; since?: string | undefined },
): Promise<{ items: FormListItem[]; nextCursor: string | null }> {
  const workspaceId = filters.workspaceId?.toLowerCase()
  const { rows, nextCursor } = await formList(db, tenantId, page, { ...filters, workspaceId })
  return { items: rows, nextCursor }
}

const trashList = keysetList({
  name: 'trashed forms',
  select: (db) => db.select(named({ id: forms.id, title: forms.title, trashedAt: forms.trashedAt })).from(forms),
  tenantId: forms.tenantId,
  key: forms.id,
  keyOf: (row) => row.id,
  filters: {},
  always: isNotNull(forms.trashedAt),
})

/** A page of the forms in the trash, newest first, for people. Throws `invalid_request` for a foreign cursor. */
export async function listTrashedForms(db: Reader, tenantId: string, page: PageRequest) {
  const { rows, nextCursor } = await trashList(db, tenantId, page)
  return { items: rows, nextCursor }
}

const formById = prepared((db) =>
  db
    .select(
      named({
        ...listItemRow,
        description: forms.description,
        launchCode: forms.launchCode,
        ownerId: forms.ownerId,
        createdAt: forms.createdAt,
        pages: forms.pages,
        variables: forms.variables,
        ends: forms.ends,
        revision: forms.revision,
        settings: forms.settings,
        closesAt: forms.closesAt,
        maxResponses: forms.maxResponses,
        draftVersion: forms.draftVersion,
        tenantLanguage: tenants.language,
      }),
    )
    .from(forms)
    .innerJoin(tenants, eq(tenants.id, forms.tenantId))
    .where(and(ofTenant(forms), eq(forms.id, sql.placeholder('id')), isNull(forms.trashedAt)))
    .prepare(),
)

/** A form with what the API does not show of it. */
export interface FormRecord extends Form {
  /** Number of the published revision; 0 before the first. */
  revision: number
  settings: OtherSettings
  /** The settings by which collecting ends by itself (`closing.ts`). */
  closesAt: string | null
  maxResponses: number | null
  /** Another one after every change to the draft. */
  draftVersion: number
  /** BCP 47: what it is written in, its own, else its tenant's, else English. */
  language: string
}

/** One form as it is published, or as it is drafted until then (decisions §12). Throws `not_found`, for a trashed form too. */
export async function getForm(db: Reader, tenantId: string, id: string): Promise<Form> {
  return shownForm(await formRecordOf(db, tenantId, id))
}

function shownForm(record: FormRecord): Form {
  const { revision, settings, closesAt, maxResponses, draftVersion, language, ...form } = record
  return withNames(form)
}

/** As `getForm`, for operations. */
export async function formRecordOf(db: Reader, tenantId: string, id: string): Promise<FormRecord> {
  const [row] = await formById(db).execute({ tenantId, id })
  if (!row) throw notFound('form')
  const { tenantLanguage, ...form } = row
  const settings = parseSettings(form.settings)
  return {
    ...form,
    pages: parsePages(form.pages),
    variables: parseVariables(form.variables),
    ends: parseEnds(form.ends),
    settings,
    language: languageOf(settings, tenantLanguage),
  }
}

/**
 * Creates a form with its pages and questions, unpublished (api.md §4 rules 1 to 4). Throws `invalid_request` naming
 * the place and the rule (decisions §5), `unprocessable_entity` when the tenant has no billable user to own it. What it is
 * to ask may have been read already.
 */
export async function createForm(
  tx: Tx,
  caller: Caller,
  input: FormCreate,
  content: NewContent = readContent(input),
): Promise<Form> {
  const { tenantId } = caller
  const workspaceId = await findWorkspace(tx, tenantId, input.workspaceId ?? null)
  const ownerId = await findOwner(tx, tenantId)
  if (!ownerId) throw refusal('unprocessable_entity', rule('form_owner'))
  const at = formatTime(caller.at)
  const form = {
    id: newId(caller.at),
    title: input.title,
    status: input.active ? ('active' as const) : ('inactive' as const),
    workspaceId,
    publishedAt: null,
    updatedAt: at,
    description: content.description,
    ownerId,
    createdAt: at,
    ...(await withNumbers(tx, tenantId, content)),
    variables: content.variables,
  }
  const launchCode = await insert(tx, tenantId, form)
  await audit(tx, caller, 'form.created', form.id)
  return withNames({ ...form, launchCode })
}

/** A form as the API shows it: its conditions name questions by their friendlyIds. */
export function withNames(form: Form): Form {
  const { pages, ends } = form
  return { ...form, pages: shownPages(pages), ends: shownEnds(pages, ends) }
}

/**
 * Pages and ends with ids: those of `known`, in the same order, and new ones where there is none. A number is never given
 * twice, so no id is ever used again.
 */
export async function withNumbers(
  tx: Tx,
  tenantId: string,
  content: Pick<NewContent, 'pages' | 'ends'>,
  known: readonly PageIds[] = [],
): Promise<Pick<FormContent, 'pages' | 'ends'>> {
  const { pages } = content
  const isNew = (id: number | null | undefined) => id === null || id === undefined
  const newPages = pages.filter((_, index) => isNew(known[index]?.page)).length
  const newQuestions = pages.reduce(
    (sum, { questions }, index) => sum + questions.filter((_, at) => isNew(known[index]?.questions[at])).length,
    0,
  )
  const firstPage = newPages === 0 ? 0 : await takeNumbers(tx, tenantId, 'page', newPages)
  const firstQuestion = newQuestions === 0 ? 0 : await takeNumbers(tx, tenantId, 'question', newQuestions)
  return numberContent(content, known, firstPage, firstQuestion)
}

const workspaceById = prepared((db) =>
  db
    .select(named({ id: workspaces.id }))
    .from(workspaces)
    .where(and(ofTenant(workspaces), eq(workspaces.id, sql.placeholder('id'))))
    .prepare(),
)

const firstWorkspace = prepared((db) =>
  db
    .select(named({ id: workspaces.id }))
    .from(workspaces)
    .where(ofTenant(workspaces))
    .orderBy(asc(workspaces.id))
    .limit(1)
    .prepare(),
)

const oldestWorkspace = remembered([workspaces], (db, tenantId) => firstWorkspace(db).execute({ tenantId }))

/** The workspace asked for, or the tenant's oldest (decisions §5). */
async function findWorkspace(tx: Tx, tenantId: string, wanted: string | null): Promise<string> {
  const [found] =
    wanted === null
      ? await oldestWorkspace(tx, tenantId)
      : await workspaceById(tx).execute({ tenantId, id: wanted.toLowerCase() })
  if (!found) throw invalid('workspaceId', rule('workspace_unknown'))
  return found.id
}

const insertForm = preparedWrite((tx) =>
  tx
    .insert(forms)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      workspaceId: sql.placeholder('workspaceId'),
      ownerId: sql.placeholder('ownerId'),
      title: sql.placeholder('title'),
      description: sql.placeholder('description'),
      launchCode: sql.placeholder('launchCode'),
      status: sql.placeholder('status'),
      pages: sql.placeholder('pages'),
      variables: sql.placeholder('variables'),
      ends: sql.placeholder('ends'),
      publishedAt: null,
      createdAt: sql.placeholder('createdAt'),
      updatedAt: sql.placeholder('updatedAt'),
    })
    .onConflictDoNothing({ target: forms.launchCode })
    .prepare(),
)

/** Stores the form under a launch code of its own, which is the answer. */
async function insert(tx: Tx, tenantId: string, form: Omit<Form, 'launchCode'>): Promise<string> {
  const values = { ...form, ...storedContent(form), tenantId }
  for (;;) {
    const launchCode = randomCode(LAUNCH_CODE_LENGTH)
    // One code in 200 million million is taken: then another.
    if (rowsWritten(tx, await insertForm(tx).execute({ ...values, launchCode })) > 0) return launchCode
  }
}

/** Makes the forms of somebody who leaves another's. Returns whether there were any. */
export async function handOverForms(tx: Tx, { tenantId }: Caller, from: string, to: string): Promise<boolean> {
  const taken = await tx
    .update(forms)
    .set({ ownerId: to })
    .where(and(ofTenant(forms, tenantId), eq(forms.ownerId, from)))
    .returning({ id: forms.id })
  return taken.length > 0
}
