import { type FormPage, questionsOf } from '../../forms/pages.ts'
import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import { html, type Markup, trustedHtml } from '../../lib/html/markup.ts'
import { controlOf } from './controls/index.ts'
import { idOf, requiredMark } from './controls/types.ts'
import { type FirstView, titleIdOf } from './logic.ts'
import type { PageWording } from './page-wording.ts'

/** How the pages of a form show at first. */
export interface Shown {
  readonly mode: 'page' | 'step'
  readonly wording: PageWording
  readonly view: FirstView
  readonly isFirst: boolean
}

/** A page of a form, with all of its questions. They are counted as they show, `before` it and on it. */
export function pageSection({ title, questions }: FormPage, index: number, before: number, shown: Shown): Markup {
  const { mode, wording, view, isFirst } = shown
  const titleId = titleIdOf(index)
  const first = questions.find(view.isShown)
  let number = before
  return html`<section class="page" data-page="${index}"${!isFirst && html` hidden`}>
    ${title !== null && html`<div class="title" id="${titleId}" role="heading" aria-level="2" tabindex="-1"${wording.langOf(title)}>${trustedHtml(view.fill(title))}</div>`}
    ${questionsOf([{ id: 0, title, showIf: null, questions }]).map((question) => {
      const isShown = view.isShown(question)
      const isFirst = question.id === first?.id
      if (isShown) number += 1
      return questionFrame(question, isShown ? number : null, shown, {
        isHidden: mode === 'step' ? !isFirst : !isShown,
        // The focus goes past the title of the page, which is read out with its first question.
        title: mode === 'step' && isFirst && title !== null ? titleId : null,
      })
    })}
  </section>`
}

/**
 * Everything around a control: what is asked, help, what is wrong, and a way to take the answer back. The text may hold
 * paragraphs and lists, which the legend of a fieldset may not.
 */
function questionFrame(
  question: NumberedQuestion,
  number: number | null,
  { wording, view }: Shown,
  { isHidden, title }: { isHidden: boolean; title: string | null },
): Markup {
  const { say, write, langOf } = wording
  const { control, hint } = controlOf(question, wording)
  const { type, required, text, friendlyId } = question
  const limits = question.settings as { minSelections?: number | null; maxSelections?: number | null }
  return html`<div class="question type-${type}" role="group" id="${idOf(question)}" data-question="${question.id}" data-type="${type}"${required && html` data-required`}${friendlyId !== null && html` data-friendly="${friendlyId}"`}${limits.minSelections && html` data-min="${limits.minSelections}"`}${limits.maxSelections && html` data-max="${limits.maxSelections}"`} aria-labelledby="${title && `${title} `}${idOf(question, 'asked')}" aria-describedby="${idOf(question, 'hint')} ${idOf(question, 'error')}" tabindex="-1"${isHidden && html` hidden`}>
    <div class="asking"><span class="number" aria-hidden="true">${number === null ? '–' : write(number)}</span><div class="asked" id="${idOf(question, 'asked')}"><div class="asked-text" id="${idOf(question, 'text')}"${langOf(text)}>${text === '' ? say('question', { number: number ?? '' }) : trustedHtml(view.fill(text))}</div>${required && html`&nbsp;${requiredMark(wording)}`}</div></div>
    <p class="hint" id="${idOf(question, 'hint')}"${hint === null && html` hidden`}>${hint}</p>
    <p class="error" id="${idOf(question, 'error')}" hidden></p>
    <div class="control">${control}</div>
    <button type="button" class="quiet clear" hidden>${say('clearAnswer')}</button>
  </div>`
}
