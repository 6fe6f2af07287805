import { and, count, eq, max } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { conditionsAsJson } from '../conditions/parse.ts'
import { takeNumbers } from '../db/counters.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { ruleFailures, rules } from '../db/schema.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { findOrCreateTags } from '../tags/operations.ts'
import { changedDefinition, checkDefinition, readDefinition } from './definition.ts'
import type { RuleDefinition, ShownRule } from './model.ts'
import { allRules, getRule, showRule } from './read.ts'
import { forgetWaits, planWaitsOfRule } from './running/waits.ts'

/** What a tenant has at most. */
export const MAX_RULES = 200

/**
 * Makes a rule from JSON, after all others; it is on unless it says otherwise (decisions §17). The tags that it gives are made.
 * For admins. Throws `invalid_request` naming the place, `conflict` for too many.
 */
export async function createRule(tx: Tx, caller: Caller, given: unknown): Promise<ShownRule> {
  const { tenantId, author, at } = caller
  const definition = readDefinition(given)
  await checkDefinition(tx, tenantId, definition)
  const [row] = await tx
    .select({ count: count(), last: max(rules.position) })
    .from(rules)
    .where(ofTenant(rules, tenantId))
  if ((row?.count ?? 0) >= MAX_RULES) throw refusal('conflict', rule('too_many_rules', { most: MAX_RULES }))
  const id = newId(at)
  await makeTags(tx, caller, definition)
  await tx.insert(rules).values({
    ...{ tenantId, id, ...columnsOf(definition) },
    number: await takeNumbers(tx, tenantId, 'rule', 1),
    position: (row?.last ?? 0) + 1,
    makerId: author.type === 'agent' ? author.id : null,
    createdAt: formatTime(at),
    updatedAt: formatTime(at),
  })
  await audit(tx, caller, 'rule.created', id)
  await planWaitsOfRule(tx, tenantId, { id, ...definition }, at)
  return showRule(tx, tenantId, id)
}

/** Changes a rule: what is left out stays. Throws `not_found`, and as `createRule`. */
export async function updateRule(tx: Tx, caller: Caller, id: string, given: unknown): Promise<ShownRule> {
  const { tenantId, at } = caller
  const before = await getRule(tx, tenantId, id)
  const definition = changedDefinition(before, given)
  await checkDefinition(tx, tenantId, definition)
  const [old, wanted] = [columnsOf(before), columnsOf(definition)]
  const fields = (Object.keys(wanted) as (keyof typeof wanted)[]).filter((field) => wanted[field] !== old[field])
  if (fields.length === 0) return showRule(tx, tenantId, before.id)
  await makeTags(tx, caller, definition)
  await tx
    .update(rules)
    .set({ ...wanted, updatedAt: formatTime(at) })
    .where(and(ofTenant(rules, tenantId), eq(rules.id, before.id)))
  // What was wrong with it may have been put right.
  await tx.delete(ruleFailures).where(and(ofTenant(ruleFailures, tenantId), eq(ruleFailures.ruleId, before.id)))
  await audit(tx, caller, 'rule.updated', before.id, fields)
  await forgetWaits(tx, tenantId, before.id)
  await planWaitsOfRule(tx, tenantId, { id: before.id, ...definition }, at)
  return showRule(tx, tenantId, before.id)
}

/** Switches a rule on or off. Throws `not_found`, and `invalid_request` for one that names what there is no more. */
export function switchRule(tx: Tx, caller: Caller, id: string, enabled: boolean): Promise<ShownRule> {
  return enabled ? updateRule(tx, caller, id, { enabled }) : switchOff(tx, caller, id)
}

/** A rule that has become impossible can be switched off all the same. */
async function switchOff(tx: Tx, caller: Caller, id: string): Promise<ShownRule> {
  const { tenantId, at } = caller
  const before = await getRule(tx, tenantId, id)
  if (before.enabled) {
    await tx
      .update(rules)
      .set({ enabled: false, updatedAt: formatTime(at) })
      .where(and(ofTenant(rules, tenantId), eq(rules.id, before.id)))
    await audit(tx, caller, 'rule.updated', before.id, ['enabled'])
    await forgetWaits(tx, tenantId, before.id)
  }
  return showRule(tx, tenantId, before.id)
}

/** Deletes a rule, and what is known of its runs. Throws `not_found`. */
export async function deleteRule(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const { id: ruleId } = await getRule(tx, tenantId, id)
  await tx.delete(rules).where(and(ofTenant(rules, tenantId), eq(rules.id, ruleId)))
  await audit(tx, caller, 'rule.deleted', ruleId)
}

/** Puts the rules in this order. Throws `invalid_request` unless every rule is named once. */
export async function orderRules(tx: Tx, caller: Caller, ids: readonly string[]): Promise<void> {
  const { tenantId } = caller
  const all = await allRules(tx, tenantId)
  const wanted = ids.map((id) => id.trim().toLowerCase())
  const known = new Set(all.map(({ id }) => id))
  const isWhole = wanted.length === known.size && new Set(wanted).size === known.size
  if (!isWhole || !wanted.every((id) => known.has(id))) throw invalid('', rule('rules_listed'))
  const moved = wanted.filter((id, index) => all[index]?.id !== id)
  if (moved.length === 0) return
  for (const [index, id] of wanted.entries()) {
    await tx
      .update(rules)
      .set({ position: index + 1 })
      .where(and(ofTenant(rules, tenantId), eq(rules.id, id)))
  }
  await audit(tx, caller, 'rule.ordered', moved[0] as string)
}

/** What is kept of a definition. */
export function columnsOf({ name, on, span, conditions, actions, enabled }: RuleDefinition) {
  return {
    ...{ name, trigger: on, span, enabled },
    conditions: conditions && JSON.stringify(conditionsAsJson(conditions)),
    actions: JSON.stringify(actions),
  }
}

/** Tags that a rule gives can be asked for by others from then on. */
async function makeTags(tx: Tx, caller: Caller, { actions }: RuleDefinition): Promise<void> {
  for (const action of actions) {
    const given = action.do === 'add_tags' || action.do === 'open_ticket' ? action.tags : undefined
    if (given) await findOrCreateTags(tx, caller, given)
  }
}
