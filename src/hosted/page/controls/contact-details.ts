import { type ContactFieldName, contactFieldLabel } from '../../../forms/question-types/index.ts'
import { html } from '../../../lib/markup.ts'
import { type Control, idOf, requiredMark } from './types.ts'

/** What browsers know these fields as, and how wide each is. */
const kinds: Record<ContactFieldName, { autocomplete: string; type?: string; max: number; half?: boolean }> = {
  first_name: { autocomplete: 'given-name', max: 255, half: true },
  last_name: { autocomplete: 'family-name', max: 255, half: true },
  company: { autocomplete: 'organization', max: 255 },
  address_line_1: { autocomplete: 'address-line1', max: 255 },
  address_line_2: { autocomplete: 'address-line2', max: 255 },
  city: { autocomplete: 'address-level2', max: 255, half: true },
  state: { autocomplete: 'address-level1', max: 255, half: true },
  zip_code: { autocomplete: 'postal-code', max: 50, half: true },
  country: { autocomplete: 'country-name', max: 255, half: true },
  email: { autocomplete: 'email', type: 'email', max: 320 },
  phone_number: { autocomplete: 'tel', type: 'tel', max: 50 },
}

export const contactDetails: Control<'contact_details'> = {
  render: (question) =>
    html`<div class="contact">${question.settings.contactFields
      .filter(({ visible }) => visible)
      .map(({ field, label }) => {
        const { autocomplete, type = 'text', max, half } = kinds[field]
        const id = idOf(question, field)
        // The one field that a required question insists on (decisions §6).
        const isRequired = question.required && field === 'email'
        return html`<div class="field${half && ' half'}"><label for="${id}">${label ?? contactFieldLabel(field)}${isRequired && html`&nbsp;${requiredMark}`}</label>
        <input class="text" type="${type}" id="${id}" data-field="${field}" autocomplete="${autocomplete}" maxlength="${max}"${isRequired && html` aria-required="true"`}></div>`
      })}</div>`,
}
