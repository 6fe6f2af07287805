import { mailerBy } from '../channels/email/mailer.ts'
import { systemMail } from '../channels/email/system/letter.ts'
import { houseTransport } from '../channels/email/transports.ts'
import type { Deps } from '../deps.ts'
import { html } from '../lib/html/markup.ts'
import { subjectOf } from '../tickets/thread/content.ts'
import type { NewLink } from '../users/links/links.ts'
import type { ConsoleWording } from './words/index.ts'

/** Somebody who is to choose a password. */
interface Addressee {
  readonly tenantName: string
  readonly email: string
  readonly name: string | null
}

/**
 * Mails to people about their accounts (decisions §14), in the language of `wording`. They go by FRONTDESK_SMTP_URL alone,
 * never by a mailbox of the tenant's: its server would keep them for all who read there, and refuse our sender. Throws
 * `DeliveryError`.
 */
export function userMails(deps: Pick<Deps, 'config' | 'database' | 'secrets' | 'clock' | 'meter'>) {
  const { config, clock } = deps
  const mailer = mailerBy(houseTransport(config), deps.meter)

  async function send(
    { tenantName, email, name }: Addressee,
    { mailId: id, token }: NewLink,
    { subject, paragraphs }: { subject: string; paragraphs: readonly [string, ...string[]] },
  ) {
    const [first, ...rest] = paragraphs
    const link = token === null ? null : `${config.baseUrl}/console/password/${token}`
    const mail = await systemMail(
      deps,
      { kind: 'account', id },
      {
        subject: subjectOf(subject),
        text: `${[first, link, ...rest].filter((part) => part !== null).join('\n\n')}\n`,
        html: html`<p>${first}</p>${link !== null && html`<p><a href="${link}">${link}</a></p>`}${rest.map((text) => html`<p>${text}</p>`)}`
          .text,
        fromName: tenantName,
        to: { name, email },
        at: clock.now(),
      },
    )
    await mailer.send(mail)
  }

  return {
    invitation(to: Addressee, link: NewLink, by: string, { say }: ConsoleWording): Promise<void> {
      const who = { name: by, tenant: to.tenantName }
      return send(to, link, {
        subject: say('invitationSubject', { tenant: to.tenantName }),
        paragraphs:
          link.token === null
            ? [say('invitationElsewhere', who), say('invitationElsewhereHelp', who)]
            : [say('invitationText', who), say('invitationEnds')],
      })
    },
    reset(to: Addressee, link: NewLink, { say }: ConsoleWording): Promise<void> {
      return send(to, link, {
        subject: say('resetSubject', { tenant: to.tenantName }),
        paragraphs: [say('resetText', { tenant: to.tenantName }), say('resetEnds')],
      })
    },
  }
}
