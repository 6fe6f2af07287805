import { and, eq } from 'drizzle-orm'
import { parseConditions } from '../conditions/parse.ts'
import { ofTenant, prepared, type Reader, remembered } from '../db/index.ts'
import { ruleFailures, rules } from '../db/schema.ts'
import { AppError, notFound } from '../errors.ts'
import { type Trigger, triggers } from '../kinds/rules.ts'
import { checkDefinition, definitionAsJson } from './definition.ts'
import type { Action, Rule, ShownRule } from './model.ts'

type Row = typeof rules.$inferSelect

const rulesOfTenant = prepared((db) => db.select().from(rules).where(ofTenant(rules)).prepare())

/** In their order. */
async function rowsOf(db: Reader, tenantId: string): Promise<Row[]> {
  const rows = await rulesOfTenant(db).execute({ tenantId })
  return rows.sort((one, other) => one.position - other.position || one.number - other.number)
}

function ruleOf(row: Row): Rule {
  const { id, number, position, name, trigger: on, span, enabled, makerId } = row
  const when = row.conditions === null ? null : JSON.parse(row.conditions)
  return {
    ...{ id, number, position, name, on, span, enabled, makerId },
    conditions: parseConditions(when, 'when', triggers[on]),
    actions: JSON.parse(row.actions) as Action[],
  }
}

/** The tenant's rules that are on, by what sets them off, in their order. Known without a query until one is changed. */
export const enabledRules = remembered(
  [rules],
  async (db, tenantId: string): Promise<ReadonlyMap<Trigger, readonly Rule[]>> => {
    const rows = await rowsOf(db, tenantId)
    return Map.groupBy(rows.filter(({ enabled }) => enabled).map(ruleOf), ({ on }) => on)
  },
)

/** All rules of the tenant, in their order. */
export async function allRules(db: Reader, tenantId: string): Promise<Rule[]> {
  return (await rowsOf(db, tenantId)).map(ruleOf)
}

/** One rule. Throws `not_found`. */
export async function getRule(db: Reader, tenantId: string, id: string): Promise<Rule> {
  const [row] = await db
    .select()
    .from(rules)
    .where(and(ofTenant(rules, tenantId), eq(rules.id, id.trim().toLowerCase())))
  if (!row) throw notFound('rule')
  return ruleOf(row)
}

/** All rules as people are shown them, in their order. */
export async function listRules(db: Reader, tenantId: string): Promise<ShownRule[]> {
  const rows = await rowsOf(db, tenantId)
  const failures = await db.select().from(ruleFailures).where(ofTenant(ruleFailures, tenantId))
  const errors = new Map(failures.map(({ ruleId, error }) => [ruleId, error]))
  return Promise.all(rows.map((row) => shown(db, tenantId, row, errors.get(row.id) ?? null)))
}

/** One rule as people are shown it. Throws `not_found`. */
export async function showRule(db: Reader, tenantId: string, id: string): Promise<ShownRule> {
  const rule = await getRule(db, tenantId, id)
  return (await listRules(db, tenantId)).find((one) => one.id === rule.id) as ShownRule
}

async function shown(db: Reader, tenantId: string, row: Row, failure: string | null): Promise<ShownRule> {
  const rule = ruleOf(row)
  const error = failure ?? (await impossibleWhy(db, tenantId, rule))
  const { name, enabled, ...definition } = definitionAsJson(rule)
  const { createdAt, updatedAt } = row
  return { id: row.id, name, enabled, failing: error !== null, error, ...definition, createdAt, updatedAt }
}

/** What the rule names and the tenant does not have any more, in words; null where there is all of it. */
export async function impossibleWhy(db: Reader, tenantId: string, rule: Rule): Promise<string | null> {
  try {
    await checkDefinition(db, tenantId, rule)
    return null
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_request') return error.message
    throw error
  }
}
