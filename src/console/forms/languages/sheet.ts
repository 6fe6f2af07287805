import { invalid, rule } from '../../../errors.ts'
import { type FormRecord, formRecordOf } from '../../../forms/operations.ts'
import { changeTexts, type TextChange } from '../../../forms/texts/operations.ts'
import { type SheetText, type TextSheet, textSheet, translatableOf } from '../../../forms/texts/read.ts'
import { html, type Markup, trustedHtml } from '../../../lib/html/markup.ts'
import { checkLanguage, directionOf } from '../../../lib/language/languages.ts'
import { backLink, badge, card, linkButton } from '../../components/display.ts'
import { button, checkbox, confirmed, field, form, textArea } from '../../components/forms.ts'
import { withQuery } from '../../components/lists.ts'
import type { FormFields } from '../../form-fields.ts'
import { requireSeen, seenInput } from '../../seen.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../../visit.ts'
import { formHead } from '../form-head.ts'
import { nameOf, progressOf } from './overview.ts'
import { placesIn } from './where.ts'

/** Texts on one page. */
const SHOWN = 50

/** Which texts are shown. */
const chosen = {
  all: () => true,
  missing: ({ text }: SheetText) => text === null,
  outdated: ({ isOutdated }: SheetText) => isOutdated,
} as const

type Choice = keyof typeof chosen

interface Opened {
  readonly record: FormRecord
  readonly sheet: TextSheet
  readonly where: (text: SheetText) => string
  readonly choice: Choice
  /** How many of the chosen ones stand before the page. */
  readonly from: number
  /** Those of the page, and how many were chosen. */
  readonly shown: readonly SheetText[]
  readonly count: number
}

/** A form's own texts, and beside each what it is in one other language. */
export async function sheetPage(visit: Visit, again?: Again): Promise<PageContent> {
  const opened = await open(visit)
  const { record, sheet } = opened
  const { say } = visit.wording
  const { language } = sheet
  const path = `/console/forms/${record.id}/languages/${language}`
  const name = nameOf(visit, language)
  return {
    title: `${name} · ${record.title}`,
    body: html`${formHead(visit, record)}
${backLink(visit, `/console/forms/${record.id}/languages`, say('formLanguages'))}
<div class="head"><div><h2>${name}</h2><p>${progressOf(visit, sheet)}</p></div><div class="buttons">${linkButton(visit, `${path}/texts.csv`, say('textsExport'), 'secondary')}${linkButton(visit, `/console/forms/${record.id}/preview?lang=${language}`, say('textsPreview'), 'secondary')}</div></div>
${choices(visit, opened)}
${opened.shown.length === 0 ? html`<p class="empty">${say('textsNothing')}</p>` : sheetForm(visit, opened, path, again)}
<div class="measure stack">${importCard(visit, path, again)}
${confirmed(visit, { label: say('textsRemove'), question: say('textsRemoveAsk', { language: name }), action: `${path}/remove` })}</div>`,
  }
}

async function open(visit: Visit): Promise<Opened> {
  const { db, principal, params, query, wording } = visit
  const record = await formRecordOf(db, principal.tenantId, params.id ?? '')
  const language = checkLanguage(params.language ?? '')
  if (language === record.language) throw invalid('language', rule('text_language'))
  const { drafted } = await translatableOf(db, principal.tenantId, record)
  const sheet = await textSheet(db, principal.tenantId, record, language)
  const given = query.get('show') ?? 'all'
  const choice = (Object.hasOwn(chosen, given) ? given : 'all') as Choice
  const all = sheet.texts.filter(chosen[choice])
  const wanted = /^\d{1,6}$/.exec(query.get('from') ?? '') ? Number(query.get('from')) : 0
  const from = wanted < all.length ? wanted : 0
  return {
    record,
    sheet,
    where: placesIn(drafted, wording),
    choice,
    from,
    shown: all.slice(from, from + SHOWN),
    count: all.length,
  }
}

/** All texts, the missing ones, or those whose own text has changed since. */
function choices(visit: Visit, { sheet, choice }: Opened): Markup {
  const { say } = visit.wording
  const link = (name: Choice, text: string) =>
    html`<li><a href="${visit.href(withQuery(visit.url, { show: name === 'all' ? null : name, from: null }))}"${name === choice && html` aria-current="true"`}>${text}</a></li>`
  return html`<nav class="tabs" aria-label="${say('textsShow')}"><ul>${link('all', say('textsAll', { number: sheet.texts.length }))}${link('missing', say('textsMissing', { count: sheet.missing }))}${sheet.outdated > 0 && link('outdated', say('textsOutdated', { count: sheet.outdated }))}</ul></nav>`
}

