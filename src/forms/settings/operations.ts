import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Reader, Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { forms } from '../../db/schema.ts'
import { type FormFileKind, formFileKinds } from '../../kinds/form-files.ts'
import { formatTime } from '../../lib/time.ts'
import { countResponses, endCollecting, whyOver } from '../closing.ts'
import { type FormRecord, formRecordOf } from '../operations.ts'
import { keepFile } from './files.ts'
import { readFont } from './fonts.ts'
import { defaultSettings, type FormSettings, storedSettings } from './model.ts'
import { readPicture } from './pictures.ts'
import { readSettings, type SettingsChanges } from './read.ts'

/** The settings of a form, whole (decisions §12). For people, not for the API. Throws `not_found`. */
export async function getSettings(db: Reader, tenantId: string, formId: string): Promise<FormSettings> {
  return settingsOf(await formRecordOf(db, tenantId, formId))
}

function settingsOf({ settings, closesAt, maxResponses }: FormRecord): FormSettings {
  // In the order of the defaults, as people read them.
  return { ...defaultSettings, ...settings, closes: closesAt, maxResponses }
}

/**
 * Changes settings of a form, for respondents at once; files are given as their bytes. A form that has what now ends its
 * collecting becomes inactive; one that was closed so is re-opened by `reopenForm`, once the setting allows it. `isSafe`
 * says which HTML was sanitised before. Throws `not_found`, and `invalid_request` naming the setting and the rule.
 */
export async function changeSettings(
  tx: Tx,
  caller: Caller,
  formId: string,
  changes: SettingsChanges,
  isSafe?: (html: unknown) => boolean,
): Promise<FormSettings> {
  const { tenantId } = caller
  const form = await formRecordOf(tx, tenantId, formId)
  const before = settingsOf(form)
  const after: FormSettings = { ...before, ...readSettings(changes, isSafe), ...readFiles(changes) }
  const changed = (Object.keys(after) as (keyof FormSettings)[]).filter(
    (name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  )
  if (changed.length === 0) return before
  const { closes: closesAt, maxResponses, ...others } = after
  await tx
    .update(forms)
    .set({ settings: storedSettings(others), closesAt, maxResponses, updatedAt: formatTime(caller.at) })
    .where(and(ofTenant(forms, tenantId), eq(forms.id, form.id)))
  for (const kind of formFileKinds) {
    if (!changed.includes(kind)) continue
    const file = after[kind]
    const kept = file && { contentType: file.contentType, bytes: changes[kind] as Uint8Array }
    await keepFile(tx, tenantId, form.id, kind, kept)
  }
  await audit(tx, caller, 'form.settings_changed', form.id, changed)
  if (changed.includes('maxResponses') && maxResponses !== null) await countResponses(tx, tenantId, form.id)
  const isOver = (await whyOver(tx, caller, { id: form.id, closesAt, maxResponses })) !== null
  if (isOver && form.status === 'active') await endCollecting(tx, caller, form.id)
  return after
}

const fileReaders: { readonly [K in FormFileKind]: (bytes: unknown, place: string) => NonNullable<FormSettings[K]> } = {
  logo: readPicture,
  cover: readPicture,
  backgroundImage: readPicture,
  fontFile: readFont,
}

function readFiles(changes: SettingsChanges): Partial<Pick<FormSettings, FormFileKind>> {
  const named = formFileKinds.filter((kind) => changes[kind] !== undefined)
  return Object.fromEntries(
    named.map((kind) => [kind, changes[kind] === null ? null : fileReaders[kind](changes[kind], kind)]),
  )
}
