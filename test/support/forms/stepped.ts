import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { TestTenant } from '../app.ts'
import type { TestForm } from './collecting.ts'

/** Has a form come in steps, or with `mode` in whole pages again. */
export async function inSteps(tenant: TestTenant, form: Pick<TestForm, 'id'>, mode: 'step' | 'page' = 'step') {
  await tenant.perform((tx, caller) => changeSettings(tx, caller, form.id, { mode }))
}
