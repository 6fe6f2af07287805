import { download } from '../../files/download.ts'
import { formRecordOf } from '../../forms/operations.ts'
import { closeForm, publishForm, reopenForm, restoreForm, trashForm } from '../../forms/publishing.ts'
import { getFile } from '../../forms/settings/files.ts'
import { formFileKinds } from '../../kinds/form-files.ts'
import { getUpload } from '../../uploads/operations.ts'
import type { Guard } from '../guard.ts'
import { redirectTo } from '../visit.ts'
import { builderPages } from './builder/routes.ts'
import { formPage, qrFile } from './form-page.ts'
import { formLanguagePages } from './languages/routes.ts'
import { formsPage, trashPage } from './list-page.ts'
import { responsePage } from './responses/response-page.ts'
import { exportFile, responsesPage } from './responses/responses-page.ts'
import { answersPage } from './results/answers-page.ts'
import { resultsPage } from './results/results-page.ts'
import { saveSettings, settingsPage } from './settings-page.ts'

/** Room for the pictures and the font, beside the other settings. */
const MAX_SETTINGS = 4 * 1024 * 1024

/** What is done to a form with one button, and what is said then. */
const operations = [
  ['publish', publishForm, 'formPublishedNow'],
  ['close', closeForm, 'formClosedNow'],
  ['reopen', reopenForm, 'formReopenedNow'],
] as const

/** Forms, and what was answered: agents work with them as admins do (decisions §14). */
export function formPages(add: Guard): void {
  add.page('/console/forms', {}, formsPage)
  add.page('/console/forms/trash', {}, trashPage)
  builderPages(add)
  add.page('/console/forms/:id', {}, formPage)
  add.resource('/console/forms/:id/qr.svg', {}, qrFile)
  for (const [name, operation, said] of operations) {
    add.action(`/console/forms/:id/${name}`, { again: formPage }, async ({ change, params, wording }) => {
      const { id } = await change((tx, caller) => operation(tx, caller, params.id ?? ''))
      return redirectTo(`/console/forms/${id}`, wording.say(said))
    })
  }
  add.action('/console/forms/:id/trash', {}, async ({ change, params, wording }) => {
    const { title } = await change((tx, caller) => trashForm(tx, caller, params.id ?? ''))
    return redirectTo('/console/forms', wording.say('formTrashedNow', { form: title }))
  })
  add.action('/console/forms/:id/restore', {}, async ({ change, params, wording }) => {
    const { id } = await change((tx, caller) => restoreForm(tx, caller, params.id ?? ''))
    return redirectTo(`/console/forms/${id}`, wording.say('formRestoredNow'))
  })

  add.page('/console/forms/:id/settings', {}, settingsPage)
  add.action('/console/forms/:id/settings', { again: settingsPage, limit: MAX_SETTINGS }, saveSettings)
  for (const kind of formFileKinds) {
    add.resource(`/console/forms/:id/${kind}`, {}, async ({ db, principal: { tenantId }, params }) => {
      const { id } = await formRecordOf(db, tenantId, params.id ?? '')
      const { contentType, bytes } = await getFile(db, tenantId, id, kind)
      const headers = { 'content-type': contentType, 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
      return new Response(bytes, { headers })
    })
  }

  formLanguagePages(add)
  add.page('/console/forms/:id/results', { isList: true }, resultsPage)
  add.page('/console/forms/:id/results/:questionId', { isList: true }, answersPage)
  add.page('/console/forms/:id/responses', { isList: true }, responsesPage)
  add.resource('/console/forms/:id/export.csv', { isList: true }, (visit) => exportFile(visit, 'csv'))
  add.resource('/console/forms/:id/export.json', { isList: true }, (visit) => exportFile(visit, 'json'))
  add.resource('/console/forms/:id/export.xlsx', { isList: true }, (visit) => exportFile(visit, 'xlsx'))

  add.page('/console/responses/:id', {}, responsePage)
  add.resource('/console/uploads/:id', {}, async ({ deps, db, principal: { tenantId }, params }) => {
    const upload = await getUpload(db, tenantId, params.id ?? '')
    return download(deps.files, { kind: 'uploads', tenantId, id: upload.id }, upload, 'upload')
  })
}
