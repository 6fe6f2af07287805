import { createRule, updateRule } from '../../../src/rules/operations.ts'
import { showRule } from '../../../src/rules/read.ts'
import { listRuns } from '../../../src/rules/running/runs.ts'
import type { TestApp, TestTenant } from '../app.ts'

/** What a test does with rules: makes them from JSON, as the command line does. */
export function rulesOf(app: TestApp, tenant: TestTenant) {
  const { db } = app.database
  return {
    create: (rule: object) =>
      tenant.perform((tx, caller) => createRule(tx, caller, { name: 'A rule', on: 'ticket.created', ...rule })),
    update: (id: string, rule: object) => tenant.perform((tx, caller) => updateRule(tx, caller, id, rule)),
    show: (id: string) => showRule(db, tenant.tenantId, id),
    runs: (id: string) => listRuns(db, tenant.tenantId, id),
  }
}
