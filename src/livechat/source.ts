import { and, eq, sql } from 'drizzle-orm'
import type { Calendar } from '../calendars/model.ts'
import { calendarOfChat } from '../calendars/read.ts'
import { isWorkingTime } from '../calendars/working-time.ts'
import { named, prepared, type Reader, remembered } from '../db/index.ts'
import { calendars, chatSettings, livechatSources, tenants } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { isUuid } from '../lib/ids.ts'

/** A source, as visitors meet it: its id alone says whose it is. */
export interface ChatSource {
  readonly tenantId: string
  readonly sourceId: string
  readonly inboxId: string
  readonly name: string
  /** null: any. */
  readonly origins: readonly string[] | null
  /** null: always. */
  readonly hours: Calendar | null
  readonly awayText: string | null
  readonly hidesWhenAway: boolean
  /** `#rrggbb`: the source's, else its tenant's; null: ours. */
  readonly accent: string | null
  /** BCP 47: the source's, else its tenant's, else English. */
  readonly language: string
}

const sourceById = prepared((db) =>
  db
    .select(
      named({
        tenantId: livechatSources.tenantId,
        sourceId: livechatSources.id,
        inboxId: livechatSources.inboxId,
        name: livechatSources.name,
        tenantLanguage: tenants.language,
        tenantAccent: tenants.accent,
        origins: chatSettings.origins,
        awayText: chatSettings.awayText,
        hidesWhenAway: chatSettings.hidesWhenAway,
        accent: chatSettings.accent,
        language: chatSettings.language,
      }),
    )
    .from(livechatSources)
    .innerJoin(tenants, eq(tenants.id, livechatSources.tenantId))
    .leftJoin(
      chatSettings,
      and(eq(chatSettings.tenantId, livechatSources.tenantId), eq(chatSettings.sourceId, livechatSources.id)),
    )
    .where(eq(livechatSources.id, sql.placeholder('sourceId')))
    .orderBy(livechatSources.tenantId)
    .limit(1)
    .prepare(),
)

const sourceOfId = remembered(
  [livechatSources, chatSettings, tenants, calendars],
  async (db, sourceId: string): Promise<ChatSource | null> => {
    const [row] = await sourceById(db).execute({ sourceId })
    if (!row) return null
    const { tenantLanguage, tenantAccent, hidesWhenAway, language, accent, ...source } = row
    return {
      ...source,
      hours: await calendarOfChat(db, source),
      hidesWhenAway: hidesWhenAway ?? false,
      accent: accent ?? tenantAccent,
      language: language ?? tenantLanguage ?? 'en',
    }
  },
)

/** The source with this id, of whichever tenant. For the public routes. Throws `not_found`. */
export async function findChatSource(db: Reader, sourceId: string): Promise<ChatSource> {
  const source = isUuid(sourceId) ? await sourceOfId(db, sourceId.toLowerCase()) : null
  if (!source) throw notFound('source')
  return source
}

/** What the chat shows of its source. */
export interface ChatLook extends Pick<ChatSource, 'name' | 'awayText' | 'hidesWhenAway' | 'language' | 'accent'> {
  /** Whether somebody is there to answer. */
  readonly isOpen: boolean
}

/** How the chat looks at `at` (milliseconds since 1970). */
export function lookOf({ name, hours, awayText, hidesWhenAway, language, accent }: ChatSource, at: number): ChatLook {
  return { name, isOpen: hours === null || isWorkingTime(hours, at), awayText, hidesWhenAway, language, accent }
}
