import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { namesWithTagRenamed, withTagRenamed } from '../conditions/tag-names.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { rules } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { followTagInPromises } from '../promises/tag-names.ts'
import type { Action } from './model.ts'
import { columnsOf } from './operations.ts'
import { allRules } from './read.ts'

/**
 * Has rules and promises go on naming a tag that is called otherwise from now on, since it was renamed or merged into another:
 * what they ask for and what they give. For `updateTag` and `mergeTags`; rules that name one that is deleted fail.
 */
export async function followTag(tx: Tx, caller: Caller, from: string, to: string): Promise<void> {
  const { tenantId, at } = caller
  for (const rule of await allRules(tx, tenantId)) {
    const conditions = withTagRenamed(rule.conditions, from, to)
    const actions = rule.actions.map((action) => actionWithTagRenamed(action, from, to))
    const [old, wanted] = [columnsOf(rule), columnsOf({ ...rule, conditions, actions })]
    const fields = (['conditions', 'actions'] as const).filter((field) => wanted[field] !== old[field])
    if (fields.length === 0) continue
    await tx
      .update(rules)
      .set({ conditions: wanted.conditions, actions: wanted.actions, updatedAt: formatTime(at) })
      .where(and(ofTenant(rules, tenantId), eq(rules.id, rule.id)))
    await audit(tx, caller, 'rule.updated', rule.id, fields)
  }
  await followTagInPromises(tx, caller, from, to)
}

function actionWithTagRenamed(action: Action, from: string, to: string): Action {
  if (action.do !== 'add_tags' && action.do !== 'remove_tags' && action.do !== 'open_ticket') return action
  return action.tags ? { ...action, tags: namesWithTagRenamed(action.tags, from, to) } : action
}
