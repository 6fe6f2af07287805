import { domainToASCII } from 'node:url'
import { type Mailer, mailerBy, type OutgoingMail } from '../channels/email/mailer.ts'
import { Transports } from '../channels/email/transports.ts'
import type { ConsoleWording } from '../console/words/index.ts'
import type { Deps } from '../deps.ts'
import { installationId } from '../installation/id.ts'
import { domainOf } from '../lib/email.ts'
import { newId } from '../lib/ids.ts'
import { html } from '../lib/markup.ts'
import { senderAddress, senderInbox } from '../notifications/mail.ts'
import { oneLine, subjectOf } from '../tickets/content.ts'

/** Somebody who is to choose a password. */
interface Addressee {
  readonly tenantId: string
  readonly tenantName: string
  readonly email: string
  readonly name: string | null
}

/**
 * Mails to people who work for a tenant, sent as those about responses are: by the server of its oldest mailbox. In the
 * language of `wording`. Throws `DeliveryError`.
 */
export function userMails(deps: Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'log' | 'providerEndpoints'>) {
  const transports = new Transports(deps)
  const { db } = deps.database

  async function send(
    to: Addressee,
    { subject, paragraphs, link }: { subject: string; paragraphs: string[]; link: string },
  ) {
    const { tenantId, tenantName, email, name } = to
    const inbox = await senderInbox(db, tenantId)
    const sender = await senderAddress(db, tenantId, deps.config.baseUrl)
    const mailer: Mailer = mailerBy(transports.of(inbox && { tenantId, inboxId: inbox.id }))
    const at = deps.clock.now()
    const id = newId(at)
    const [first = '', ...rest] = paragraphs
    const mail: OutgoingMail = {
      id,
      from: { name: oneLine(tenantName), address: sender },
      to: { name: oneLine(name ?? ''), address: email },
      subject: subjectOf(subject),
      text: `${[first, link, ...rest].join('\n\n')}\n`,
      html: html`<p>${first}</p><p><a href="${link}">${link}</a></p>${rest.map((text) => html`<p>${text}</p>`)}`.text,
      messageId: `<user.${id}@${domainToASCII(domainOf(sender)) || 'localhost'}>`,
      references: [],
      installationId: await installationId(deps.database),
      at,
      isAutomatic: true,
    }
    await mailer.send(mail)
  }

  const linkTo = (token: string) => `${deps.config.baseUrl}/console/password/${token}`

  return {
    invitation(to: Addressee, token: string, by: string, { say }: ConsoleWording): Promise<void> {
      return send(to, {
        subject: say('invitationSubject', { tenant: to.tenantName }),
        paragraphs: [say('invitationText', { name: by, tenant: to.tenantName }), say('invitationEnds')],
        link: linkTo(token),
      })
    },
    reset(to: Addressee, token: string, { say }: ConsoleWording): Promise<void> {
      return send(to, {
        subject: say('resetSubject', { tenant: to.tenantName }),
        paragraphs: [say('resetText', { tenant: to.tenantName }), say('resetEnds')],
        link: linkTo(token),
      })
    },
  }
}
