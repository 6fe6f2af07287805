import { RuleError } from '../../../../errors.ts'
import { formRecordOf } from '../../../../forms/operations.ts'
import { importForm } from '../../../../forms/portable/import.ts'
import { readFormFile, SERVED } from '../../../../forms/portable/read.ts'
import { exportForm, writeForm } from '../../../../forms/portable/write.ts'
import type { Markup } from '../../../../lib/html/markup.ts'
import { writeSize } from '../../../../lib/language/amounts.ts'
import { card } from '../../../components/display.ts'
import { button, field, form } from '../../../components/forms.ts'
import type { FormFields } from '../../../form-fields.ts'
import { refuse } from '../../../refusal.ts'
import { sayRule } from '../../../rules.ts'
import { type Again, type Redirect, redirectTo, type Visit } from '../../../visit.ts'
import { buildPath } from '../draft.ts'

/** Where a form's file is sent to. */
export const FILE_PATH = '/console/forms/new/file'
/** Room for the fields around the file. */
export const MAX_FILE_FORM = SERVED.size + 64 * 1024

/** Beginning a form with a file that another was exported to. */
export function fileCard(visit: Visit, again: Again | undefined): Markup {
  const { say, locale } = visit.wording
  return card(
    say('formNewFile'),
    form(visit, { action: FILE_PATH, files: true }, [
      field(visit, {
        name: 'file',
        type: 'file',
        label: say('formNewFileLabel'),
        help: say('formNewFileHelp', { size: writeSize(SERVED.text, locale) }),
        accept: '.json,application/json',
        required: true,
        again,
      }),
      button(say('formNewFileTake'), { kind: 'secondary' }),
    ]),
  )
}

/** Makes the form, and leads to where it is built. */
export async function takeFormFile(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const file = sent.file('file')
  if (!file) throw refuse(say('formNewFileMissing'), 'file')
  try {
    const read = await readFormFile(new Uint8Array(await file.arrayBuffer()), SERVED)
    const { id } = await visit.change((tx, caller) => importForm(tx, caller, read))
    return redirectTo(buildPath(id), say('formImportedNow'))
  } catch (error) {
    if (!(error instanceof RuleError) || ['', 'file'].includes(error.place)) throw error
    const why = sayRule(visit.wording, error.rule)
    throw refuse(say('formNewFileWrong', { place: error.place, why }), 'file')
  }
}

/** The form as a file to keep. */
export async function formFile({ db, principal: { tenantId }, params }: Visit): Promise<Response> {
  const { id, launchCode } = await formRecordOf(db, tenantId, params.id ?? '')
  return new Response(await writeForm(await exportForm(db, tenantId, id)), {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="form-${launchCode}.json"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
