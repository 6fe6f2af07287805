import type { FormPage } from '../../../forms/pages.ts'
import { findEntry } from '../../../forms/question-types/table.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { linkButton } from '../../components/display.ts'
import { button, buttons, checkbox, field, fieldId, form, select, textArea } from '../../components/forms.ts'
import { formatting } from '../../inbox/answer/editor-tools.ts'
import type { Again, Visit } from '../../visit.ts'
import { settingFields } from './controls/controls.ts'
import { type Built, buildPath, lineOf, type Placed, stampOf } from './draft.ts'
import { pageLogic, questionLogic } from './logic/section.ts'

/** What is worked on, beside the outline. */
export interface Pane {
  readonly title: string
  readonly body: Insert
}

/** A form that is saved as somebody types, where scripts run. Below it says whether it is. */
export function editor(visit: Visit, { draft }: Built, action: string, part: unknown, content: Insert): Markup {
  const { say } = visit.wording
  return html`<div data-editor>${form(visit, { action }, [
    // The first button is the one that Enter presses: none of those that change conditions.
    html`<button hidden>${say('save')}</button><input type="hidden" name="version" value="${draft.version}"><input type="hidden" name="was" value="${stampOf(part)}">`,
    content,
    buttons(button(say('save'))),
  ])}</div>`
}

/** Simple HTML: where scripts run, written as it will look. */
export function richText(
  visit: Visit,
  options: { name: string; label: string; value: string | null; rows: number; again: Again | undefined },
): Markup {
  const tags = '<b>, <i>, <a href>, <p>, <ul>'
  return html`<div data-rich>${formatting(visit, { controls: fieldId(options.name), linkId: `link-${options.name}` })}${textArea(visit, { ...options, help: visit.wording.say('builderHtmlHelp', { tags }) })}</div>`
}

/** What stands at the beginning of a form. */
export function introPane(visit: Visit, built: Built, again?: Again): Pane {
  const { say } = visit.wording
  const { title, description } = built.draft
  return {
    title: say('builderIntro'),
    body: editor(visit, built, `${buildPath(built.form.id)}/intro`, introOf(built), [
      field(visit, { name: 'title', label: say('set_title'), required: true, maxLength: 255, value: title, again }),
      richText(visit, { name: 'description', label: say('set_description'), value: description, rows: 6, again }),
    ]),
  }
}

/** What `introPane` changes. */
export function introOf({ draft: { title, description } }: Pick<Built, 'draft'>) {
  return { title, description }
}

export function pagePane(visit: Visit, built: Built, page: FormPage, again?: Again): Pane {
  const { say } = visit.wording
  const number = built.draft.pages.indexOf(page) + 1
  return {
    title: say('formPage', { number }),
    body: editor(visit, built, `${buildPath(built.form.id)}/pages/${page.id}`, pageOwn(page), [
      richText(visit, { name: 'title', label: say('set_pageTitle'), value: page.title, rows: 2, again }),
      pageLogic(visit, built, page, again),
    ]),
  }
}

/** What `pagePane` changes. */
export const pageOwn = ({ title, showIf }: FormPage) => ({ title, showIf })

export function questionPane(visit: Visit, built: Built, placed: Placed, again?: Again): Pane {
  const { say } = visit.wording
  const { question, index, page } = placed
  const names = Object.keys(findEntry(question.type)?.fields ?? {})
  const own = `${buildPath(built.form.id)}/questions/${question.id}`
  return {
    title: `${index + 1}. ${say(`type_${question.type}`)}`,
    body: html`${editor(visit, built, own, question, [
      richText(visit, { name: 'text', label: say('set_text'), value: question.text, rows: 3, again }),
      settingFields(visit, names, question, again),
      checkbox(visit, { name: 'required', label: say('set_required'), checked: question.required, again }),
      field(visit, {
        name: 'friendlyId',
        label: say('set_friendlyId'),
        help: say('set_friendlyId_help', { example: `{${question.friendlyId ?? 'SEAT_COUNT'}}` }),
        maxLength: 64,
        value: question.friendlyId,
        again,
      }),
      questionLogic(visit, built, placed, again),
    ])}
<div class="pane-foot">${built.draft.pages.length > 1 && moving(visit, built, placed)}
${linkButton(visit, buildPath(built.form.id, `add-${page.id}-${question.id}`), say('builderAddBelow'), 'secondary')}</div>`,
  }
}

/** To another page, at its end. */
function moving(visit: Visit, built: Built, { question, page }: Placed): Markup {
  const { say } = visit.wording
  const { pages } = built.draft
  return doing(visit, built, `question-${question.id}`, [
    select(visit, {
      name: 'page',
      label: say('builderMoveTo'),
      options: pages.flatMap((other, index) => (other === page ? [] : [pageOption(visit, other, index)])),
    }),
    button(say('builderMove'), { kind: 'secondary', name: 'do', value: `move ${question.id}` }),
  ])
}

/** A form whose buttons do something to the form that is built; then `show` is worked on. */
export function doing(visit: Visit, { form: { id }, draft }: Built, show: string, content: Insert): Markup {
  return form(visit, { action: buildPath(id) }, [
    html`<input type="hidden" name="version" value="${draft.version}"><input type="hidden" name="show" value="${show}">`,
    content,
  ])
}

/** A page as lists of pages name it. */
export function pageOption({ wording: { say } }: Visit, { id, title }: FormPage, index: number): [string, string] {
  const name = lineOf(title)
  return [String(id), name === '' ? say('formPage', { number: index + 1 }) : `${index + 1}. ${name}`]
}
