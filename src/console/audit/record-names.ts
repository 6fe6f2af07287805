import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { fullName } from '../../contacts/full-name.ts'
import { isOneOf, ofTenant, type Reader } from '../../db/index.ts'
import {
  apiKeys,
  articleCategories,
  cannedReplies,
  contactImports,
  contacts,
  customFields,
  forms,
  groups,
  inboxes,
  inboxViews,
  livechatSources,
  oauthGrants,
  organisations,
  promises,
  receivedMails,
  responses,
  rules,
  tags,
  teams,
  tenants,
  tickets,
  users,
  webhooks,
  workspaces,
} from '../../db/schema.ts'
import type { AuditAction } from '../../kinds/audit.ts'
import { referenceOf } from '../../tickets/read.ts'

/** What an action is about: the first word of its name. */
export type RecordKind = AuditAction extends `${infer K}.${string}` ? K : never

/** The names of those of `ids` that are there. */
type NamesOf = (db: Reader, tenantId: string, ids: readonly string[]) => Promise<[id: string, name: string | null][]>

type Table = SQLiteTable & { readonly tenantId: AnySQLiteColumn; readonly id: AnySQLiteColumn }

/** Records of a table that have a name of their own. */
function ofTable(table: Table, name: SQL | AnySQLiteColumn): NamesOf {
  return async (db, tenantId, ids) => {
    const columns = { id: sql<string>`${table.id}`, name: sql<string | null>`${name}` }
    const rows = await db
      .select(columns)
      .from(table)
      .where(ownOf(db, table, tenantId, ids))
    return rows.map((row) => [row.id, row.name])
  }
}

function ownOf(db: Reader, table: Table, tenantId: string, ids: readonly unknown[]): SQL | undefined {
  return and(ofTenant(table, tenantId), isOneOf(db, table.id, JSON.stringify(ids)))
}

const namesOf: Readonly<Record<RecordKind, NamesOf>> = {
  canned_reply: ofTable(cannedReplies, cannedReplies.name),
  category: ofTable(articleCategories, articleCategories.name),
  connection: ofTable(oauthGrants, oauthGrants.clientName),
  custom_field: ofTable(customFields, customFields.name),
  form: ofTable(forms, forms.title),
  import: ofTable(contactImports, contactImports.fileName),
  inbox: ofTable(inboxes, inboxes.name),
  key: ofTable(apiKeys, apiKeys.name),
  mail: ofTable(receivedMails, receivedMails.subject),
  organisation: ofTable(organisations, organisations.name),
  rule: ofTable(rules, rules.name),
  promise: ofTable(promises, promises.name),
  source: ofTable(livechatSources, livechatSources.name),
  tag: ofTable(tags, tags.name),
  team: ofTable(teams, teams.name),
  view: ofTable(inboxViews, inboxViews.name),
  webhook: ofTable(webhooks, webhooks.name),
  workspace: ofTable(workspaces, workspaces.name),
  user: ofTable(users, sql`coalesce(nullif(${users.name}, ''), ${users.email})`),
  // Called by what they are about, and by when they were asked for, as the reader writes it.
  retention: async () => [],
  backup: async () => [],
  // Its id says where it stands, and stays when it is gone.
  article: async (_db, _tenantId, ids) => ids.map((id) => [id, id.slice(id.indexOf('/') + 1)]),
  async contact(db, tenantId, ids) {
    const { id, name, lastName, email } = contacts
    const rows = await db
      .select({ id, name, lastName, email })
      .from(contacts)
      .where(ownOf(db, contacts, tenantId, ids))
    return rows.map((row) => [row.id, fullName(row) || row.email])
  },
  async group(db, tenantId, ids) {
    const { id, name } = groups
    const rows = await db
      .select({ id, name })
      .from(groups)
      .where(ownOf(db, groups, tenantId, ids.map(Number)))
    return rows.map((row) => [String(row.id), row.name])
  },
  async response(db, tenantId, ids) {
    const rows = await db
      .select({ id: responses.id, title: forms.title })
      .from(responses)
      .innerJoin(forms, and(eq(forms.tenantId, responses.tenantId), eq(forms.id, responses.formId)))
      .where(ownOf(db, responses, tenantId, ids))
    return rows.map((row) => [row.id, row.title])
  },
  async tenant(db, tenantId, ids) {
    const rows = await db.select({ name: tenants.name }).from(tenants).where(eq(tenants.id, tenantId))
    return rows.flatMap(({ name }) => (ids.includes(tenantId) ? [[tenantId, name] as [string, string]] : []))
  },
  async ticket(db, tenantId, ids) {
    const { id, sequentialNumber: number } = tickets
    const rows = await db
      .select({ id, number })
      .from(tickets)
      .where(ownOf(db, tickets, tenantId, ids))
    return rows.map((row) => [row.id, referenceOf(row.number)])
  },
}

/** A record, as entries of the audit log name it. */
export interface RecordReference {
  readonly kind: RecordKind
  readonly id: string
}

/**
 * What people call these records, as they are called now; null for those that are gone or have no name. One query for each
 * kind. For admins.
 */
export async function recordNames(
  db: Reader,
  tenantId: string,
  records: readonly RecordReference[],
): Promise<(record: RecordReference) => string | null> {
  const byKind = [...Map.groupBy(records, ({ kind }) => kind)]
  const found = await Promise.all(
    byKind.map(async ([kind, ofKind]) => {
      const ids = new Set(ofKind.map(({ id }) => id))
      return [kind, new Map(await namesOf[kind](db, tenantId, [...ids]))] as const
    }),
  )
  const names = new Map(found)
  return ({ kind, id }) => names.get(kind)?.get(id)?.trim() || null
}
