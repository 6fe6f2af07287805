import { and, eq } from 'drizzle-orm'
import { fullName } from '../../../contacts/full-name.ts'
import { isOneOf, ofTenant } from '../../../db/index.ts'
import { contacts, forms, responses, tickets } from '../../../db/schema.ts'
import type { Subject } from '../../../kinds/subjects.ts'
import { html, type Insert } from '../../../lib/html/markup.ts'
import { referenceOf } from '../../../tickets/read.ts'
import type { Visit } from '../../visit.ts'

const paths = { ticket: '/console/tickets/', response: '/console/responses/', contact: '/console/contacts/' } as const

/** What records of a kind are called, as links to them; the id of one that is gone. In one query. */
export async function recordLinks(
  visit: Visit,
  subject: Subject,
  ids: readonly string[],
): Promise<(id: string) => Insert> {
  const names = ids.length === 0 ? new Map<string, string>() : await namesOf(visit, subject, ids)
  return (id) => {
    const name = names.get(id)
    return name === undefined ? id : html`<a href="${visit.href(paths[subject] + id)}"><bdi>${name}</bdi></a>`
  }
}

async function namesOf(
  { db, principal }: Visit,
  subject: Subject,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { tenantId } = principal
  const wanted = JSON.stringify(ids)
  if (subject === 'ticket') {
    const rows = await db
      .select({ id: tickets.id, number: tickets.sequentialNumber, subject: tickets.subject })
      .from(tickets)
      .where(and(ofTenant(tickets, tenantId), isOneOf(db, tickets.id, wanted)))
    return new Map(rows.map(({ id, number, subject: text }) => [id, `${referenceOf(number)} ${text}`]))
  }
  if (subject === 'response') {
    const rows = await db
      .select({ id: responses.id, title: forms.title, at: responses.submittedAt })
      .from(responses)
      .innerJoin(forms, and(eq(forms.tenantId, responses.tenantId), eq(forms.id, responses.formId)))
      .where(and(ofTenant(responses, tenantId), isOneOf(db, responses.id, wanted)))
    return new Map(rows.map(({ id, title, at }) => [id, `${title} ${at?.slice(0, 10) ?? ''}`.trim()]))
  }
  const { id, name, lastName, email } = contacts
  const rows = await db
    .select({ id, name, lastName, email })
    .from(contacts)
    .where(and(ofTenant(contacts, tenantId), isOneOf(db, contacts.id, wanted)))
  return new Map(rows.map((row) => [row.id, fullName(row) || row.email || row.id]))
}
