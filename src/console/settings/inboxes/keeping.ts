import { deleteInbox } from '../../../channels/email/inbox-deletion.ts'
import { archiveInbox, restoreInbox, updateInbox } from '../../../inboxes/operations.ts'
import type { Guard } from '../../guard.ts'
import { requireSeen } from '../../seen.ts'
import { redirectTo } from '../../visit.ts'
import { saveAnswers } from './answers.ts'
import { seenOf } from './forms.ts'
import { inboxOf, inboxPage } from './inbox.ts'
import { INBOXES, pathOf } from './inboxes.ts'

const role = 'admin'
const INBOX = `${INBOXES}/:inboxId`

/** Inboxes are renamed, retired and deleted, as `inbox update`, `archive`, `restore` and `delete` do (decisions §20). */
export function inboxKeeping(add: Guard): void {
  add.action(INBOX, { role, again: inboxPage }, async (visit, sent) => {
    const { id } = await inboxOf(visit)
    await visit.change(async (tx, caller) => {
      requireSeen(sent, seenOf(await inboxOf({ ...visit, db: tx })))
      const emailAddress = sent.has('emailAddress') ? sent.text('emailAddress') : undefined
      await updateInbox(tx, caller, id, { name: sent.text('name'), emailAddress })
    })
    return redirectTo(pathOf(id), visit.wording.say('settingsSaved'))
  })

  add.action(`${INBOX}/answers`, { role, again: inboxPage }, async (visit, sent) =>
    saveAnswers(visit, await inboxOf(visit), sent),
  )

  add.action(`${INBOX}/archive`, { role }, async (visit) => {
    const { id, name } = await inboxOf(visit)
    await visit.change((tx, caller) => archiveInbox(tx, caller, id))
    return redirectTo(pathOf(id), visit.wording.say('inboxWasArchived', { name }))
  })

  add.action(`${INBOX}/restore`, { role }, async (visit) => {
    const { id, name } = await inboxOf(visit)
    await visit.change((tx, caller) => restoreInbox(tx, caller, id))
    return redirectTo(pathOf(id), visit.wording.say('inboxWasRestored', { name }))
  })

  add.action(`${INBOX}/delete`, { role, again: inboxPage }, async (visit) => {
    const { id, name } = await inboxOf(visit)
    await visit.change((tx, caller) => deleteInbox(tx, caller, id))
    return redirectTo(INBOXES, visit.wording.say('inboxWasDeleted', { name }))
  })
}
