import { chainFaults, type Trust } from '../audit/faults.ts'
import type { Reader } from '../db/index.ts'
import { tenants } from '../db/schema.ts'
import type { Finding } from './finding.ts'

/** Whether somebody changed the audit log of any tenant, took something out of it, or cut it off (decisions §14). */
export async function checkAudit(db: Reader, where: string, trust: Trust): Promise<Finding[]> {
  const found: Finding[] = []
  for (const { id, name } of await db.select({ id: tenants.id, name: tenants.name }).from(tenants)) {
    for (const fault of await chainFaults(db, id, trust)) {
      found.push({
        where,
        problem: `audit log of ${name} (${id}): ${fault}`,
        remedy: 'it was changed by something else than frontdesk, compare it with a backup',
      })
    }
  }
  return found
}
