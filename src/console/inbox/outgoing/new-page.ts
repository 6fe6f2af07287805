import { listInboxes } from '../../../inboxes/operations.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { newestTicketOf } from '../../../tickets/outgoing/conversations.ts'
import { listCannedReplies } from '../../../tickets/writing/canned-replies.ts'
import { findBeginning } from '../../../tickets/writing/drafts.ts'
import { emptyState, linkButton } from '../../components/display.ts'
import { buttons, form, select } from '../../components/forms.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { cannedPicker, hasCanned } from '../answer/canned-picker.ts'
import { answerTools } from '../answer/editor-tools.ts'
import { filesField, writingField } from '../answer/writing-fields.ts'
import { addressFields } from './address-fields.ts'
import { outgoingPage } from './outgoing-page.ts'

/** Where a conversation is begun. */
export const NEW_PATH = '/console/inbox/new'

/** A mail to somebody that begins a conversation, with what its writer has kept of it. */
export async function newPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, wording } = visit
  const { tenantId, userId } = principal
  const [draft, all, own, shared, newest] = await Promise.all([
    findBeginning(db, tenantId, userId),
    listInboxes(db, tenantId),
    listCannedReplies(db, tenantId, userId),
    listCannedReplies(db, tenantId, null),
    newestTicketOf(db, tenantId, userId),
  ])
  // The oldest first: what nothing else was chosen for goes there.
  const inboxes = all.filter(({ channel, archivedAt }) => channel === 'email' && archivedAt === null).reverse()
  const title = wording.say('newConversation')
  if (inboxes.length === 0) return outgoingPage(visit, title, noInbox(visit))
  return outgoingPage(
    visit,
    title,
    form(visit, { action: NEW_PATH, files: true }, [
      // Enter in a field presses the first button.
      html`<button name="after" value="keep" formnovalidate hidden></button>`,
      html`<div class="recipients">${[
        select(visit, {
          name: 'inbox',
          label: wording.say('mailFrom'),
          options: inboxes.map(({ id, name, emailAddress }) => [id, `${name} <${emailAddress}>`] as const),
          value: draft?.inboxId ?? inboxes[0]?.id ?? '',
          again,
        }),
        addressFields(visit, draft, again),
      ]}</div>`,
      writingField(visit, {
        draft,
        draftPath: `${NEW_PATH}/draft`,
        mine: newest ?? '',
        label: wording.say('yourMessage'),
        help: wording.say('answerEmail'),
        hint: wording.say(hasCanned({ own, shared }) ? 'answerHint' : 'answerHintAlone'),
        again,
      }),
      html`<div class="composer-foot">${answerTools(visit)}${filesField(visit, draft, again)}${cannedPicker(visit, `${NEW_PATH}/canned`, { own, shared })}${buttons(
        html`<button class="primary" data-send title="Ctrl+Enter">${wording.say('sendAnswer')}</button>`,
      )}</div>`,
    ]),
  )
}

function noInbox(visit: Visit): Markup {
  const { say } = visit.wording
  const isAdmin = visit.principal.role === 'admin'
  return emptyState(say('noInboxes'), isAdmin && linkButton(visit, '/console/settings/inboxes', say('settingsInboxes')))
}
