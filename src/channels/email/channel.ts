import { domainToASCII } from 'node:url'
import { rule } from '../../errors.ts'
import { withDirections } from '../../lib/html/direction.ts'
import { plainText } from '../../lib/html/sanitise.ts'
import { domainOf } from '../../lib/input/email.ts'
import { type Channel, DeliveryError, type OutgoingMessage } from '../../ports/channel.ts'
import { replySubject } from '../../tickets/thread/content.ts'
import { inlineImages } from './inline-images.ts'
import type { MailboxKey } from './mailboxes/sign-in.ts'
import type { Mailer } from './mailer.ts'

/** How an answer is addressed as a mail; null from or to nobody. */
export const addressMail: Channel['address'] = ({ subject, requesterEmail, inbox, token }) => {
  if (inbox.emailAddress === null || requesterEmail === null) return null
  return {
    subject: replySubject(subject),
    from: inbox.emailAddress,
    to: [requesterEmail],
    mailId: `<${token}@${domainToASCII(domainOf(inbox.emailAddress))}>`,
  }
}

/** Mail, in the thread of the ticket; `mailerOf` is how an inbox sends. */
export function emailChannel(mailerOf: (inbox: MailboxKey) => Mailer): Channel {
  return {
    address: addressMail,
    async deliver(message, before) {
      const { subject, from, fromName, to, toName, mailId, signature } = message
      if (from === null || to.length === 0 || mailId === null) {
        throw new DeliveryError('impossible', rule('customer_no_email'))
      }
      const signed = withQuoted(signature === null ? message : withSignature(message, signature), message.quoted)
      const { html, parts } = inlineImages(withDirections(signed.html), message.files, message.id)
      const mail = {
        id: message.id,
        html,
        text: signed.text,
        subject: subject ?? '',
        from: { name: fromName, address: from },
        to: to.map((address, index) => ({ name: index === 0 ? toName : '', address })),
        cc: message.cc,
        bcc: message.bcc,
        replyTo: message.replyTo,
        parts,
        installationId: message.installationId,
        messageId: mailId,
        references: message.references,
        at: message.at,
        ...(message.isAutomatic ? { automatic: 'replied' as const } : {}),
      }
      return mailerOf({ tenantId: message.tenantId, inboxId: message.inboxId }).send(mail, before)
    },
  }
}

function withQuoted({ html, text }: { html: string; text: string }, quoted: OutgoingMessage['quoted']) {
  return quoted ? { html: html + quoted.html, text: `${text.trimEnd()}\n\n${quoted.text}`.trimStart() } : { html, text }
}

/** Both forms with the signature below, behind the line by which mail programs know one. */
function withSignature({ html, text }: { html: string; text: string }, signature: string) {
  return {
    html: `${html}<div>-- </div><div>${signature}</div>`,
    text: `${text.trimEnd()}\n\n-- \n${plainText(signature)}`,
  }
}
