import { and, eq, sql } from 'drizzle-orm'
import { requireSource } from '../articles/sources.ts'
import { audit } from '../audit/record.ts'
import { setCalendar } from '../calendars/operations.ts'
import { findOwnCalendar } from '../calendars/read.ts'
import { readHours, writeHours } from '../calendars/week-text.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { chatSettings } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { findInbox } from '../inboxes/operations.ts'
import { checkColour } from '../lib/input/colours.ts'
import { quote, readBoolean, readList, readString } from '../lib/input/read.ts'
import { checkLanguage } from '../lib/language/languages.ts'
import type { Secrets } from '../secrets/seal.ts'

/** How the chat of a source looks and whom it lets in (decisions §13). */
export interface ChatSettings {
  /** Sites that may show the chat, as browsers write an origin; null: any. */
  readonly origins: readonly string[] | null
  /** Those of its own calendar, as `writeHours` writes them; null: it has none, and follows its inbox and the tenant. */
  readonly hours: string | null
  /** Whose address answers are mailed from; null: the tenant's oldest email inbox. */
  readonly emailInboxId: string | null
  /** Plain text, shown while nobody is there. */
  readonly awayText: string | null
  /** Whether the button is not shown while nobody is there. */
  readonly hidesWhenAway: boolean
  /** `#rrggbb` */
  readonly accent: string | null
  /** BCP 47; null: the tenant's. */
  readonly language: string | null
}

const defaults: ChatSettings = {
  origins: null,
  hours: null,
  emailInboxId: null,
  awayText: null,
  hidesWhenAway: false,
  accent: null,
  language: null,
}

/** Settings to change, as somebody wrote them: null clears one, and one that is left out keeps its value. */
export type ChatSettingsChanges = { readonly [K in keyof ChatSettings]?: unknown }

const MAX_ORIGINS = 20
const MAX_ORIGIN = 300
const MAX_AWAY_TEXT = 1_000
const MAX_WORD = 1_000

/** How each setting is read. None gets null, which clears. */
const readers: { readonly [K in keyof ChatSettings]: (value: unknown, place: string) => ChatSettings[K] } = {
  origins: (value, place) => [
    ...new Set(readList(value, MAX_ORIGINS, place).map((origin, index) => readOrigin(origin, `${place}[${index}]`))),
  ],
  hours: (value, place) => writeHours(readHours(readString(value, MAX_WORD, place), place)),
  emailInboxId: (value, place) => readString(value, MAX_WORD, place).trim().toLowerCase(),
  awayText: (value, place) => readString(value, MAX_AWAY_TEXT, place).trim(),
  hidesWhenAway: readBoolean,
  accent: (value, place) => checkColour(readString(value, MAX_WORD, place), place),
  language: (value, place) => checkLanguage(readString(value, MAX_WORD, place), place),
}

/** `https://acme.test` or `http://localhost:8080`, as a browser writes it. */
function readOrigin(value: unknown, place: string): string {
  const text = readString(value, MAX_ORIGIN, place).trim()
  const url = URL.canParse(text) ? new URL(text) : null
  // No wildcard, which a policy would take and nobody else, and nothing that would end the site's place in a policy.
  const isOrigin = url && /^https?:\/\/[\w.:[\]-]+$/.test(url.origin) && url.href === `${url.origin}/`
  if (!isOrigin) throw invalid(place, rule('site', { text: quote(text) }))
  return url.origin
}

const settingsRow = {
  origins: chatSettings.origins,
  emailInboxId: chatSettings.emailInboxId,
  awayText: chatSettings.awayText,
  hidesWhenAway: chatSettings.hidesWhenAway,
  accent: chatSettings.accent,
  language: chatSettings.language,
}

const settingsOfSource = prepared((db) =>
  db
    .select(settingsRow)
    .from(chatSettings)
    .where(and(ofTenant(chatSettings), eq(chatSettings.sourceId, sql.placeholder('sourceId'))))
    .prepare(),
)

/** The settings of a source, defaults where nobody set any. */
export async function getChatSettings(db: Reader, tenantId: string, sourceId: string): Promise<ChatSettings> {
  const [row] = await settingsOfSource(db).execute({ tenantId, sourceId })
  const calendar = await findOwnCalendar(db, tenantId, { sourceId })
  return { ...(row ?? defaults), hours: calendar && writeHours(calendar) }
}

