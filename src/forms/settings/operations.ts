import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Reader, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { forms } from '../../db/schema.ts'
import { formatTime } from '../../lib/time.ts'
import { countResponses, endCollecting, whyOver } from '../closing.ts'
import { type FormRecord, formRecordOf } from '../operations.ts'
import { keepLogo, readLogo } from './logo.ts'
import { type FormSettings, type Logo, storedSettings } from './model.ts'
import { readSettings, type SettingsChanges } from './read.ts'

/** The settings of a form, whole (decisions §12). For people, not for the API. Throws `not_found`. */
export async function getSettings(db: Reader, tenantId: string, formId: string): Promise<FormSettings> {
  return settingsOf(await formRecordOf(db, tenantId, formId))
}

function settingsOf({ settings, closesAt, maxResponses }: FormRecord): FormSettings {
  const { hidden, notify, ...others } = settings
  return { ...others, closes: closesAt, maxResponses, hidden, notify }
}

/**
 * Changes settings of a form, for respondents at once; a `logo` is given as the bytes of its file. A form that has what
 * now ends its collecting becomes inactive; one that was closed so is re-opened by `reopenForm`, once the setting allows
 * it. Throws `not_found`, and `invalid_request` naming the setting and the rule.
 */
export async function changeSettings(
  tx: Tx,
  caller: Caller,
  formId: string,
  changes: SettingsChanges,
): Promise<FormSettings> {
  const { tenantId } = caller
  const form = await formRecordOf(tx, tenantId, formId)
  const before = settingsOf(form)
  const after: FormSettings = { ...before, ...readSettings(changes), ...readPicture(changes) }
  const changed = (Object.keys(after) as (keyof FormSettings)[]).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  )
  if (changed.length === 0) return before
  const { closes: closesAt, maxResponses, ...others } = after
  await tx
    .update(forms)
    .set({ settings: storedSettings(others), closesAt, maxResponses, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(forms, tenantId), eq(forms.id, form.id)))
  if (changed.includes('logo')) await keepPicture(tx, tenantId, form.id, after.logo, changes.logo)
  await audit(tx, caller, 'form.settings_changed', form.id, changed)
  if (changed.includes('maxResponses') && maxResponses !== null) await countResponses(tx, tenantId, form.id)
  const isOver = (await whyOver(tx, caller, { id: form.id, closesAt, maxResponses })) !== null
  if (isOver && form.status === 'active') await endCollecting(tx, caller, form.id)
  return after
}

function readPicture({ logo }: SettingsChanges): { logo?: Logo | null } {
  if (logo === undefined) return {}
  return { logo: logo === null ? null : readLogo(logo) }
}

async function keepPicture(tx: Tx, tenantId: string, formId: string, logo: Logo | null, bytes: unknown): Promise<void> {
  await keepLogo(tx, tenantId, formId, logo && { contentType: logo.contentType, bytes: bytes as Uint8Array })
}
