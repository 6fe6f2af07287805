import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { rule as brokenRule, invalid } from '../errors.ts'
import { MOST_DAYS, type RetentionRule, retentionRules } from '../kinds/retention.ts'
import { type Kept, keepFor } from '../tenants/retention.ts'
import { noteGone } from './runs.ts'

/** The rule of this name, as somebody typed it. Throws `invalid_request`. */
export function readRule(name: string): RetentionRule {
  const found = retentionRules.find((rule) => rule === name)
  if (!found) throw invalid('rule', brokenRule('one_of', { choices: retentionRules.join(', ') }))
  return found
}

/** Days as somebody typed them: a number, or `off` for good, which is null. Throws `invalid_request`. */
export function readDays(text: string): number | null {
  if (text === 'off') return null
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > MOST_DAYS) throw invalid('days', brokenRule('between', { least: 1, most: MOST_DAYS }))
  return days
}

/** Keeps what a rule is about for so many days, or for good (decisions §22). It is carried out at once. For admins. */
export async function setRetention(tx: Tx, caller: Caller, kept: Kept): Promise<void> {
  const { tenantId } = caller
  await keepFor(tx, tenantId, kept)
  await noteGone(tx, { tenantId, rule: kept.rule }, 0)
  await audit(tx, caller, 'retention.set', kept.rule, [kept.days === null ? 'off' : String(kept.days)])
}
