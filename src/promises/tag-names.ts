import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { conditionsAsJson } from '../conditions/parse.ts'
import { withTagRenamed } from '../conditions/tag-names.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { promises } from '../db/schema.ts'
import { promisesOf } from './read.ts'

/**
 * Has promises go on naming a tag that is called otherwise from now on. No ticket's promise is found anew: changing its tags
 * does not either (decisions §18).
 */
export async function followTagInPromises(tx: Tx, caller: Caller, from: string, to: string): Promise<void> {
  const { tenantId } = caller
  for (const { id, conditions } of await promisesOf(tx, tenantId)) {
    const renamed = withTagRenamed(conditions, from, to)
    if (renamed === null || renamed === conditions) continue
    await tx
      .update(promises)
      .set({ conditions: conditionsAsJson(renamed) })
      .where(and(ofTenant(promises, tenantId), eq(promises.id, id)))
    await audit(tx, caller, 'promise.updated', id)
  }
}
