import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import { alwaysOpen } from '../../calendars/model.ts'
import { setCalendar } from '../../calendars/operations.ts'
import { calendarOfTenant, findOwnCalendar } from '../../calendars/read.ts'
import { readHours, writeHours } from '../../calendars/week-text.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Reader, remembered, type Tx } from '../../db/index.ts'
import { inboxAnswers } from '../../db/schema.ts'
import { invalid, refusal, rule } from '../../errors.ts'
import { getInbox } from '../../inboxes/operations.ts'
import { placeholders, unknownPlaceholder, written } from '../writing/placeholders.ts'

/** What an email inbox answers by itself, each on or off. Texts may hold placeholders, as canned replies do. */
export interface AutomaticAnswers {
  readonly acknowledges: boolean
  readonly acknowledgement: string
  readonly answersOutOfHours: boolean
  readonly outOfHours: string
  /** Those of the inbox's own calendar, as `writeHours` writes them; null: it has none, and follows the tenant. */
  readonly hours: string | null
}

/** The longest text of one, in characters. */
export const MAX_TEXT = 10_000

const nothing = {
  acknowledges: false,
  acknowledgement: '',
  answersOutOfHours: false,
  outOfHours: '',
}

const ofInbox = remembered([inboxAnswers], async (db, key): Promise<Omit<AutomaticAnswers, 'hours'>> => {
  const [tenantId = '', inboxId = ''] = key.split(' ')
  const { acknowledges, acknowledgement, answersOutOfHours, outOfHours } = inboxAnswers
  const [row] = await db
    .select({ acknowledges, acknowledgement, answersOutOfHours, outOfHours })
    .from(inboxAnswers)
    .where(and(ofTenant(inboxAnswers, tenantId), eq(inboxAnswers.inboxId, inboxId)))
  return row ?? nothing
})

/** What the inbox answers by itself. */
export async function automaticAnswersOf(db: Reader, tenantId: string, inboxId: string): Promise<AutomaticAnswers> {
  const answers = await ofInbox(db, `${tenantId} ${inboxId}`)
  const calendar = await findOwnCalendar(db, tenantId, { inboxId })
  return { ...answers, hours: calendar && writeHours(calendar) }
}

/**
 * Changes what is given. For admins. Throws `not_found`, `unprocessable` for an inbox that is not of email, `invalid_request` for
 * hours or placeholders that mean nothing, and for an answer that is on and has no text or no hours.
 */
export async function changeAutomaticAnswers(
  tx: Tx,
  caller: Caller,
  inboxId: string,
  changes: Partial<AutomaticAnswers>,
): Promise<AutomaticAnswers> {
  const { tenantId } = caller
  const { id, channel } = await getInbox(tx, tenantId, inboxId)
  if (channel !== 'email') throw refusal('unprocessable', rule('only_mail_is_answered_automatically'))
  const before = await automaticAnswersOf(tx, tenantId, id)
  const after = checked({ ...before, ...changes })
  if (after.answersOutOfHours && after.hours === null && (await calendarOfTenant(tx, tenantId)) === alwaysOpen) {
    throw invalid('hours', rule('not_empty'))
  }
  const fields = (Object.keys(after) as (keyof AutomaticAnswers)[]).filter((name) => after[name] !== before[name])
  if (fields.includes('hours')) await changeHours(tx, caller, id, after.hours)
  const others = fields.filter((name) => name !== 'hours')
  if (others.length === 0) return after
  const { hours: _, ...row } = after
  await tx
    .insert(inboxAnswers)
    .values({ ...row, tenantId, inboxId: id })
    .onConflictDoUpdate({ target: [inboxAnswers.tenantId, inboxAnswers.inboxId], set: row })
  await audit(tx, caller, 'inbox.answers_changed', id, others)
  return after
}

/** Days off stay as they are: hours as people write them have none. */
async function changeHours(tx: Tx, caller: Caller, inboxId: string, hours: string | null): Promise<void> {
  const daysOff = (await findOwnCalendar(tx, caller.tenantId, { inboxId }))?.daysOff ?? []
  await setCalendar(tx, caller, { inboxId }, hours === null ? null : { ...readHours(hours), daysOff })
}

function checked(given: AutomaticAnswers): AutomaticAnswers {
  const acknowledgement = checkText(given.acknowledgement, 'acknowledgement')
  const outOfHours = checkText(given.outOfHours, 'outOfHours')
  const hours = given.hours?.trim() ? writeHours(readHours(given.hours)) : null
  if (given.acknowledges && acknowledgement === '') throw invalid('acknowledgement', rule('not_empty'))
  if (given.answersOutOfHours && outOfHours === '') throw invalid('outOfHours', rule('not_empty'))
  return { ...given, acknowledgement, outOfHours, hours }
}

function checkText(text: string, place: string): string {
  const trimmed = text.trim()
  if (trimmed.length > MAX_TEXT) throw invalid(place, rule('too_long', { most: MAX_TEXT }))
  const unknown = unknownPlaceholder(trimmed)
  if (unknown !== null) {
    throw invalid(place, rule('placeholder', { name: unknown, placeholders: placeholders.map(written).join(', ') }))
  }
  return trimmed
}
