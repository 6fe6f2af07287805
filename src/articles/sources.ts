import { and, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, remembered, type Tx } from '../db/index.ts'
import { inboxes, livechatSources, tenants } from '../db/schema.ts'
import { invalid, notFound, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import type { Source } from './model.ts'

const sourceRow = {
  id: livechatSources.id,
  name: livechatSources.name,
  inboxId: livechatSources.inboxId,
  createdAt: livechatSources.createdAt,
}

const sourcesOfTenant = prepared((db) =>
  db
    .select(sourceRow)
    .from(livechatSources)
    .where(ofTenant(livechatSources))
    .orderBy(desc(livechatSources.id))
    .prepare(),
)

/** All live-chat sources of the tenant, newest first. */
export async function listSources(db: Reader, tenantId: string): Promise<Source[]> {
  return sourcesOfTenant(db).execute({ tenantId })
}

const sourceById = prepared((db) =>
  db
    .select(sourceRow)
    .from(livechatSources)
    .where(and(ofTenant(livechatSources), eq(livechatSources.id, sql.placeholder('id'))))
    .prepare(),
)

/** Throws `not_found` when the tenant has no such source. */
export async function requireSource(db: Reader, tenantId: string, id: string): Promise<void> {
  await getSource(db, tenantId, id)
}

/** One source. Throws `not_found`. */
export async function getSource(db: Reader, tenantId: string, id: string): Promise<Source> {
  const [source] = await sourceById(db).execute({ tenantId, id })
  if (!source) throw notFound('source')
  return source
}

/** A source as visitors know it, who name it by its id alone. */
export interface PublicSource {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly tenantName: string
  /** BCP 47. */
  readonly language: string
}

const sourceOfAnyTenant = prepared((db) =>
  db
    .select({
      tenantId: livechatSources.tenantId,
      id: livechatSources.id,
      name: livechatSources.name,
      tenantName: tenants.name,
      language: tenants.language,
    })
    .from(livechatSources)
    .innerJoin(tenants, eq(tenants.id, livechatSources.tenantId))
    .where(eq(livechatSources.id, sql.placeholder('id')))
    .limit(1)
    .prepare(),
)

const publicSource = remembered([livechatSources, tenants], async (db, id: string) => {
  const [source] = await sourceOfAnyTenant(db).execute({ id })
  return source ? { ...source, language: source.language ?? 'en' } : null
})

/** The source of an id, for the public surfaces: whose it is, no key says. Throws `not_found`. */
export async function findPublicSource(db: Reader, id: string): Promise<PublicSource> {
  const source = await publicSource(db, id)
  if (!source) throw notFound('source')
  return source
}

/**
 * A source of articles for a live-chat inbox. For the command line and the console, not the API. Throws `invalid_request` for a bad
 * name, and for an inbox that is unknown, archived or of another channel.
 */
export async function createSource(tx: Tx, caller: Caller, input: { name: string; inboxId: string }): Promise<Source> {
  const { tenantId } = caller
  const inboxId = input.inboxId.toLowerCase()
  const [inbox] = await tx
    .select({ channel: inboxes.channel, archivedAt: inboxes.archivedAt })
    .from(inboxes)
    .where(and(ofTenant(inboxes, tenantId), eq(inboxes.id, inboxId)))
  if (!inbox) throw invalid('inboxId', rule('inbox_unknown'))
  if (inbox.channel !== 'livechat') throw invalid('inboxId', rule('inbox_livechat'))
  if (inbox.archivedAt !== null) throw invalid('inboxId', rule('inbox_archived'))
  const source = { id: newId(caller.at), name: checkName(input.name), inboxId, createdAt: formatTime(caller.at) }
  await tx.insert(livechatSources).values({ ...source, tenantId })
  await audit(tx, caller, 'source.created', source.id)
  return source
}