/**
 * Changes the settings that are named and returns them all. For the command line and the console. Throws
 * `invalid_request` naming the setting and the rule, `not_found`.
 */
export async function changeChatSettings(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  changes: ChatSettingsChanges,
): Promise<ChatSettings> {
  const { tenantId } = caller
  const id = sourceId.toLowerCase()
  const read = readChanges(changes)
  await requireSource(tx, tenantId, id)
  if (read.emailInboxId) await requireEmailInbox(tx, tenantId, read.emailInboxId)
  const before = await getChatSettings(tx, tenantId, id)
  const after = { ...before, ...read }
  const changed = (Object.keys(read) as (keyof ChatSettings)[]).filter(
    (name) => !Bun.deepEquals(before[name], after[name]),
  )
  if (changed.includes('hours')) await changeHours(tx, caller, id, after.hours)
  const others = changed.filter((name) => name !== 'hours')
  if (others.length === 0) return after
  const { hours: _, ...columns } = after
  const row = { ...columns, origins: after.origins ? [...after.origins] : null }
  await tx
    .insert(chatSettings)
    .values({ ...row, tenantId, sourceId: id })
    .onConflictDoUpdate({ target: [chatSettings.tenantId, chatSettings.sourceId], set: row })
  await audit(tx, caller, 'source.settings_changed', id, others)
  return after
}

/** Days off stay as they are: hours as people write them have none. */
async function changeHours(tx: Tx, caller: Caller, sourceId: string, hours: string | null): Promise<void> {
  const daysOff = (await findOwnCalendar(tx, caller.tenantId, { sourceId }))?.daysOff ?? []
  await setCalendar(tx, caller, { sourceId }, hours === null ? null : { ...readHours(hours), daysOff })
}

function readChanges(changes: ChatSettingsChanges): Partial<ChatSettings> {
  const read = (Object.keys(readers) as (keyof ChatSettings)[]).flatMap((name) => {
    const value = changes[name]
    if (value === undefined) return []
    return [[name, value === null ? defaults[name] : readers[name](value, name)]]
  })
  return Object.fromEntries(read)
}

async function requireEmailInbox(tx: Tx, tenantId: string, id: string): Promise<void> {
  const inbox = await findInbox(tx, tenantId, id)
  if (!inbox) throw invalid('emailInboxId', rule('inbox_unknown'))
  if (inbox.channel !== 'email') throw invalid('emailInboxId', rule('inbox_email'))
  if (inbox.archivedAt !== null) throw invalid('emailInboxId', rule('inbox_archived'))
}

/** What the sealed secret of a source is bound to. */
const secretContext = (tenantId: string, sourceId: string) => `chat secret ${tenantId} ${sourceId}`

/**
 * Gives a source a new secret to sign identities with, and returns it this once: from here on those signed with the one
 * before are refused. For the command line and the console. Throws `not_found`.
 */
export async function renewChatSecret(tx: Tx, caller: Caller, sourceId: string, secrets: Secrets): Promise<string> {
  const { tenantId } = caller
  const id = sourceId.toLowerCase()
  await requireSource(tx, tenantId, id)
  const secret = `cs_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')}`
  const sealedSecret = secrets.seal(secret, secretContext(tenantId, id))
  await tx
    .insert(chatSettings)
    .values({ tenantId, sourceId: id, sealedSecret })
    .onConflictDoUpdate({ target: [chatSettings.tenantId, chatSettings.sourceId], set: { sealedSecret } })
  await audit(tx, caller, 'source.secret_renewed', id)
  return secret
}

const sealedSecretOf = prepared((db) =>
  db
    .select({ sealedSecret: chatSettings.sealedSecret })
    .from(chatSettings)
    .where(and(ofTenant(chatSettings), eq(chatSettings.sourceId, sql.placeholder('sourceId'))))
    .prepare(),
)

/** The secret that identities of a source are signed with; null where it never got one. */
export async function findChatSecret(
  db: Reader,
  secrets: Secrets,
  { tenantId, sourceId }: { tenantId: string; sourceId: string },
): Promise<string | null> {
  const [row] = await sealedSecretOf(db).execute({ tenantId, sourceId })
  return row?.sealedSecret ? secrets.open(row.sealedSecret, secretContext(tenantId, sourceId)) : null
}
