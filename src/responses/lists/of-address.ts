import { and, asc, eq, gt, isNull, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { responses } from '../../db/schema.ts'
import { normaliseEmail } from '../../lib/input/email.ts'

/** Responses that are read at a time: each may hold a megabyte. */
const STEP = 10

const isUnfinished = and(ofTenant(responses), eq(responses.status, 'partial'))

const unfinished = prepared((db) =>
  db
    .select(named({ id: responses.id, answers: responses.answers, hiddenFields: responses.hiddenFields }))
    .from(responses)
    .where(and(isUnfinished, isNull(responses.contactId), gt(responses.id, sql.placeholder('after'))))
    .orderBy(asc(responses.id))
    .limit(STEP)
    .prepare(),
)

const numbered = prepared((db) =>
  db
    .select(named({ id: responses.id }))
    .from(responses)
    .where(isUnfinished)
    .orderBy(asc(responses.id))
    .limit(1)
    .offset(sql.placeholder('number'))
    .prepare(),
)

/** Whether people of the tenant have begun to answer more often than that, and not gone to the end. */
export async function isMoreUnfinishedThan(db: Reader, tenantId: string, number: number): Promise<boolean> {
  return (await numbered(db).execute({ tenantId, number })).length > 0
}

/**
 * The ids of unfinished responses in which this address was given: they are nobody's before they are completed. Goes through
 * all that the tenant has, and lets others be served in between.
 */
export async function* unfinishedOfAddress(db: Reader, tenantId: string, email: string): AsyncGenerator<string> {
  const address = normaliseEmail(email)
  for (let after = ''; ; ) {
    const found = await unfinished(db).execute({ tenantId, after })
    for (const { id, answers, hiddenFields } of found) {
      if (isGivenIn(answers, address) || isGivenIn(hiddenFields, address)) yield id
    }
    if (found.length < STEP) return
    after = found.at(-1)?.id as string
    await new Promise(setImmediate)
  }
}

function isGivenIn(json: string | null, address: string): boolean {
  return json?.includes('@') === true && holds(JSON.parse(json), address)
}

function holds(value: unknown, address: string): boolean {
  if (typeof value === 'string') return normaliseEmail(value) === address
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => holds(inner, address))
}
