import { changesBetween, type FormChange } from '../../../forms/changes.ts'
import { contentOf } from '../../../forms/drafts.ts'
import type { FormContent, FormQuestion } from '../../../forms/pages.ts'
import { html, type Insert } from '../../../lib/html/markup.ts'
import { shortened } from '../../../lib/text/one-line.ts'
import { button, buttons } from '../../components/forms.ts'
import type { Visit } from '../../visit.ts'
import type { SayConsole } from '../../words/index.ts'
import type { SettingName } from './controls/controls.ts'
import { type Built, lineOf, placedQuestions } from './draft.ts'
import type { Warning } from './logic/warned.ts'
import { warningsOf } from './logic/warnings.ts'
import type { Unpublished } from './outline.ts'
import { doing, type Pane } from './panes.ts'

/** Changes are told one by one up to here. */
const TOLD = 100

/** What publishing would change, and the button that does it; a way back to what is published. */
export function publishPane(visit: Visit, built: Built): Pane {
  const { say } = visit.wording
  const { form, draft } = built
  const title = say('builderPublish')
  const publish = button(form.revision === 0 ? say('formPublish') : say('formPublishChanges'), {
    name: 'do',
    value: 'publish',
  })
  if (form.revision === 0) {
    const count = placedQuestions(draft).length
    const text = html`<p>${say('publishFirst')} ${say('publishCount', { count })}</p>`
    return { title, body: doing(visit, built, 'publish', [text, doubts(visit, built), buttons(publish)]) }
  }
  if (!draft.isChanged) return { title, body: html`<p>${say('publishNothing')}</p>` }
  const changes = changesBetween(contentOf(form), draft)
  const rest = changes.length - TOLD
  return {
    title,
    body: doing(visit, built, 'publish', [
      html`<p>${say('publishIntro')}</p><ul class="changes">${changes.slice(0, TOLD).map((change) => html`<li dir="auto">${sentence(say, change, draft)}</li>`)}${
        rest > 0 && html`<li>${say('publishMore', { count: rest })}</li>`
      }</ul><p class="help">${say('publishBegun')}</p>`,
      doubts(visit, built),
      buttons(publish, button(say('publishDiscard'), { kind: 'quiet', name: 'do', value: 'discard' })),
    ]),
  }
}

/** What somebody who publishes hardly wants. */
const doubts = (visit: Visit, built: Built): Insert => [
  freeOfCharge(visit.wording.say, built.draft),
  neverSeen(visit, built),
]

/** What nobody would ever come to see. */
function neverSeen({ wording: { say } }: Visit, built: Built): Insert {
  const { questions, pages, ends } = warningsOf(built)
  const note = (what: string, warning: Warning) => html`<p class="note" dir="auto">${what}: ${say(warning)}</p>`
  return [
    placedQuestions(built.draft).flatMap(({ question, index }) => {
      const warning = questions.get(question.id)
      return warning ? [note(nameOf(say, question, index), warning)] : []
    }),
    built.draft.pages.flatMap(({ id }, index) => {
      const warning = pages.get(id)
      return warning ? [note(say('formPage', { number: index + 1 }), warning)] : []
    }),
    [...ends].map(([index, warning]) => note(say('logicEndNumber', { number: index + 1 }), warning)),
  ]
}

/** Payments that nobody can make, which is hardly what somebody wants. Programs may leave amounts out (api.md §2). */
function freeOfCharge(say: SayConsole, draft: FormContent): Insert {
  return placedQuestions(draft)
    .filter(({ question: { type, amount, formula } }) => type === 'payment' && !amount && !formula)
    .map(
      ({ question, index }) =>
        html`<p class="note" dir="auto">${say('publishNoAmount', { question: nameOf(say, question, index) })}</p>`,
    )
}

/** Which questions publishing would add or change, for their marks in the outline: of a published form. */
export function unpublishedIn({ form, draft }: Built): Unpublished {
  const changes = form.revision === 0 || !draft.isChanged ? [] : changesBetween(contentOf(form), draft)
  const ids = (kind: FormChange['kind']) =>
    new Set(changes.flatMap((change) => (change.kind === kind && 'question' in change ? change.question.id : [])))
  return { added: ids('question_added'), changed: ids('question_changed') }
}

function sentence(say: SayConsole, change: FormChange, { title }: FormContent): Insert {
  switch (change.kind) {
    case 'title':
      return say('change_title', { title: quoted(say, title) })
    case 'description':
    case 'ends':
    case 'variables':
      return say(`change_${change.kind}`)
    case 'page_added':
    case 'page_removed':
    case 'page_renamed':
    case 'page_logic':
    case 'page_moved': {
      const number = change.at + 1
      const name = lineOf(change.page.title)
      return say(`change_${change.kind}`, { page: name === '' ? say('formPage', { number }) : quoted(say, name) })
    }
    case 'question_added':
    case 'question_removed':
    case 'question_moved':
      return say(`change_${change.kind}`, { question: nameOf(say, change.question, change.at) })
    case 'question_changed': {
      const question = nameOf(say, change.question, change.at)
      return say('change_question_changed', {
        question,
        fields: change.fields.map((name) => fieldName(say, name)).join(', '),
      })
    }
  }
}

/** As people speak of a question: by what it asks, else by its number. */
export function nameOf(say: SayConsole, { text }: Pick<FormQuestion, 'text'>, at: number): string {
  const line = lineOf(text)
  return line === '' ? say('formQuestion', { number: at + 1 }) : quoted(say, line)
}

function quoted(say: SayConsole, text: string): string {
  return say('quoted', { text: shortened(text, 80) })
}

function fieldName(say: SayConsole, name: string): string {
  return say(`set_${name as SettingName | 'text' | 'required' | 'friendlyId'}`)
}
