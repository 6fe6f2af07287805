import { type ContactFieldName, contactFieldNames } from '../../../../forms/question-types/index.ts'
import { html } from '../../../../lib/html/markup.ts'
import { checkbox, field, fieldset } from '../../../components/forms.ts'
import type { FormFields } from '../../../form-fields.ts'
import type { Control, Settings } from './control.ts'

interface ContactField {
  readonly field: ContactFieldName
  readonly label: string | null
  readonly visible: boolean
}

const PLACE = 'contactFields'

/** Every contact field there is: whether it is asked for, what it is called, and which comes first. */
export const contactFieldsControl: Control = {
  show(visit, question, again) {
    const { say } = visit.wording
    const listed = question.contactFields as readonly ContactField[]
    const rows = namesOf(question).map((name, index) => {
      const known = listed.find((item) => item.field === name)
      const usual = say(`contact_${name}`)
      const own = `${PLACE}.${name}`
      const from = again?.form.text(`${own}.from`) || index + 1
      return html`<div class="contact-field" data-row><input type="hidden" name="${own}.from" value="${from}">
${checkbox(visit, { name: `${own}.visible`, label: usual, checked: known?.visible === true, again })}
${field(visit, { name: `${own}.label`, label: say('set_contactFields_label', { field: usual }), placeholder: usual, value: known?.label, hidesLabel: true, again })}
${field(visit, { name: `${own}.place`, label: say('set_contactFields_place', { field: usual }), inputMode: 'numeric', value: index + 1, hidesLabel: true, required: true, again })}
</div>`
    })
    return fieldset(
      { legend: say('set_contactFields'), help: say('set_contactFields_help'), name: PLACE, again },
      html`<div class="rows contact-fields">${rows}</div>`,
    )
  },
  read: (sent, question) => fieldsIn(sent, question),
  fieldAt(part, sent, question) {
    const [, index, name] = /^\[(\d+)\]\.(label)$/.exec(part) ?? []
    const row = fieldsIn(sent, question)[Number(index)]
    return { field: row && name ? `${PLACE}.${row.field}.${name}` : PLACE }
  },
}

/** In the order in which they are shown: those that are listed, then the others. */
function namesOf(question: Settings): ContactFieldName[] {
  const listed = question.contactFields as readonly ContactField[]
  return [...new Set([...listed.map(({ field }) => field), ...contactFieldNames])]
}

/** Those that are asked for, and those that were listed before and are not: they keep their labels. */
function fieldsIn(sent: FormFields, question: Settings): ContactField[] {
  const before = question.contactFields as readonly ContactField[]
  return namesOf(question)
    .map((name, index) => {
      const own = `${PLACE}.${name}`
      // A page that is saved again and again still shows the order that it began with.
      const from = Number(sent.text(`${own}.from`)) || index + 1
      const label = sent.text(`${own}.label`) || null
      const visible = sent.has(`${own}.visible`)
      const isListed = visible || label !== null || before.some((item) => item.field === name)
      return { isListed, from, at: placeIn(sent.text(`${own}.place`), from), item: { field: name, label, visible } }
    })
    .filter(({ isListed }) => isListed)
    .sort((one, other) => one.at - other.at || one.from - other.from)
    .map(({ item }) => item)
}

/** A field that is given the place of another goes there, and the other moves over by one. */
function placeIn(text: string, before: number): number {
  const place = /^\d{1,3}$/.test(text) ? Number(text) : before
  return place === before ? place : place + (place < before ? -0.5 : 0.5)
}
