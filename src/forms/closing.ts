import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { jobCaller } from '../caller.ts'
import { lastNumber, setCounter, takeNumbers } from '../db/counters.ts'
import { askedOnceWritten, ofTenant, prepared, preparedWrite, type Reader, type Tx } from '../db/index.ts'
import { forms, responses } from '../db/schema.ts'
import { AppError, type Rule, rule } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import type { FormRecord } from './operations.ts'

/*
 * How collecting ends by itself (decisions §12): at a time, or with so many complete responses. The form then becomes
 * inactive; who re-opens it changes the setting first.
 */

/** Forms that one run of the job closes. */
const STEP = 100

type Closing = Pick<FormRecord, 'id' | 'closesAt' | 'maxResponses'>

/** Whether respondents can answer now. The job that closes forms may be late: the moment counts, not the job. */
export function isCollecting(form: Pick<FormRecord, 'status' | 'publishedAt' | 'closesAt'>, at: number): boolean {
  return form.status === 'active' && form.publishedAt !== null && !isPast(form.closesAt, at)
}

function isPast(closesAt: string | null, at: number): boolean {
  return closesAt !== null && closesAt <= formatTime(at)
}

/** What a respondent is told of a form that does not collect, whatever the reason. */
export const NOT_COLLECTING = 'there is no such form, or it is closed and takes no more answers'

/** Says the same of a form that is closed, was never published or never was, so that nobody learns which. */
export function notCollecting(): AppError {
  return new AppError('not_found', NOT_COLLECTING)
}

/** Why collecting is over by the form's own settings, for people; null where it is not. */
export async function whyOver(db: Reader, { tenantId, at }: Caller, form: Closing): Promise<Rule | null> {
  const { id, closesAt, maxResponses } = form
  if (isPast(closesAt, at)) return rule('form_closed_at', { time: closesAt as string })
  if (maxResponses === null || (await lastNumber(db, tenantId, counterOf(id))) < maxResponses) return null
  return rule('form_full', { most: maxResponses })
}

const counterOf = (formId: string) => `responses of ${formId}` as const

/** Begins to count a form's complete responses, where until now nobody asked how many there are. */
export async function countResponses(tx: Tx, tenantId: string, formId: string): Promise<void> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)` })
    .from(responses)
    .where(and(ofTenant(responses, tenantId), eq(responses.formId, formId), eq(responses.status, 'complete')))
  await setCounter(tx, tenantId, counterOf(formId), row?.count ?? 0)
}

/**
 * Counts a response that is being completed, where the form takes only so many; the last of them closes the form. Throws
 * `not_found` when there were enough already.
 */
export async function takePlace(tx: Tx, { tenantId, at }: Caller, { id, maxResponses }: Closing): Promise<void> {
  if (maxResponses === null) return
  const number = await takeNumbers(tx, tenantId, counterOf(id), 1)
  if (number > maxResponses) throw notCollecting()
  if (number === maxResponses) await endCollecting(tx, jobCaller(tenantId, at), id)
}

const deactivate = preparedWrite((tx) =>
  tx
    .update(forms)
    .set({ status: 'inactive', updatedAt: sql`${sql.placeholder('at')}` })
    .where(and(ofTenant(forms), eq(forms.id, sql.placeholder('id'))))
    .prepare(),
)

/** Makes a form inactive because its settings say so. */
export async function endCollecting(tx: Tx, caller: Caller, id: string): Promise<void> {
  await deactivate(tx).execute({ tenantId: caller.tenantId, id, at: formatTime(caller.at) })
  await audit(tx, caller, 'form.closed', id)
}

/** Written out, so that the index over such forms alone can answer it. */
const isToClose = and(isNotNull(forms.closesAt), sql`${forms.status} = 'active'`)

const earliestClosing = prepared((db) =>
  db.select({ at: forms.closesAt }).from(forms).where(isToClose).orderBy(asc(forms.closesAt)).limit(1).prepare(),
)

/** When the next form closes, of all tenants, in milliseconds since 1970, or null. For the scheduler. */
export const nextClosing = askedOnceWritten([forms], async (db) => {
  const [first] = await earliestClosing(db).execute()
  return first?.at ? Date.parse(first.at) : null
})

/** Closes the forms of all tenants whose time has come, 100 at a time. For the scheduler. Says whether more may be left. */
export async function closeDueForms(tx: Tx, now: number): Promise<boolean> {
  const due = await tx
    .select({ tenantId: forms.tenantId, id: forms.id })
    .from(forms)
    .where(and(isToClose, sql`${forms.closesAt} <= ${formatTime(now)}`))
    .orderBy(asc(forms.closesAt))
    .limit(STEP)
  for (const { tenantId, id } of due) await endCollecting(tx, jobCaller(tenantId, now), id)
  return due.length === STEP
}
