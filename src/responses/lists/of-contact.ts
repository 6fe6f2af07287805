import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { forms, responses, tenants } from '../../db/schema.ts'
import { parsePages } from '../../forms/pages.ts'
import { pagesOfRevision } from '../../forms/revisions.ts'
import { languageOf, parseSettings } from '../../forms/settings/model.ts'
import type { Response } from '../model.ts'
import { responseRow, showResponse } from '../operations.ts'
import { unfinishedOfAddress } from './of-address.ts'

/** A response as the list of a contact shows it. */
export interface ResponseOfContact {
  readonly id: string
  readonly formId: string
  readonly formTitle: string
  readonly status: Response['status']
  readonly startedAt: string
}

/** After every id. */
const END = '~'
const ofContact = and(
  ofTenant(responses),
  eq(responses.contactId, sql.placeholder('contactId')),
  lt(responses.id, sql.placeholder('before')),
)

/** Joins the form to each response: by a left join, so that the index of the responses decides the order. */
export const ofForm = and(eq(forms.tenantId, responses.tenantId), eq(forms.id, responses.formId))

/** The columns of a `ResponseOfContact`. */
export const listedColumns = {
  id: responses.id,
  formId: responses.formId,
  formTitle: sql<string>`${forms.title}`,
  status: responses.status,
  startedAt: responses.startedAt,
}

const listed = prepared((db) =>
  db
    .select(named(listedColumns))
    .from(responses)
    .leftJoin(forms, ofForm)
    .where(ofContact)
    .orderBy(desc(responses.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

/** A contact's responses to all forms, newest first: those `before` one, `limit` at most. */
export async function listResponsesOfContact(
  db: Reader,
  tenantId: string,
  contactId: string,
  { before = END, limit }: { before?: string | undefined; limit: number },
): Promise<ResponseOfContact[]> {
  return listed(db).execute({ tenantId, contactId, before, limit })
}

const whole = (which: SQL | undefined) =>
  prepared((db) =>
    db
      .select(
        named({
          ...responseRow,
          formTitle: sql<string>`${forms.title}`,
          formRevision: sql<number>`${forms.revision}`,
          formPages: sql<string>`${forms.pages}`,
          formSettings: sql<string>`${forms.settings}`,
          tenantLanguage: tenants.language,
        }),
      )
      .from(responses)
      .leftJoin(forms, ofForm)
      .leftJoin(tenants, eq(tenants.id, responses.tenantId))
      .where(which)
      .orderBy(desc(responses.id))
      .limit(1)
      .prepare(),
  )
const wholeBefore = whole(ofContact)
const wholeById = whole(and(ofTenant(responses), eq(responses.id, sql.placeholder('id'))))

type Whole = Response & { formTitle: string }

/** All that a contact answered, newest first, one after the other; to forms in the trash, too. */
export async function* responsesOfContact(db: Reader, tenantId: string, contactId: string): AsyncGenerator<Whole> {
  for (let before = END; ; ) {
    const [found] = await wholeBefore(db).execute({ tenantId, contactId, before })
    if (!found) return
    yield show(db, tenantId, found)
    before = found.id
  }
}

/** What somebody who gave this address has begun to answer, oldest first. */
export async function* responsesOfAddress(db: Reader, tenantId: string, email: string): AsyncGenerator<Whole> {
  for await (const id of unfinishedOfAddress(db, tenantId, email)) {
    const [found] = await wholeById(db).execute({ tenantId, id })
    if (found) yield show(db, tenantId, found)
  }
}

type WholeRow = Awaited<ReturnType<ReturnType<typeof wholeById>['execute']>>[number]

async function show(db: Reader, tenantId: string, found: WholeRow): Promise<Whole> {
  const { formTitle, formRevision, formPages, formSettings, tenantLanguage, ...row } = found
  const form = { id: row.formId, revision: formRevision, pages: parsePages(formPages) }
  const pages = await pagesOfRevision(db, tenantId, form, row.revision)
  return { formTitle, ...showResponse(row, pages, languageOf(parseSettings(formSettings), tenantLanguage)) }
}
