import { formRecordOf } from '../../../forms/operations.ts'
import { type TextSheet, textSheets } from '../../../forms/texts/read.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { badge, card } from '../../components/display.ts'
import { button, form, select } from '../../components/forms.ts'
import { table } from '../../components/lists.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { formHead } from '../form-head.ts'

/** Languages that forms are translated into more often than into others. */
const OFFERED =
  'ar bg ca cs da de el en es et fi fr ga he hi hr hu id is it ja ko lt lv mt nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh zh-TW'

/** What a language is called, to who looks at the page. */
export function nameOf({ wording }: Pick<Visit, 'wording'>, language: string): string {
  return new Intl.DisplayNames(wording.locale, { type: 'language' }).of(language) ?? language
}

/** How much of a form is said in a language. */
export function progressOf({ wording: { say } }: Pick<Visit, 'wording'>, { missing, outdated }: TextSheet): Markup {
  if (missing === 0 && outdated === 0) return badge(say('textsComplete'), 'good')
  return html`${missing > 0 && badge(say('textsMissing', { count: missing }), 'warn')} ${outdated > 0 && badge(say('textsOutdated', { count: outdated }), 'warn')}`
}

/** The languages of a form: how much of each is there, and a way to begin another. */
export async function languagesPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, params, wording } = visit
  const { say } = wording
  const record = await formRecordOf(db, principal.tenantId, params.id ?? '')
  const path = `/console/forms/${record.id}/languages`
  const sheets = await textSheets(db, principal.tenantId, record)
  const known = new Set([record.language, ...sheets.map(({ language }) => language)])
  const others = OFFERED.split(' ')
    .filter((language) => !known.has(language))
    .map((language): [string, string] => [language, nameOf(visit, language)])
    .sort(([, one], [, other]) => one.localeCompare(other, wording.locale))
  return {
    title: `${say('formLanguages')} · ${record.title}`,
    body: html`${formHead(visit, record)}
<div class="measure stack"><p class="intro">${say('textsIntro', { language: nameOf(visit, record.language) })}</p>
${table({
  caption: say('formLanguages'),
  hidesCaption: true,
  columns: [{ label: say('textsLanguage') }, { label: say('textsProgress') }],
  rows: sheets.map((sheet) => [
    html`<a href="${visit.href(`${path}/${sheet.language}`)}">${nameOf(visit, sheet.language)}</a>`,
    progressOf(visit, sheet),
  ]),
  empty: say('textsNone'),
})}
${card(
  say('textsAdd'),
  form(visit, { action: path }, [
    select(visit, { name: 'language', label: say('textsLanguage'), options: others, again }),
    button(say('textsAddNow'), { kind: 'secondary' }),
  ]),
)}</div>`,
  }
}
