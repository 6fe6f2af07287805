import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { badge } from '../../components/display.ts'
import { csrfInput } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import type { SayConsole } from '../../words/index.ts'
import { formHead } from '../form-head.ts'
import { addPane } from './add-pane.ts'
import { type Built, buildPath, builtForm, placedQuestions } from './draft.ts'
import { endPane } from './logic/ends.ts'
import { variablesPane } from './logic/variables.ts'
import { outline } from './outline.ts'
import { introPane, type Pane, pagePane, questionPane } from './panes.ts'
import { publishPane, unpublishedIn } from './publish-pane.ts'

/** Where a form is built: its outline, what is worked on beside it, and what comes of it. */
export async function buildPage(visit: Visit, again?: Again): Promise<PageContent> {
  const built = await builtForm(visit)
  const { say } = visit.wording
  const { form, draft } = built
  const own = sentPart(visit)
  const wanted = own ?? (again?.form.text('show') || (visit.query.get('show') ?? ''))
  const { show, pane } = paneOf(visit, built, wanted, own === null ? undefined : again)
  // A form that could not be taken is answered at a path of its own.
  const here = { ...visit, url: new URL(buildPath(form.id), visit.url) }
  return {
    title: `${say('builderTab')} · ${draft.title}`,
    scripts: ['builder'],
    body: html`<div class="builder" data-builder${spoken(say)}>
<form id="do" method="post" action="${visit.href(buildPath(form.id))}">${csrfInput(visit)}<input type="hidden" name="version" value="${draft.version}"><input type="hidden" name="show" value="${wanted === '' ? '' : show}"></form>
<div data-part="head">${formHead(here, { ...form, title: draft.title }, actions(visit, built, show), draft.isChanged && form.revision > 0 && badge(say('builderUnpublished'), 'warn'))}</div>
<div class="desks">
<div data-part="outline">${outline(visit, built, show, unpublishedIn(built))}</div>
<section class="pane card" id="pane" tabindex="-1" aria-labelledby="pane-title" data-part="pane" data-show="${show}"${wanted !== '' && html` data-chosen`}><p class="back to-outline"><a href="${visit.href(buildPath(form.id))}" data-show="">${icons.back}<span>${say('builderOutline')}</span></a></p><h2 id="pane-title">${pane.title}</h2>${pane.body}</section>
${preview(visit, built, show)}
</div></div>`,
  }
}

/** What the script says, by the names of its data. */
const words = {
  saved: 'builderSaved',
  saving: 'builderSaving',
  unsaved: 'builderUnsaved',
  lost: 'builderLost',
  'signed-out': 'builderSignedOut',
} as const

function spoken(say: SayConsole): Markup[] {
  return Object.entries(words).map(([name, word]) => html` data-${name}="${say(word)}"`)
}

function actions(visit: Visit, { edits, draft, form }: Built, show: string): Insert {
  const { say } = visit.wording
  const back = (kind: 'undo' | 'redo', icon: Markup, label: string) => {
    const what = edits[kind]
    const text = what === null ? label : say('builderWhat', { action: label, what: whatOf(say, what) })
    return html`<button class="secondary tool" form="do" name="do" value="${kind}" data-tool="${kind}" aria-label="${text}" title="${text}"${what === null && html` aria-disabled="true"`}>${icon}</button>`
  }
  return html`<p class="saving" role="status" data-status></p>${back('undo', icons.undo, say('builderUndo'))}${back('redo', icons.redo, say('builderRedo'))}<a class="${draft.isChanged ? 'primary' : 'secondary'}" href="${visit.href(buildPath(form.id, 'publish'))}" data-show="publish"${show === 'publish' && html` aria-current="true"`}>${say('builderPublishLink')}</a>`
}

/** What was done, as the audit log has it, in the reader's language. */
function whatOf(say: SayConsole, what: string): string {
  const [, kind, done] =
    /^(intro|page|question|changes|end|variables)(?: \d+)? (added|changed|moved|removed|duplicated|discarded)$/.exec(
      what,
    ) ?? []
  return kind === undefined ? say('did_other') : say(`did_${kind}_${done}` as 'did_page_added')
}

/** The part whose own form was sent, by its address: what was typed goes into that form again. */
function sentPart({ params, url }: Visit): string | null {
  if (params.questionId !== undefined) return `question-${params.questionId}`
  if (params.pageId !== undefined) return `page-${params.pageId}`
  if (params.end !== undefined) return `end-${params.end}`
  return /\/build\/(intro|variables)$/.exec(url.pathname)?.[1] ?? null
}

/** The pane of what is asked for; what is not there any more leaves the one to add something with. */
function paneOf(visit: Visit, built: Built, wanted: string, again?: Again): { show: string; pane: Pane } {
  const { draft } = built
  const [, kind = '', id = '', after = ''] = /^([a-z]+)(?:-(\d+))?(?:-(\d+))?$/.exec(wanted) ?? []
  const question = placedQuestions(draft).find((placed) => String(placed.question.id) === id)
  const page = draft.pages.find((known) => String(known.id) === id)
  if (kind === 'intro') return { show: kind, pane: introPane(visit, built, again) }
  if (kind === 'publish') return { show: kind, pane: publishPane(visit, built) }
  if (kind === 'variables') return { show: kind, pane: variablesPane(visit, built, again) }
  if (kind === 'end' && draft.ends[Number(id) - 1]) {
    return { show: wanted, pane: endPane(visit, built, Number(id) - 1, again) }
  }
  if (kind === 'question' && question) return { show: wanted, pane: questionPane(visit, built, question, again) }
  if (kind === 'page' && page) return { show: wanted, pane: pagePane(visit, built, page, again) }
  const pageId = page?.id ?? (draft.pages.at(-1)?.id as number)
  const isBehind = kind === 'add' && after !== ''
  return {
    show: isBehind ? `add-${pageId}-${after}` : `add-${pageId}`,
    pane: addPane(visit, built, { pageId, after: isBehind ? Number(after) : null }),
  }
}

/** What respondents would see, in a frame that can do nothing. Its size is chosen without a script. */
function preview(visit: Visit, { form, draft }: Built, show: string): Markup {
  const { say } = visit.wording
  const question = /^question-(\d+)$/.exec(show)?.[1]
  const end = /^end-(\d+)$/.exec(show)?.[1]
  const start = `/console/forms/${form.id}/preview?version=${draft.version}`
  const path = `${start}${question === undefined ? '' : `#at-q${question}`}${end === undefined ? '' : `&end=${end}`}`
  return html`<section class="preview" aria-labelledby="preview-title" data-part="preview">
<div class="head"><h2 id="preview-title">${say('builderPreview')}</h2><fieldset class="sizes"><legend class="sr">${say('builderPreviewSize')}</legend><input type="radio" name="size" id="size-phone" checked><label for="size-phone">${say('builderPhone')}</label><input type="radio" name="size" id="size-wide"><label for="size-wide">${say('builderWide')}</label></fieldset></div>
<iframe name="preview" src="${visit.href(path)}" title="${say('builderPreview')}"></iframe>
<p class="help">${say('builderPreviewHelp')}</p>
<p class="walk"><a href="${visit.href(start)}" target="preview">${say('walkAgain')}</a> <a href="${visit.href(start)}" target="_blank" rel="noopener">${say('walkOpen')}</a></p>
</section>`
}
