import { and, desc, eq, isNotNull } from 'drizzle-orm'
import { evaluate } from '../conditions/evaluate.ts'
import { ofTenant, type Reader } from '../db/index.ts'
import { contacts, responses, tickets } from '../db/schema.ts'
import { triggers } from '../kinds/rules.ts'
import type { Subject } from '../kinds/subjects.ts'
import { checkDefinition, readDefinition } from './definition.ts'
import type { Action, RuleDefinition } from './model.ts'
import { askedBy, factsOf } from './running/facts.ts'

/** So many records a rule is tried on (decisions §17). */
const TRIED = 200

/** What a rule would have done. */
export interface Trial {
  readonly looked: number
  readonly matched: number
  readonly items: readonly {
    /** The id of the ticket, response or contact. */
    readonly record: string
    readonly matched: boolean
    readonly failedCondition: string | null
    readonly would: readonly Action[]
  }[]
}

/**
 * What a rule would have done with the newest 200 tickets, responses or contacts, as they are now: nothing is done. Throws as
 * `createRule`.
 */
export async function tryRule(db: Reader, tenantId: string, given: unknown, at: number): Promise<Trial> {
  const definition = readDefinition(given)
  await checkDefinition(db, tenantId, definition)
  return tryDefinition(db, tenantId, definition, at)
}

/** As `tryRule`, of a rule that was read before. */
export async function tryDefinition(
  db: Reader,
  tenantId: string,
  definition: RuleDefinition,
  at: number,
): Promise<Trial> {
  const subject = triggers[definition.on]
  const items: Trial['items'][number][] = []
  const asked = askedBy([definition as Parameters<typeof askedBy>[0][number]])
  for (const id of await newest(db, tenantId, subject)) {
    const facts = await factsOf(db, tenantId, { subject, id, messageId: null }, at, asked)
    if (facts === null) continue
    const outcome = evaluate(definition.conditions, facts)
    items.push({
      record: id,
      matched: outcome.holds,
      failedCondition: outcome.holds ? null : `when.${outcome.failed}`,
      would: outcome.holds ? definition.actions : [],
    })
    // Others are answered in between.
    if (items.length % 25 === 0) await new Promise(setImmediate)
  }
  return { looked: items.length, matched: items.filter(({ matched }) => matched).length, items }
}

async function newest(db: Reader, tenantId: string, subject: Subject): Promise<string[]> {
  const found = await (subject === 'ticket'
    ? db
        .select({ id: tickets.id })
        .from(tickets)
        .where(ofTenant(tickets, tenantId))
        .orderBy(desc(tickets.id))
        .limit(TRIED)
    : subject === 'response'
      ? db
          .select({ id: responses.id })
          .from(responses)
          .where(and(ofTenant(responses, tenantId), eq(responses.status, 'complete'), isNotNull(responses.submittedAt)))
          .orderBy(desc(responses.id))
          .limit(TRIED)
      : db
          .select({ id: contacts.id })
          .from(contacts)
          .where(ofTenant(contacts, tenantId))
          .orderBy(desc(contacts.id))
          .limit(TRIED))
  return found.map(({ id }) => id)
}
