import type { ContactFieldName } from '../../../forms/question-types/index.ts'
import { html } from '../../../lib/html/markup.ts'
import type { Wording, Words } from '../../words/index.ts'
import { type Control, idOf, requiredMark } from './types.ts'

type Label = { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words]

interface Kind {
  readonly autocomplete: string
  /** What it is called where the form gives it no label of its own. */
  readonly label: Label
  readonly type?: string
  readonly max: number
  readonly half?: boolean
}

/** What browsers know these fields as, what we call them, and how wide each is. */
const kinds: Record<ContactFieldName, Kind> = {
  first_name: { autocomplete: 'given-name', label: 'firstName', max: 255, half: true },
  last_name: { autocomplete: 'family-name', label: 'lastName', max: 255, half: true },
  company: { autocomplete: 'organization', label: 'company', max: 255 },
  address_line_1: { autocomplete: 'address-line1', label: 'addressLine1', max: 255 },
  address_line_2: { autocomplete: 'address-line2', label: 'addressLine2', max: 255 },
  city: { autocomplete: 'address-level2', label: 'city', max: 255, half: true },
  state: { autocomplete: 'address-level1', label: 'state', max: 255, half: true },
  zip_code: { autocomplete: 'postal-code', label: 'zipCode', max: 50, half: true },
  country: { autocomplete: 'country-name', label: 'country', max: 255, half: true },
  email: { autocomplete: 'email', label: 'email', type: 'email', max: 320 },
  phone_number: { autocomplete: 'tel', label: 'phoneNumber', type: 'tel', max: 50 },
}

/** What a contact field is called in a form that gives it no label of its own. */
export function contactLabel(field: ContactFieldName, { words }: Wording): string {
  return words[kinds[field].label]
}

export const contactDetails: Control<'contact_details'> = {
  render: (question, wording) =>
    html`<div class="contact">${question.settings.contactFields
      .filter(({ visible }) => visible)
      .map(({ field, label }) => {
        const { autocomplete, type = 'text', max, half } = kinds[field]
        const id = idOf(question, field)
        // The one field that a required question insists on (decisions §6).
        const isRequired = question.required && field === 'email'
        return html`<div class="field${half && ' half'}"><label for="${id}">${label ?? contactLabel(field, wording)}${isRequired && html`&nbsp;${requiredMark(wording)}`}</label>
        <input class="text" type="${type}" id="${id}" data-field="${field}" autocomplete="${autocomplete}" maxlength="${max}"${isRequired && html` aria-required="true"`}></div>`
      })}</div>`,
}
