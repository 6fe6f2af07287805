import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, type Reader } from '../db/index.ts'
import { ticketFigures, ticketTags } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { listInboxes } from '../inboxes/operations.ts'
import { type ChannelName, channels } from '../kinds/inboxes.ts'
import { findTag } from '../tags/read.ts'
import { findTeam } from '../teams/read.ts'
import { NONE } from '../tickets/read.ts'
import { colleaguesById } from '../users/colleagues.ts'

/** Which tickets a report is about: of those that are given, all have to hold. */
export interface Scope {
  readonly inbox?: string | undefined
  /** A team's id, or `none`. */
  readonly team?: string | undefined
  /** A user's id or address, or `none`. */
  readonly user?: string | undefined
  /** A tag's name, in whatever case. */
  readonly tag?: string | undefined
  readonly channel?: string | undefined
}

/** The condition on `ticket_figures` that a scope comes to. Throws `invalid_request` for what there is not. */
export async function conditionOf(db: Reader, tenantId: string, scope: Scope): Promise<SQL> {
  const { inboxId, teamId, assigneeId, ticketId } = ticketFigures
  const inboxIds = await inboxIdsOf(db, tenantId, scope)
  const parts: (SQL | undefined)[] = [
    ofTenant(ticketFigures, tenantId),
    eq(ticketFigures.isCounted, true),
    inboxIds === null ? undefined : isOneOf(db, inboxId, JSON.stringify(inboxIds)),
    await idOf(scope.team, teamId, async (id) => (await findTeam(db, tenantId, id))?.id, 'team', 'team_unknown'),
    await idOf(scope.user, assigneeId, (id) => userIdOf(db, tenantId, id), 'user', 'user_unknown'),
  ]
  if (scope.tag) {
    const tag = await findTag(db, tenantId, scope.tag)
    if (!tag) throw invalid('tag', rule('tag_unknown'))
    parts.push(
      sql`${ticketId} IN (SELECT ${ticketTags.ticketId} FROM ${ticketTags} WHERE ${ofTenant(ticketTags, tenantId)} AND ${eq(ticketTags.tagId, tag.id)})`,
    )
  }
  return and(...parts) as SQL
}

async function inboxIdsOf(db: Reader, tenantId: string, { inbox, channel }: Scope): Promise<string[] | null> {
  if (!inbox && !channel) return null
  if (channel && !channels.includes(channel as ChannelName)) {
    throw invalid('channel', rule('one_of', { choices: channels.join(', ') }))
  }
  const all = await listInboxes(db, tenantId)
  if (inbox && !all.some(({ id }) => id === inbox.toLowerCase())) throw invalid('inbox', rule('inbox_unknown'))
  return all
    .filter(({ id }) => !inbox || id === inbox.toLowerCase())
    .filter((one) => !channel || one.channel === channel)
    .map(({ id }) => id)
}

async function idOf(
  given: string | undefined,
  column: typeof ticketFigures.teamId | typeof ticketFigures.assigneeId,
  find: (id: string) => Promise<string | undefined>,
  place: string,
  unknown: 'team_unknown' | 'user_unknown',
): Promise<SQL | undefined> {
  if (!given) return undefined
  if (given === NONE) return isNull(column)
  const id = await find(given.toLowerCase())
  if (id === undefined) throw invalid(place, rule(unknown))
  return eq(column, id)
}

async function userIdOf(db: Reader, tenantId: string, name: string): Promise<string | undefined> {
  const people = await colleaguesById(db, tenantId)
  return people.get(name)?.id ?? [...people.values()].find(({ email }) => email.toLowerCase() === name)?.id
}
