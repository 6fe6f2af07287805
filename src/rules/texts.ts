import { customValueText } from '../contacts/fields/custom-values.ts'
import { fullName } from '../contacts/full-name.ts'
import { getContact } from '../contacts/read.ts'
import type { Reader } from '../db/index.ts'
import { AppError } from '../errors.ts'
import { answerText } from '../forms/question-types/index.ts'
import { findResponse } from '../responses/lookup.ts'
import { getTicket } from '../tickets/read.ts'
import { ticketValues, withValues } from '../tickets/writing/placeholders.ts'
import type { About } from './running/about.ts'

/* Texts of rules: `{contact.name}`, `{answer:ID}`, and what canned replies have (decisions §17). */

/** What placeholders stand for, by their names in small letters. What is not among them is empty. */
export type Values = ReadonlyMap<string, string>

/** The text with its placeholders written out; `made` is what is made of each value. */
export function fill(text: string, values: Values, made: (value: string) => string = (value) => value): string {
  return withValues(text, (name) => made(values.get(name.toLowerCase()) ?? ''))
}

/** What placeholders stand for of a record. */
export async function valuesOf(db: Reader, tenantId: string, about: About): Promise<Values> {
  const values = new Map<string, string>()
  const add = (all: Record<string, string>) => {
    for (const [name, value] of Object.entries(all)) values.set(name.toLowerCase(), value)
  }
  if (about.subject === 'ticket') {
    await addContact(db, tenantId, (await getTicket(db, tenantId, about.id)).contactId, add)
    add(await ticketValues(db, tenantId, about.id))
  } else if (about.subject === 'response') {
    const { form, response, questions } = await findResponse(db, tenantId, about.id)
    await addContact(db, tenantId, response.contactId, add)
    const given = new Map(response.answers.map(({ questionId, value }) => [questionId, value]))
    for (const question of questions) {
      if (question.friendlyId !== null) {
        add({ [`answer:${question.friendlyId}`]: answerText(question, given.get(question.id)) })
      }
    }
    for (const [name, value] of Object.entries(response.hiddenFields)) add({ [`hidden:${name}`]: value })
    add({ score: String(response.scores.percentage ?? ''), 'form.title': form.title })
  } else {
    await addContact(db, tenantId, about.id, add)
  }
  return values
}

async function addContact(
  db: Reader,
  tenantId: string,
  contactId: string | null,
  add: (values: Record<string, string>) => void,
): Promise<void> {
  if (contactId === null) return
  try {
    const contact = await getContact(db, tenantId, contactId)
    const name = fullName(contact) || contact.email || ''
    add({ 'contact.name': name, 'contact.first_name': contact.name || name, 'contact.email': contact.email ?? '' })
    for (const value of contact.customValues) add({ [`contact.custom:${value.fieldName}`]: customValueText(value) })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'not_found')) throw error
  }
}
