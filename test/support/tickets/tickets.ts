import { createInbox } from '../../../src/inboxes/operations.ts'
import { storeAttachment } from '../../../src/tickets/attachments/operations.ts'
import { type NewTicket, openTicket } from '../../../src/tickets/incoming/opening.ts'
import type { TestTenant } from '../app.ts'

let inboxCount = 0

/** An email inbox with an address of its own. */
export function createEmailInbox(tenant: TestTenant, input: { name?: string; emailAddress?: string } = {}) {
  inboxCount += 1
  const { name = 'Support', emailAddress = `help${inboxCount}@acme.test` } = input
  return tenant.perform((tx, caller) => createInbox(tx, caller, { name, channel: 'email', emailAddress }))
}

/** A live-chat inbox. */
export function createChatInbox(tenant: TestTenant) {
  return tenant.perform((tx, caller) => createInbox(tx, caller, { name: 'Chat', channel: 'livechat' }))
}

/** A ticket from ada@acme.test, on an email inbox of its own unless one is named. */
export async function createTicket(tenant: TestTenant, input: Partial<NewTicket> = {}) {
  const inboxId = input.inboxId ?? (await createEmailInbox(tenant)).id
  return tenant.perform((tx, caller) =>
    openTicket(tx, caller, {
      email: 'ada@acme.test',
      name: 'Ada Lovelace',
      subject: 'Where is my order?',
      text: 'I ordered a week ago.',
      ...input,
      inboxId,
    }),
  )
}

/** A stored file, for a message to bring along. */
export function createTestAttachment(
  tenant: TestTenant,
  named: { fileName?: string; contentType?: string } = { fileName: 'a.txt' },
  content: Uint8Array<ArrayBuffer> | string = 'content',
) {
  return storeAttachment(tenant.files, tenant.caller(), named, new Blob([content]).stream())
}
