import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import type { Wording } from '../../words/index.ts'
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
  render(question, { say }) {
    const { options, otherText } = question.settings
    return html`<div class="select"><select ${named(question)}>
      <option value="">${say('choose')}</option>
      ${options.map((option) => html`<option value="${option}">${option}</option>`)}
      ${otherText !== null && html`<option value="" data-other>${otherText}</option>`}
    </select></div>${otherInput(question)}`
  },
}

/** A disclosure around checkboxes: works as a dropdown does, and by keyboard and screen reader as checkboxes do. */
export const multiDropdown: Control<'multi_dropdown'> = {
  render: (question, { say }) => html`<details class="dropdown">
    <summary><span class="picked" data-none="${say('choose')}">${say('choose')}</span></summary>
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

function howMany({ settings }: Choices, { say }: Wording): string | null {
  const { minSelections: min = null, maxSelections: max = null } = settings
  if (min !== null && max !== null)
    return min === max ? say('chooseExactly', { count: min }) : say('chooseBetween', { min, count: max })
  if (min !== null && min > 0) return say('chooseAtLeast', { count: min })
  return max === null ? null : say('chooseUpTo', { count: max })
}
