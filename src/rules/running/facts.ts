import { contactFacts, ticketFacts } from '../../conditions/facts.ts'
import type { Facts } from '../../conditions/model.ts'
import { eachCondition } from '../../conditions/parse.ts'
import { responseFacts } from '../../conditions/response-facts.ts'
import type { Reader } from '../../db/index.ts'
import { derived } from '../../lib/derived.ts'
import type { Rule } from '../model.ts'
import type { About } from './about.ts'

/** Which fields these rules ask for. */
export const askedBy = derived(
  (rules: readonly Rule[]): ReadonlySet<string> =>
    new Set(rules.flatMap(({ conditions }) => [...eachCondition(conditions, '')].map(([{ field }]) => field))),
)

/** The facts of the record, as far as they are asked for; null where it is not there any more. */
export function factsOf(
  db: Reader,
  tenantId: string,
  { subject, id, messageId }: About,
  at: number,
  asked: ReadonlySet<string>,
): Promise<Facts | null> {
  switch (subject) {
    case 'ticket':
      return ticketFacts(db, tenantId, { ticketId: id, messageId, at }, asked)
    case 'response':
      return responseFacts(db, tenantId, { responseId: id, at }, asked)
    case 'contact':
      return contactFacts(db, tenantId, { contactId: id, at })
  }
}
