import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import type { PageWording } from '../page-wording.ts'
import { type Control, idOf, labelsIn, named } from './types.ts'

interface Choices {
  readonly id: number
  readonly settings: {
    readonly options: readonly string[]
    readonly otherText: string | null
    readonly minSelections?: number | null
    readonly maxSelections?: number | null
  }
}

export const chooseOne: Control<'choose_one'> = { render: (question, wording) => list(question, 'radio', wording) }

export const chooseAny: Control<'choose_any'> = {
  render: (question, wording) => list(question, 'checkbox', wording),
  hint: howMany,
}

export const dropdown: Control<'dropdown'> = {
  render(question, wording) {
    const { say, langOf } = wording
    const { options, otherText } = question.settings
    const labels = labelsIn(question.settings, 'options')
    return html`<div class="select"><select ${named(question)}>
      <option value="">${say('choose')}</option>
      ${options.map((option, index) => html`<option value="${option}"${langOf(labels[index])}>${labels[index]}</option>`)}
      ${otherText !== null && html`<option value="" data-other${langOf(otherText)}>${otherText}</option>`}
    </select></div>${otherInput(question)}`
  },
}

/** A disclosure around checkboxes: works as a dropdown does, and by keyboard and screen reader as checkboxes do. */
export const multiDropdown: Control<'multi_dropdown'> = {
  render: (question, wording) => html`<details class="dropdown">
    <summary><span class="picked" data-none="${wording.say('choose')}">${wording.say('choose')}</span></summary>
    ${list(question, 'checkbox', wording)}
  </details>`,
  hint: howMany,
}

function list(question: Choices, type: 'radio' | 'checkbox', { langOf }: PageWording): Markup {
  const { options, otherText } = question.settings
  const labels = labelsIn(question.settings, 'options')
  const input = (part: string | number, value: string, more?: Insert) =>
    html`<input type="${type}" name="${idOf(question)}" id="${idOf(question, part)}" value="${value}"${more}>`
  return html`<div class="options">
    ${options.map((option, index) => html`<label class="option">${input(index, option)}<span${langOf(labels[index])}>${labels[index]}</span></label>`)}
    ${
      otherText !== null &&
      html`<label class="option">${input('other', '', html` data-other`)}<span${langOf(otherText)}>${otherText}</span></label>`
    }
  </div>${otherInput(question)}`
}

/** Shown once the other option is chosen. */
function otherInput(question: Choices): Insert {
  const { otherText } = question.settings
  if (otherText === null) return null
  return html`<input class="text other" type="text" id="${idOf(question, 'other-text')}" aria-label="${otherText}" maxlength="10000" hidden>`
}

function howMany({ settings }: Choices, { say }: PageWording): string | null {
  const { minSelections: min = null, maxSelections: max = null } = settings
  if (min !== null && max !== null)
    return min === max ? say('chooseExactly', { count: min }) : say('chooseBetween', { min, count: max })
  if (min !== null && min > 0) return say('chooseAtLeast', { count: min })
  return max === null ? null : say('chooseUpTo', { count: max })
}
