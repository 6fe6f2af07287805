import { invalid, rule } from '../../../errors.ts'
import { formRecordOf } from '../../../forms/operations.ts'
import { changesInCsv, csvOfTexts, MAX_TEXT_FILE } from '../../../forms/texts/csv.ts'
import { changeTexts, removeLanguage } from '../../../forms/texts/operations.ts'
import { textSheet } from '../../../forms/texts/read.ts'
import { checkLanguage } from '../../../lib/language/languages.ts'
import type { Guard } from '../../guard.ts'
import { Refusal, refusalOf } from '../../refusal.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { languagesPage, nameOf } from './overview.ts'
import { saveTexts, sheetPage } from './sheet.ts'

const LANGUAGES = '/console/forms/:id/languages'
const LANGUAGE = `${LANGUAGES}/:language`

/** Beside a file, the rest of its form. */
const ROOM = 64 * 1024

/** What a form says in other languages, beside its own (decisions §21). */
export function formLanguagePages(add: Guard): void {
  add.page(LANGUAGES, {}, languagesPage)
  add.action(LANGUAGES, { again: languagesPage }, async ({ db, principal, params, wording }, sent) => {
    const { id, language: own } = await formRecordOf(db, principal.tenantId, params.id ?? '')
    const language = checkLanguage(sent.text('language'))
    if (language === own) throw invalid('language', rule('text_language'))
    return redirectTo(`/console/forms/${id}/languages/${language}`, wording.say('textsBegin'))
  })
  add.page(LANGUAGE, {}, sheetPage)
  add.action(LANGUAGE, { again: sheetPage }, saveTexts)
  add.action(`${LANGUAGE}/import`, { again: sheetPage, limit: MAX_TEXT_FILE + ROOM }, async (visit, sent) => {
    const { db, principal, params, wording } = visit
    await formRecordOf(db, principal.tenantId, params.id ?? '')
    const file = sent.file('file')
    if (!file) throw invalid('file', rule('file'))
    const { language, missing } = await atFile(visit, async () => {
      const changes = await changesInCsv(new Uint8Array(await file.arrayBuffer()))
      return visit.change((tx, caller) => changeTexts(tx, caller, params.id ?? '', params.language ?? '', changes))
    })
    const said = wording.say('textsImported', { count: missing, language: nameOf(visit, language) })
    return redirectTo(`/console/forms/${params.id}/languages/${language}`, said)
  })
  add.action(`${LANGUAGE}/remove`, {}, async (visit) => {
    const { params, wording } = visit
    const language = checkLanguage(params.language ?? '')
    const { id } = await visit.change((tx, caller) => removeLanguage(tx, caller, params.id ?? '', language))
    return redirectTo(
      `/console/forms/${id}/languages`,
      wording.say('textsRemoved', { language: nameOf(visit, language) }),
    )
  })
  add.resource(`${LANGUAGE}/texts.csv`, {}, exportTexts)
}

/** What is wrong in a file is said at the field that it was chosen in, with its row. */
async function atFile<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const refusal = refusalOf(visit, error)
    const [, row] = /^file(?:: row (\d+))?$/.exec(refusal?.problem.field ?? '') ?? []
    if (!refusal || row === undefined) throw error
    const text = visit.wording.say('textsRow', { row: Number(row), problem: refusal.problem.text })
    throw new Refusal({ field: 'file', text }, refusal.status)
  }
}

async function exportTexts({ db, principal: { tenantId }, params }: Visit): Promise<Response> {
  const form = await formRecordOf(db, tenantId, params.id ?? '')
  const language = checkLanguage(params.language ?? '')
  return new Response(csvOfTexts(await textSheet(db, tenantId, form, language)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="texts-${form.launchCode}-${language}.csv"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
