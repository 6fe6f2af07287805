import { and, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, remembered, type Tx } from '../db/index.ts'
import { inboxes, livechatSources, tenants } from '../db/schema.ts'
import { invalid, notFound, rule } from '../errors.ts'
import { type ArticleLanguage, articleLanguages } from '../kinds/articles.ts'
import { newId } from '../lib/ids.ts'
import { checkName } from '../lib/input/names.ts'
import { checkLanguage } from '../lib/language/languages.ts'
import { formatTime } from '../lib/time.ts'
import { isArticleLanguage, translatedInto } from './languages.ts'
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
  /** What its articles are written in (BCP 47). */
  readonly language: string
  /** What they are translated into besides, as people decided. */
  readonly languages: readonly ArticleLanguage[]
}

const sourceOfAnyTenant = prepared((db) =>
  db
    .select({
      tenantId: livechatSources.tenantId,
      id: livechatSources.id,
      name: livechatSources.name,
      tenantName: tenants.name,
      language: livechatSources.language,
      tenantLanguage: tenants.language,
      languages: livechatSources.languages,
    })
    .from(livechatSources)
    .innerJoin(tenants, eq(tenants.id, livechatSources.tenantId))
    .where(eq(livechatSources.id, sql.placeholder('id')))
    .limit(1)
    .prepare(),
)

const publicSource = remembered([livechatSources, tenants], async (db, id: string) => {
  const [source] = await sourceOfAnyTenant(db).execute({ id })
  if (!source) return null
  const { tenantLanguage, languages, ...rest } = source
  const language = source.language ?? tenantLanguage ?? 'en'
  return { ...rest, language, languages: translatedInto(language, languages.split(' ')) }
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

/**
 * Says what the articles of a source are written in (BCP 47) and translated into. Translations into a language that is
 * taken out are kept, and shown to nobody until it is back. Throws `not_found`, and `invalid_request` for what is no language.
 */
export async function setLanguages(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  input: { readonly language: string; readonly languages: readonly string[] },
): Promise<void> {
  const { tenantId } = caller
  await requireSource(tx, tenantId, sourceId)
  const language = checkLanguage(input.language)
  for (const one of input.languages)
    if (!isArticleLanguage(one)) throw invalid('languages', rule('one_of', { choices: articleLanguages.join(', ') }))
  const languages = translatedInto(language, input.languages).join(' ')
  await tx
    .update(livechatSources)
    .set({ language, languages })
    .where(and(ofTenant(livechatSources, tenantId), eq(livechatSources.id, sourceId)))
  await audit(tx, caller, 'source.settings_changed', sourceId, ['languages'])
}

/** Throws `not_found` where the articles of a source are not translated into that language. */
export async function requireLanguage(db: Reader, tenantId: string, sourceId: string, language: string): Promise<void> {
  await requireSource(db, tenantId, sourceId)
  const { languages } = await findPublicSource(db, sourceId)
  if (!languages.some((one) => one === language)) throw notFound('language')
}
