import { domainToASCII } from 'node:url'
import { domainOf } from '../../lib/email.ts'
import { replySubject } from '../../tickets/content.ts'
import { type Channel, DeliveryError } from '../channel.ts'
import type { MailboxKey } from './mailboxes/sign-in.ts'
import type { Mailer } from './mailer.ts'

/** Mail, in the thread of the ticket; `mailerOf` is how an inbox sends. */
export function emailChannel(mailerOf: (inbox: MailboxKey) => Mailer): Channel {
  return {
    address({ subject, requesterEmail, inbox, token }) {
      if (inbox.emailAddress === null || requesterEmail === null) return null
      return {
        subject: replySubject(subject),
        from: inbox.emailAddress,
        to: [requesterEmail],
        mailId: `<${token}@${domainToASCII(domainOf(inbox.emailAddress))}>`,
      }
    },
    async deliver({ subject, from, fromName, to, toName, mailId, ...message }) {
      const [address] = to
      if (from === null || address === undefined || mailId === null) {
        throw new DeliveryError('impossible', 'the customer has no email address')
      }
      await mailerOf({ tenantId: message.tenantId, inboxId: message.inboxId }).send({
        id: message.id,
        html: message.html,
        text: message.text,
        subject: subject ?? '',
        from: { name: fromName, address: from },
        to: { name: toName, address },
        replyTo: message.replyTo ?? null,
        messageId: mailId,
        references: message.references,
        at: message.at,
      })
    },
  }
}
