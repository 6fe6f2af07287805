import { html, type Insert, type Markup } from '../../../lib/markup.ts'
import { type Control, idOf, named } from './types.ts'

interface Choices {
  readonly id: number
  readonly settings: {
    readonly options: readonly string[]
    readonly otherText: string | null
    readonly minSelections?: number | null
    readonly maxSelections?: number | null
  }
}

export const chooseOne: Control<'choose_one'> = { render: (question) => list(question, 'radio') }

export const chooseAny: Control<'choose_any'> = { render: (question) => list(question, 'checkbox'), hint: howMany }

export const dropdown: Control<'dropdown'> = {
  render(question) {
    const { options, otherText } = question.settings
    return html`<div class="select"><select ${named(question)}>
      <option value="">Choose…</option>
      ${options.map((option) => html`<option value="${option}">${option}</option>`)}
      ${otherText !== null && html`<option value="" data-other>${otherText}</option>`}
    </select></div>${otherInput(question)}`
  },
}

/** A disclosure around checkboxes: works as a dropdown does, and by keyboard and screen reader as checkboxes do. */
export const multiDropdown: Control<'multi_dropdown'> = {
  render: (question) => html`<details class="dropdown">
    <summary><span class="picked" data-none="Choose…">Choose…</span></summary>
    ${list(question, 'checkbox')}
  </details>`,
  hint: howMany,
}

function list(question: Choices, type: 'radio' | 'checkbox'): Markup {
  const { options, otherText } = question.settings
  const input = (part: string | number, value: string, more?: Insert) =>
    html`<input type="${type}" name="${idOf(question)}" id="${idOf(question, part)}" value="${value}"${more}>`
  return html`<div class="options">
    ${options.map((option, index) => html`<label class="option">${input(index, option)}<span>${option}</span></label>`)}
    ${
      otherText !== null &&
      html`<label class="option">${input('other', '', html` data-other`)}<span>${otherText}</span></label>`
    }
  </div>${otherInput(question)}`
}

/** Shown once the other option is chosen. */
function otherInput(question: Choices): Insert {
  const { otherText } = question.settings
  if (otherText === null) return null
  return html`<input class="text other" type="text" id="${idOf(question, 'other-text')}" aria-label="${otherText}" maxlength="10000" hidden>`
}

function howMany({ settings: { minSelections: min = null, maxSelections: max = null } }: Choices): string | null {
  if (min !== null && max !== null) return min === max ? `Choose ${min}.` : `Choose ${min} to ${max}.`
  if (min !== null && min > 0) return `Choose at least ${min}.`
  return max === null ? null : `Choose up to ${max}.`
}
