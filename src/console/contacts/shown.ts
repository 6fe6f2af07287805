import { customValueText } from '../../contacts/fields/custom-values.ts'
import { fullName } from '../../contacts/full-name.ts'
import type { Contact } from '../../contacts/model.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { time } from '../components/display.ts'
import type { View } from '../visit.ts'

/** What a person is called on a page: by name, else by email. */
export function nameOf({ wording }: View, contact: Pick<Contact, 'name' | 'lastName' | 'email'>): string {
  return fullName(contact).trim() || contact.email || wording.say('contactUnnamed')
}

export function pathOf({ id }: Pick<Contact, 'id'>): string {
  return `/console/contacts/${id}`
}

type CustomValue = Contact['customValues'][number]

/** The kinds that a custom value can be of, and what each is called. */
export const valueKinds = { text: 'contactText', number: 'contactNumberKind', date: 'contactDateKind' } as const
export type ValueKind = keyof typeof valueKinds

export function kindOf(value: CustomValue | undefined): ValueKind {
  if (value && value.numberValue !== null) return 'number'
  return value && value.dateValue !== null ? 'date' : 'text'
}

/** A custom value as it is read: a date as a locale writes it, at midnight without the time. Numbers may be names. */
export function customValueOf(view: View, value: CustomValue): Insert {
  const { dateValue } = value
  if (dateValue === null) return customValueText(value)
  return time(view, dateValue, customValueText(value).includes('T') ? 'moment' : 'date')
}

/** An email that breaks before its @ where there is no room for it in one line. */
export function emailOf(email: string): Markup {
  const at = email.lastIndexOf('@')
  return html`<span class="address">${email.slice(0, at)}<wbr>${email.slice(at)}</span>`
}
