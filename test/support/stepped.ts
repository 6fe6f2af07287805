import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { TestTenant } from './app.ts'
import type { TestForm } from './collecting.ts'

/** Has a form come in steps. */
export async function inSteps(tenant: TestTenant, form: Pick<TestForm, 'id'>) {
  await tenant.perform((tx, caller) => changeSettings(tx, caller, form.id, { mode: 'step' }))
}
