import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import { type Caller, jobCaller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { ruleFailures, rules } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'
import { getTenantSettings } from '../../tenants/operations.ts'
import { activePeople, allColleagues } from '../../users/colleagues.ts'
import { queueRuleMail } from '../mails.ts'
import type { Rule } from '../model.ts'
import { ruleWordsOf } from '../words.ts'

/** Failures in a row after which a rule is switched off (decisions §17). */
export const MOST_FAILURES = 50

/** How often each of the tenant's rules has failed in a row; those that did not are left out. */
export async function failuresOf(tx: Tx, tenantId: string): Promise<Map<string, number>> {
  const rows = await tx
    .select({ ruleId: ruleFailures.ruleId, count: ruleFailures.count })
    .from(ruleFailures)
    .where(ofTenant(ruleFailures, tenantId))
  return new Map(rows.map(({ ruleId, count }) => [ruleId, count]))
}

/**
 * Notes how a run of a rule went: with the reason why it failed, or null. After fifty failures in a row it is switched off, and
 * whoever made it is told. `failures` is kept as it is then. Returns whether it is still on.
 */
export async function noteHealth(
  tx: Tx,
  tenantId: string,
  rule: Rule,
  error: string | null,
  failures: Map<string, number>,
  at: number,
): Promise<boolean> {
  const own = and(ofTenant(ruleFailures, tenantId), eq(ruleFailures.ruleId, rule.id))
  const before = failures.get(rule.id) ?? 0
  if (error === null) {
    failures.delete(rule.id)
    if (before > 0) await tx.delete(ruleFailures).where(own)
    return true
  }
  const failed = { count: before + 1, error, failedAt: formatTime(at) }
  failures.set(rule.id, failed.count)
  await tx
    .insert(ruleFailures)
    .values({ tenantId, ruleId: rule.id, ...failed })
    .onConflictDoUpdate({ target: [ruleFailures.tenantId, ruleFailures.ruleId], set: failed })
  if (failed.count < MOST_FAILURES) return true
  await switchOff(tx, jobCaller(tenantId, at), rule, error)
  return false
}

async function switchOff(tx: Tx, caller: Caller, rule: Rule, error: string): Promise<void> {
  const { tenantId, at } = caller
  await tx
    .update(rules)
    .set({ enabled: false, updatedAt: formatTime(at) })
    .where(and(ofTenant(rules, tenantId), eq(rules.id, rule.id)))
  await audit(tx, caller, 'rule.updated', rule.id, ['enabled'])
  const people = await allColleagues(tx, tenantId)
  const maker = people.filter(({ id }) => id === rule.makerId)
  // One that a command made, or somebody who has left, is every admin's.
  const told = maker.length > 0 ? maker : people.filter(({ role }) => role === 'admin')
  const { language } = await getTenantSettings(tx, tenantId)
  const active = await activePeople(tx, tenantId)
  for (const { id, email: address } of told) {
    const words = ruleWordsOf(active.get(id)?.language ?? language ?? 'en')
    await queueRuleMail(tx, caller, {
      address,
      subject: words.subject(rule.name),
      text: [words.failed(rule.name, MOST_FAILURES), words.why(error), words.next].join('\n\n'),
    })
  }
}
