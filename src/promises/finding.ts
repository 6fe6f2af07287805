import { evaluate } from '../conditions/evaluate.ts'
import { ticketFacts } from '../conditions/facts.ts'
import { eachCondition } from '../conditions/parse.ts'
import type { Tx } from '../db/index.ts'
import { derived } from '../lib/derived.ts'
import type { KnownPromise } from './model.ts'

/** The fields that any of the promises asks for. */
const askedBy = derived(
  (promises: readonly KnownPromise[]): ReadonlySet<string> =>
    new Set(promises.flatMap(({ conditions }) => [...eachCondition(conditions, '')].map(([{ field }]) => field))),
)

/** The first promise whose conditions hold of the ticket as it is now, or null. */
export async function findPromise(
  tx: Tx,
  tenantId: string,
  promises: readonly KnownPromise[],
  ticket: { readonly ticketId: string; readonly at: number },
): Promise<KnownPromise | null> {
  const [first] = promises
  if (!first || first.conditions === null) return first ?? null
  const facts = await ticketFacts(tx, tenantId, ticket, askedBy(promises))
  return facts && (promises.find(({ conditions }) => evaluate(conditions, facts).holds) ?? null)
}
