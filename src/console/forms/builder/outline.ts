import type { FormPage } from '../../../forms/pages.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { badge } from '../../components/display.ts'
import { icons } from '../../icons.ts'
import type { Visit } from '../../visit.ts'
import { type Built, buildPath, lineOf } from './draft.ts'
import { endsOutline } from './logic/ends.ts'
import { mapPath } from './logic/paths.ts'
import { conditionsSentence } from './logic/sentence.ts'
import { type Source, sourcesOf } from './logic/sources.ts'
import { type Warnings, warned } from './logic/warned.ts'
import { warningsOf } from './logic/warnings.ts'
import { tool } from './tool.ts'

/** What is marked as not published yet: what is new, and what differs. */
export interface Unpublished {
  readonly added: ReadonlySet<number>
  readonly changed: ReadonlySet<number>
}

/** All pages of a form with their questions, in order; `show` is what is worked on. */
export function outline(visit: Visit, built: Built, show: string, unpublished: Unpublished): Markup {
  const { form, draft } = built
  const { say } = visit.wording
  const { pages } = draft
  const sources = sourcesOf(visit, built)
  const warnings = warningsOf(built)
  const frame: Frame = { visit, formId: form.id, show, unpublished, pageCount: pages.length, sources, warnings }
  let before = 0
  return html`<section class="outline card" id="outline" aria-label="${say('builderOutline')}">
<a class="part" href="${visit.href(buildPath(form.id, 'intro'))}"${show === 'intro' && html` aria-current="true"`} data-show="intro"><strong dir="auto">${draft.title}</strong><span>${say('builderIntro')}</span></a>
<a class="part map-link" href="${visit.href(mapPath(form.id))}">${icons.merge}<span class="asked">${say('mapOpen')}</span></a>
<ol class="form-pages">${pages.map((page, index) => {
    const item = pageItem(frame, page, index, before)
    before += page.questions.length
    return item
  })}</ol>
<p><button class="secondary" form="do" name="do" value="page-add">${icons.plus}<span>${say('builderAddPage')}</span></button></p>
${endsOutline(visit, built, show, warnings)}
<a class="part" href="${visit.href(buildPath(form.id, 'variables'))}"${show === 'variables' && html` aria-current="true"`} data-show="variables"><span class="asked">${say('logicVariables')}</span>${draft.variables.length > 0 && html`<span dir="ltr">${draft.variables.map(({ name }) => name).join(', ')}</span>`}</a>
</section>`
}

interface Frame {
  readonly visit: Visit
  readonly formId: string
  readonly show: string
  readonly unpublished: Unpublished
  readonly pageCount: number
  readonly sources: readonly Source[]
  readonly warnings: Warnings
}

function pageItem(frame: Frame, page: FormPage, index: number, before: number): Markup {
  const { visit, formId, show, pageCount, warnings } = frame
  const { say } = visit.wording
  const number = index + 1
  const name = lineOf(page.title)
  const own = `page-${page.id}`
  const add = `add-${page.id}`
  return html`<li><div class="page-row"><a class="part" href="${visit.href(buildPath(formId, own))}"${show === own && html` aria-current="true"`} data-show="${own}"><span>${say('formPage', { number })}</span>${name !== '' && html`<strong dir="auto">${name}</strong>`}</a><div class="row-tools">${[
    tool(`page-up ${page.id}`, icons.up, say('builderPageUp', { number }), index === 0),
    tool(`page-down ${page.id}`, icons.down, say('builderPageDown', { number }), number === pageCount),
    tool(`page-duplicate ${page.id}`, icons.copy, say('builderPageDuplicate', { number })),
    pageCount > 1 && tool(`page-remove ${page.id}`, icons.bin, say('builderPageRemove', { number })),
  ]}</div></div>${shownWhen(frame, page.showIf, warnings.pages.get(page.id))}
<ol class="form-questions" data-page="${page.id}">${page.questions.map((question, at) =>
    questionItem(frame, question, {
      number: before + at + 1,
      isFirst: index === 0 && at === 0,
      isLast: number === pageCount && at === page.questions.length - 1,
    }),
  )}</ol>
<a class="add" href="${visit.href(buildPath(formId, add))}"${show === add && html` aria-current="true"`} data-show="${add}">${icons.plus}<span>${page.questions.length === 0 ? say('builderAddFirst') : say('builderAdd')}<span class="sr">: ${say('formPage', { number })}</span></span></a></li>`
}

/** When something is shown, below it; nothing where it always is. */
function shownWhen(
  { visit, sources }: Frame,
  showIf: FormPage['showIf'],
  warning: ReturnType<Warnings['pages']['get']>,
): Insert {
  if (!showIf) return warning && html`<p class="shown-when">${warned(visit, warning)}</p>`
  const conditions = conditionsSentence(visit, sources, showIf)
  return html`<p class="shown-when" dir="auto">${visit.wording.say('logicShownWhen', { conditions })}${warned(visit, warning)}</p>`
}

function questionItem(
  frame: Frame,
  { id, type, text, required, showIf }: FormPage['questions'][number],
  { number, isFirst, isLast }: { number: number; isFirst: boolean; isLast: boolean },
): Markup {
  const { visit, formId, show, unpublished, warnings } = frame
  const { say } = visit.wording
  const own = `question-${id}`
  return html`<li id="row-${id}" data-question="${id}"><a class="part" href="${visit.href(buildPath(formId, own))}"${show === own && html` aria-current="true"`} data-show="${own}"><span class="number">${number}</span><span class="asked" dir="auto">${lineOf(text) || say('formQuestion', { number })}</span></a>${shownWhen(frame, showIf, warnings.questions.get(id))}<div class="row-foot"><span class="grip" aria-hidden="true">${icons.grip}</span><span class="row-facts">${say(`type_${type}`)}${required && html` · ${say('formRequired')}`}${
    unpublished.added.has(id)
      ? [' ', badge(say('builderNew'), 'accent')]
      : unpublished.changed.has(id) && [' ', badge(say('builderChanged'), 'warn')]
  }</span><div class="row-tools">${[
    tool(`up ${id}`, icons.up, say('builderUp', { number }), isFirst),
    tool(`down ${id}`, icons.down, say('builderDown', { number }), isLast),
    tool(`duplicate ${id}`, icons.copy, say('builderDuplicate', { number })),
    tool(`remove ${id}`, icons.bin, say('builderRemove', { number })),
  ]}</div></div></li>`
}
