import { and, eq, or } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { chatSettings, livechatSources, mailboxes, receivedMails, tickets } from '../../db/schema.ts'
import { refusal, rule } from '../../errors.ts'
import { getInbox, removeInbox } from '../../inboxes/operations.ts'

/**
 * Deletes an inbox that holds nothing, with the connection to its mailbox and what was noted of mails that became nothing. For
 * admins. Throws `not_found`, `conflict` where it has tickets or mails in quarantine, or a live chat uses it.
 */
export async function deleteInbox(tx: Tx, caller: Caller, inboxId: string): Promise<void> {
  const { tenantId } = caller
  const { id } = await getInbox(tx, tenantId, inboxId)
  const ofInbox = and(ofTenant(receivedMails, tenantId), eq(receivedMails.inboxId, id))
  const held = [
    await tx
      .select({ id: tickets.id })
      .from(tickets)
      .where(and(ofTenant(tickets, tenantId), eq(tickets.inboxId, id)))
      .limit(1),
    await tx
      .select({ id: receivedMails.id })
      .from(receivedMails)
      .where(and(ofInbox, eq(receivedMails.outcome, 'quarantined')))
      .limit(1),
  ]
  if (held.flat().length > 0) throw refusal('conflict', rule('inbox_not_empty'))
  const chats = await tx
    .select({ id: livechatSources.id })
    .from(livechatSources)
    .leftJoin(
      chatSettings,
      and(eq(chatSettings.tenantId, livechatSources.tenantId), eq(chatSettings.sourceId, livechatSources.id)),
    )
    .where(
      and(ofTenant(livechatSources, tenantId), or(eq(livechatSources.inboxId, id), eq(chatSettings.emailInboxId, id))),
    )
    .limit(1)
  if (chats.length > 0) throw refusal('conflict', rule('inbox_of_chat'))
  // The bytes of large mails are files that no record knows then, which are swept.
  await tx.delete(receivedMails).where(ofInbox)
  await tx.delete(mailboxes).where(and(ofTenant(mailboxes, tenantId), eq(mailboxes.inboxId, id)))
  await removeInbox(tx, caller, id)
}
