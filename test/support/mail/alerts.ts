import { type AlertChoices, DEFAULT_CHOICES, setAlertChoices } from '../../../src/alerts/choices.ts'
import type { AlertKind, AlertMailTime } from '../../../src/kinds/alerts.ts'
import type { TestTenant } from '../app.ts'
import type { Person } from '../pages/console.ts'

/** Has a person told by mail of these kinds of news, and of no others. */
export function chooseMails(tenant: TestTenant, { userId }: Person, times: Partial<Record<AlertKind, AlertMailTime>>) {
  const off = { browser: false, sound: false, mail: 'off' } as const
  const choices = Object.fromEntries(
    Object.keys(DEFAULT_CHOICES).map((kind) => [kind, { ...off, mail: times[kind as AlertKind] ?? 'off' }]),
  ) as unknown as AlertChoices
  return tenant.perform((tx, caller) => setAlertChoices(tx, caller, userId, choices))
}
