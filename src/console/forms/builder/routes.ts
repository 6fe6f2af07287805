import { copyForm } from '../../../forms/copying.ts'
import { formPreview } from '../../../hosted/preview.ts'
import type { Guard } from '../../guard.ts'
import { redirectTo } from '../../visit.ts'
import { act } from './actions.ts'
import { FILE_PATH, formFile, MAX_FILE_FORM, takeFormFile } from './beginning/file.ts'
import { createNewForm, newFormPage } from './beginning/new-page.ts'
import { buildPage } from './build-page.ts'
import { saveIntro, savePage, saveQuestion } from './changing.ts'
import { buildPath } from './draft.ts'
import { saveEnd, saveVariables } from './logic/changing.ts'
import { mapPage } from './logic/map-page.ts'

const BUILD = '/console/forms/:id/build'

/** Beginning a form and building it: agents do, as admins (decisions §14). */
export function builderPages(add: Guard): void {
  add.page('/console/forms/new', {}, newFormPage)
  add.action('/console/forms/new', { again: newFormPage }, createNewForm)
  add.action(FILE_PATH, { again: newFormPage, limit: MAX_FILE_FORM }, takeFormFile)
  add.resource('/console/forms/:id/form.json', {}, formFile)
  add.action('/console/forms/:id/copy', {}, async ({ change, params, wording }) => {
    const { id } = await change((tx, caller) => copyForm(tx, caller, params.id ?? ''))
    return redirectTo(buildPath(id), wording.say('formCopiedNow'))
  })

  add.page(BUILD, {}, buildPage)
  add.action(BUILD, { again: buildPage }, act)
  add.action(`${BUILD}/intro`, { again: buildPage }, saveIntro)
  add.action(`${BUILD}/pages/:pageId`, { again: buildPage }, savePage)
  add.action(`${BUILD}/questions/:questionId`, { again: buildPage }, saveQuestion)
  add.action(`${BUILD}/ends/:end`, { again: buildPage }, saveEnd)
  add.action(`${BUILD}/variables`, { again: buildPage }, saveVariables)
  add.page(`${BUILD}/map`, {}, mapPage)
  add.resource('/console/forms/:id/preview', {}, ({ deps, db, principal, params, query }) =>
    formPreview(deps, db, principal.tenantId, params.id ?? '', query),
  )
}
