import { getContact } from '../../contacts/read.ts'
import type { FileName } from '../../files/names.ts'
import { html } from '../../lib/html/markup.ts'
import { countPerson, countUnfinished, eraseEvents, erasePerson, unfinishedOf } from '../../privacy/erasure.ts'
import { deletePartials } from '../../responses/old.ts'
import { backLink, card, definitions, linkButton, pageHead } from '../components/display.ts'
import { agreement, button, buttons, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { nameOf, pathOf } from './shown.ts'

/** What goes with a person, what stays, and whether that is meant. */
export async function erasePage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, params } = visit
  const { say, write } = visit.wording
  const contact = await getContact(db, principal.tenantId, params.id as string)
  const counts = await countPerson(db, principal.tenantId, contact.id)
  const unfinished = await countUnfinished(db, principal.tenantId, contact.id)
  const path = pathOf(contact)
  const name = nameOf(visit, contact)
  return {
    title: say('eraseTitle'),
    width: 'narrow',
    body: html`${backLink(visit, path, name)}
${pageHead(say('eraseTitle'), linkButton(visit, `${path}/export`, say('contactExport'), 'secondary'), say('eraseIntro', { name }))}
${card(
  say('eraseGoes'),
  definitions([
    [say('eraseContact'), [contact.email, contact.phone].filter(Boolean).join(' · ') || name],
    [say('eraseTickets'), write(counts.tickets)],
    [say('eraseMessages'), write(counts.messages)],
    [say('eraseMails'), write(counts.mails)],
    [say('eraseResponses'), write(counts.responses)],
    [
      say('eraseUnfinished'),
      contact.email !== null && (unfinished ? write(unfinished.responses) : say('eraseAllUnfinished')),
    ],
    [say('eraseFiles'), write(counts.files + (unfinished?.files ?? 0))],
    [say('eraseVisitors'), write(counts.visitors)],
  ]),
)}
${card(
  say('eraseStays'),
  html`<ul class="stays">${(['eraseStaysAudit', 'eraseStaysOthers', 'eraseStaysDeliveries', 'eraseStaysBackups'] as const).map((word) => html`<li>${say(word)}</li>`)}</ul>`,
)}
${form(visit, { action: `${path}/erase` }, [
  agreement(visit, { legend: say('eraseSure'), name: 'sure', label: say('eraseSureLabel', { name }), again }),
  buttons(button(say('eraseDo'), { kind: 'danger' }), linkButton(visit, path, say('cancel'), 'secondary')),
])}`,
  }
}

export async function eraseThem(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const id = visit.params.id as string
  await getContact(visit.db, visit.principal.tenantId, id)
  if (!sent.has('sure')) throw refuse(say('eraseNotSure'), 'sure')
  for await (const ids of unfinishedOf(visit.db, visit.principal.tenantId, id)) {
    const { files } = await visit.change((tx, caller) => deletePartials(tx, caller, caller.at, ids))
    await removeFiles(visit, files)
  }
  const upTo = await eraseEvents(visit.deps.database, visit.principal.tenantId, id)
  // Some at a time: others are served in between, and what was interrupted is begun again by the same button.
  for (let isMore = true; isMore; ) {
    const step = await visit.change((tx, caller) => erasePerson(tx, caller, id, upTo))
    await removeFiles(visit, step.files)
    isMore = step.isMore
  }
  return redirectTo('/console/contacts', say('eraseDone'))
}

/** Records of them are gone already: where the store is out of reach they are swept later (`installation/orphans.ts`). */
async function removeFiles({ deps }: Visit, files: readonly FileName[]): Promise<void> {
  for (const file of files) {
    await deps.files.remove(file).catch((error) => deps.log.warn('a file stays until it is swept', { error }))
  }
}
