import { html, type Markup } from '../../../lib/html/markup.ts'
import { type Control, idOf, named } from './types.ts'

/** The browser's own date picker: it speaks the respondent's language, and every phone has a good one. */
const typeOf = (collectTime: boolean) => (collectTime ? 'datetime-local' : 'date')

export const date: Control<'date'> = {
  render: (question) =>
    html`<input class="text short" type="${typeOf(question.settings.collectTime)}" max="9999-12-31${question.settings.collectTime && 'T23:59'}" ${named(question)}>`,
  hint: ({ settings }) => settings.datePlaceholder,
}

export const dateRange: Control<'date_range'> = {
  render(question, { say }) {
    const { startDatePlaceholder, endDatePlaceholder, collectTime } = question.settings
    const end = (part: 'from' | 'to', label: string, placeholder: string | null): Markup =>
      html`<div class="field half"><label for="${idOf(question, part)}">${label}${placeholder && html` <small>${placeholder}</small>`}</label>
        <input class="text" type="${typeOf(collectTime)}" max="9999-12-31${collectTime && 'T23:59'}" id="${idOf(question, part)}" data-end="${part}"></div>`
    return html`<div class="contact">${end('from', say('from'), startDatePlaceholder)}${end('to', say('to'), endDatePlaceholder)}</div>`
  },
}
