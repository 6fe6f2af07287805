import type { Caller } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { refusal, rule } from '../errors.ts'
import type { FormRecord } from '../forms/operations.ts'
import { questionsOf } from '../forms/pages.ts'
import type { PaymentAnswer } from '../forms/question-types/index.ts'
import { pagesOfRevision } from '../forms/revisions.ts'
import { formatTime } from '../lib/time.ts'
import type { StoredAnswer } from './answers.ts'
import { type BegunResponse, findOwnResponse } from './collection.ts'
import { openResponse, updateAnswers } from './rows.ts'

/** A payment that a finished response owes, as its answer has it. */
export interface PaymentDue {
  readonly questionId: number
  /** Sanitised simple HTML. */
  readonly questionText: string
  /** In the smallest unit of the currency; above 0. */
  readonly amount: number
  /** ISO 4217 code. */
  readonly currency: string
}

/**
 * What a respondent still has to pay, in the order of the form. Amounts and currencies are those that were stored at
 * completion. Throws `not_found` for a wrong token, `conflict` for a response that is not complete.
 */
export async function paymentsDue(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  own: BegunResponse,
): Promise<PaymentDue[]> {
  const { status, answers, revision } = await findOwnResponse(db, tenantId, form.id, own)
  if (status !== 'complete') throw refusal('conflict', rule('response_incomplete'))
  const given = new Map((JSON.parse(answers) as StoredAnswer[]).map(({ questionId, value }) => [questionId, value]))
  const pages = await pagesOfRevision(db, tenantId, form, revision)
  return questionsOf(pages).flatMap(({ id, type, text }) => {
    const answer = type === 'payment' ? (given.get(id) as PaymentAnswer | undefined) : undefined
    if (!answer?.amount || !answer.currency || answer.status !== 'pending') return []
    return [{ questionId: id, questionText: text, amount: answer.amount, currency: answer.currency }]
  })
}

/**
 * The one change to a complete response: payments that it owed were made, and `reference` is the provider's name for
 * that. Moves `updatedAt`, so that who polls for changes sees it. Returns how many of the payments were still pending: whoever
 * calls it tells of them.
 */
export async function markPaid(
  tx: Tx,
  caller: Caller,
  { formId, responseId, questionIds }: { formId: string; responseId: string; questionIds: readonly number[] },
  reference: string,
): Promise<number> {
  const { tenantId } = caller
  const [row] = await openResponse(tx).execute({ tenantId, formId, id: responseId })
  if (!row) return 0
  let marked = 0
  const answers = (JSON.parse(row.answers) as StoredAnswer[]).map((answer) => {
    const payment = answer.value as PaymentAnswer
    if (!questionIds.includes(answer.questionId) || payment.status !== 'pending') return answer
    marked += 1
    return { ...answer, value: { ...payment, status: 'paid', reference } }
  })
  if (marked > 0) {
    const updatedAt = formatTime(caller.at)
    await updateAnswers(tx).execute({ tenantId, id: responseId, answers: JSON.stringify(answers), updatedAt })
  }
  return marked
}
