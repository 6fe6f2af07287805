import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Reader, remembered, type Tx } from '../../db/index.ts'
import { inboxAnswers } from '../../db/schema.ts'
import { invalid, refusal, rule } from '../../errors.ts'
import { getInbox } from '../../inboxes/operations.ts'
import { checkHours } from '../../lib/input/hours.ts'
import { placeholders, unknownPlaceholder, written } from '../writing/placeholders.ts'

/** What an email inbox answers by itself, each on or off. Texts may hold placeholders, as canned replies do. */
export interface AutomaticAnswers {
  readonly acknowledges: boolean
  readonly acknowledgement: string
  readonly answersOutOfHours: boolean
  readonly outOfHours: string
  /** When somebody is there; null: always. */
  readonly hours: string | null
}

/** The longest text of one, in characters. */
export const MAX_TEXT = 10_000

const nothing: AutomaticAnswers = {
  acknowledges: false,
  acknowledgement: '',
  answersOutOfHours: false,
  outOfHours: '',
  hours: null,
}

const ofInbox = remembered([inboxAnswers], async (db, key): Promise<AutomaticAnswers> => {
  const [tenantId = '', inboxId = ''] = key.split(' ')
  const { acknowledges, acknowledgement, answersOutOfHours, outOfHours, hours } = inboxAnswers
  const [row] = await db
    .select({ acknowledges, acknowledgement, answersOutOfHours, outOfHours, hours })
    .from(inboxAnswers)
    .where(and(ofTenant(inboxAnswers, tenantId), eq(inboxAnswers.inboxId, inboxId)))
  return row ?? nothing
})

/** What the inbox answers by itself. */
export function automaticAnswersOf(db: Reader, tenantId: string, inboxId: string): Promise<AutomaticAnswers> {
  return ofInbox(db, `${tenantId} ${inboxId}`)
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
  const fields = (Object.keys(after) as (keyof AutomaticAnswers)[]).filter((name) => after[name] !== before[name])
  if (fields.length === 0) return before
  await tx
    .insert(inboxAnswers)
    .values({ ...after, tenantId, inboxId: id })
    .onConflictDoUpdate({ target: [inboxAnswers.tenantId, inboxAnswers.inboxId], set: after })
  await audit(tx, caller, 'inbox.answers_changed', id, fields)
  return after
}

function checked(given: AutomaticAnswers): AutomaticAnswers {
  const acknowledgement = checkText(given.acknowledgement, 'acknowledgement')
  const outOfHours = checkText(given.outOfHours, 'outOfHours')
  const hours = given.hours?.trim() ? checkHours(given.hours) : null
  if (given.acknowledges && acknowledgement === '') throw invalid('acknowledgement', rule('not_empty'))
  if (given.answersOutOfHours && outOfHours === '') throw invalid('outOfHours', rule('not_empty'))
  if (given.answersOutOfHours && hours === null) throw invalid('hours', rule('not_empty'))
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
