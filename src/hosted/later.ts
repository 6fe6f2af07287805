import type { Caller } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { AppError, invalid, refusal, rule } from '../errors.ts'
import { isCollecting, notCollecting } from '../forms/closing.ts'
import { formRecordOf } from '../forms/operations.ts'
import { type Revision, revisionOf } from '../forms/revisions.ts'
import { isEmail } from '../lib/input/email.ts'
import type { StoredAnswer } from '../responses/answers.ts'
import { type BegunResponse, findOwnResponse } from '../responses/collection.ts'
import { parseHiddenFields } from '../responses/hidden-fields.ts'
import { linkedResponse } from '../responses/later.ts'
import { planLink } from '../responses/notifications/to-respondents.ts'
import type { Secrets } from '../secrets/seal.ts'
import type { Launched } from './launch.ts'
import type { Known } from './page/logic.ts'
import { type ResumedMemory, resumedMemory } from './resumed.ts'

type Macs = Pick<Secrets, 'mac'>
type OfForm = Pick<Launched, 'tenantId' | 'formId'>

/** Somebody with a response: by its own token, or by that of a link that they were sent. */
export function begunBy(secrets: Macs, form: OfForm, own: BegunResponse, now: number): BegunResponse {
  const isLinked = linkedResponse(secrets, form, own.resumeToken, now) === own.id
  return { id: own.id, resumeToken: own.resumeToken, isLinked }
}

/**
 * Plans the mail with a link to a partial response (decisions §21). Throws `not_found` for a form that does not collect
 * and for a wrong token, `unprocessable` for a form that does not offer it, `conflict` for a complete response,
 * `invalid_request` for what is no address, `too_soon` for one that was sent enough.
 */
export async function askForLink(
  tx: Tx,
  caller: Caller,
  formId: string,
  begun: BegunResponse,
  email: string,
): Promise<void> {
  const address = email.trim()
  if (!isEmail(address)) throw invalid('email', rule('email'))
  const form = await formRecordOf(tx, caller.tenantId, formId)
  const own = await findOwnResponse(tx, caller.tenantId, form.id, begun)
  if (own.status === 'complete') throw refusal('conflict', rule('response_complete'))
  if (!isCollecting(form, caller.at)) throw notCollecting()
  if (!form.settings.later) throw refusal('unprocessable', rule('later_not_offered'))
  await planLink(tx, caller, { formId: form.id, responseId: begun.id }, address)
}

/** What a link leads to: a response to go on with as it was asked, one that was sent since, or nothing any more. */
export type LinkedPage =
  | { kind: 'partial'; revision: number; asked: Revision; known: Known; memory: ResumedMemory }
  | { kind: 'sent' }
  | { kind: 'over' }

/** What the token of a link to this form leads to. */
export async function linkedPage(
  db: Reader,
  secrets: Macs,
  { tenantId, formId }: OfForm,
  token: string,
  now: number,
): Promise<LinkedPage> {
  const id = linkedResponse(secrets, { tenantId, formId }, token, now)
  if (id === null) return { kind: 'over' }
  const begun = { id, resumeToken: token, isLinked: true }
  try {
    const form = await formRecordOf(db, tenantId, formId)
    const { status, revision, answers, hiddenFields } = await findOwnResponse(db, tenantId, formId, begun)
    if (status === 'complete') return { kind: 'sent' }
    const { pages, variables, ends } = await revisionOf(db, tenantId, form, revision)
    const given = new Map((JSON.parse(answers) as StoredAnswer[]).map(({ questionId, value }) => [questionId, value]))
    const known = { answers: Object.fromEntries(given), hidden: parseHiddenFields(hiddenFields) }
    const memory = {
      ...resumedMemory(pages, given, { id, resumeToken: token }),
      ...(hiddenFields === null ? {} : { hiddenFields: known.hidden }),
    }
    return { kind: 'partial', revision, asked: { pages, variables, ends }, known, memory }
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { kind: 'over' }
    throw error
  }
}