function sheetForm(visit: Visit, opened: Opened, path: string, again?: Again): Markup {
  const { say } = visit.wording
  const { choice, from, shown, count } = opened
  const query = new URLSearchParams({
    ...(choice === 'all' ? {} : { show: choice }),
    ...(from === 0 ? {} : { from: String(from) }),
  })
  const action = query.size === 0 ? path : `${path}?${query}`
  return html`${form(visit, { action }, [
    seenInput(seenOf(shown)),
    html`<ol class="texts-sheet">${shown.map((text) => row(visit, opened, text, again))}</ol>`,
    button(say('textsSave')),
  ])}${count > SHOWN && pages(visit, opened)}`
}

/** Links to the texts before and after those of the page. */
function pages(visit: Visit, { from, shown, count }: Opened): Markup {
  const { say } = visit.wording
  const to = (start: number, text: string) =>
    html`<a class="secondary" href="${visit.href(withQuery(visit.url, { from: start === 0 ? null : String(start) }))}">${text}</a>`
  const last = from + shown.length
  return html`<nav class="pager" aria-label="${say('pages')}">${from > 0 && to(Math.max(0, from - SHOWN), say('textsBefore'))}<span>${say('textsOf', { first: from + 1, last, all: count })}</span>${last < count && to(last, say('textsAfter'))}</nav>`
}

function row(visit: Visit, { record, sheet, where }: Opened, text: SheetText, again?: Again): Markup {
  const { say } = visit.wording
  const { key, kind, base } = text
  const place = where(text)
  const own = html`<div class="texts-own" lang="${record.language}" dir="${directionOf(record.language)}">${kind === 'html' ? trustedHtml(base) : base}</div>`
  const options = {
    name: key,
    label: say('textsInto', { place, language: nameOf(visit, sheet.language) }),
    language: sheet.language,
    value: text.text,
    hidesLabel: true,
    required: true,
    again,
  } as const
  const control =
    kind === 'html'
      ? textArea(visit, { ...options, required: 'depends', rows: 2 })
      : field(visit, { ...options, required: 'depends' })
  return html`<li><p class="texts-place">${place}${text.text === null ? html` ${badge(say('textsMissingOne'), 'warn')}` : text.isOutdated && html` ${badge(say('textsOutdatedOne'), 'warn')}`}</p>${own}<div class="texts-other">${control}${text.isOutdated && checkbox(visit, { name: `fits ${key}`, label: say('textsFits'), again })}</div></li>`
}

function importCard(visit: Visit, path: string, again?: Again): Markup {
  const { say } = visit.wording
  return card(
    say('textsImport'),
    form(visit, { action: `${path}/import`, files: true }, [
      field(visit, {
        name: 'file',
        label: say('textsFile'),
        help: say('textsFileHelp'),
        type: 'file',
        accept: '.csv,text/csv',
        required: true,
        again,
      }),
      button(say('textsImportNow'), { kind: 'secondary' }),
    ]),
  )
}

/** What somebody saw who changes these texts. */
const seenOf = (texts: readonly SheetText[]) => texts.map(({ key, base, text }) => [key, base, text])

/** Saves what was changed among the texts of the page. Whoever had them before somebody else changed them is told so. */
export async function saveTexts(visit: Visit, sent: FormFields) {
  const { principal, params, wording, url } = visit
  const { language, missing } = await visit.change(async (tx, caller) => {
    const form = await formRecordOf(tx, principal.tenantId, params.id ?? '')
    const before = await textSheet(tx, principal.tenantId, form, checkLanguage(params.language ?? ''))
    const shown = before.texts.filter(({ key }) => sent.has(key))
    requireSeen(sent, seenOf(shown))
    const changes = shown.flatMap(({ key, text }): TextChange[] => {
      const typed = sent.text(key)
      const isAsBefore = typed === (text ?? '').trim()
      return isAsBefore && !sent.has(`fits ${key}`) ? [] : [{ key, text: isAsBefore ? (text ?? '') : typed }]
    })
    return changeTexts(tx, caller, form.id, before.language, changes)
  })
  const said = wording.say('textsSaved', { count: missing, language: nameOf(visit, language) })
  // What was missing is no longer among the missing ones: those that are left come first.
  return redirectTo(url.searchParams.has('show') ? withQuery(url, { from: null }) : url.pathname + url.search, said)
}
