import { type NamedServer, namedServer } from '../../../channels/email/mailboxes/server-url.ts'
import type { Inbox } from '../../../inboxes/model.ts'
import { mailProviders } from '../../../kinds/mailboxes.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { formatTime } from '../../../lib/time.ts'
import { card } from '../../components/display.ts'
import { button, buttons, field, fieldset, form, select } from '../../components/forms.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Again, Visit } from '../../visit.ts'
import { providerWords } from './words.ts'

const DAY = 24 * 60 * 60 * 1000
/** How old the mails may be that are taken, in milliseconds. */
const ages: Readonly<Record<string, number>> = { week: 7 * DAY, month: 30 * DAY }

/** Connects by consent on a page of the provider's; only of those that the service is registered with. */
export function consentForm(visit: Visit, inbox: Inbox, action: string, again?: Again): Markup {
  const { say } = visit.wording
  const registered = mailProviders.filter((provider) => visit.deps.config.oauth[provider] !== null)
  if (registered.length === 0) return card(say('mailboxConsentTitle'), html`<p>${say('mailboxConsentNone')}</p>`)
  const fields = form(visit, { action }, [
    field(visit, {
      name: 'account',
      label: say('mailboxAccount'),
      type: 'email',
      value: inbox.emailAddress,
      required: true,
      maxLength: 320,
      autocomplete: 'off',
      again,
    }),
    oldMails(visit, 'consent-old', again),
    buttons(
      registered.map((provider) =>
        button(say('mailboxGoTo', { provider: say(providerWords[provider]) }), {
          kind: 'secondary',
          name: 'provider',
          value: provider,
        }),
      ),
    ),
  ])
  return card(say('mailboxConsentTitle'), html`<p>${say('mailboxConsentHelp')}</p>${fields}`)
}

/** Connects by user and password. */
export function passwordForm(visit: Visit, inbox: Inbox, action: string, again?: Again): Markup {
  const { say } = visit.wording
  const fields = form(visit, { action }, [
    field(visit, {
      name: 'user',
      label: say('mailboxUserName'),
      help: say('mailboxUserNameHelp'),
      value: inbox.emailAddress,
      required: true,
      maxLength: 320,
      autocomplete: 'off',
      again,
    }),
    field(visit, {
      name: 'password',
      label: say('password'),
      help: say('mailboxPasswordOwnHelp'),
      type: 'password',
      required: true,
      // A password manager must not fill in the user's own password.
      autocomplete: 'new-password',
      again,
    }),
    server(visit, 'imap', 'tls', again),
    server(visit, 'smtp', 'starttls', again),
    oldMails(visit, 'password-old', again),
    html`<p class="help">${say('mailboxPasswordHelp')}</p>`,
    button(say('mailboxTry'), { kind: 'secondary' }),
  ])
  return card(say('mailboxPasswordTitle'), fields)
}

function server(visit: Visit, kind: 'imap' | 'smtp', usual: NamedServer['security'], again?: Again): Markup {
  const { say } = visit.wording
  return fieldset({ legend: say(kind === 'imap' ? 'mailboxImap' : 'mailboxSmtp') }, [
    field(visit, {
      name: `${kind}Host`,
      label: say('mailboxHost'),
      placeholder: `${kind}.example.com`,
      required: true,
      maxLength: 253,
      autocomplete: 'off',
      again,
    }),
    html`<div class="side-by-side">${field(visit, {
      name: `${kind}Port`,
      label: say('mailboxPort'),
      help: say('mailboxPortHelp'),
      inputMode: 'numeric',
      maxLength: 5,
      again,
    })}${select(visit, {
      name: `${kind}Security`,
      label: say('mailboxSecurity'),
      options: [
        ['tls', say('mailboxTls')],
        ['starttls', say('mailboxStartTls')],
      ],
      value: usual,
      again,
    })}</div>`,
  ])
}

function oldMails(visit: Visit, id: string, again?: Again): Markup {
  const { say } = visit.wording
  return select(visit, {
    name: 'old',
    id,
    label: say('mailboxOld'),
    options: [
      ['', say('mailboxOldNone')],
      ['week', say('mailboxOldWeek')],
      ['month', say('mailboxOldMonth')],
      ['all', say('mailboxOldAll')],
    ],
    again,
  })
}

/** Both servers as they were typed, with the user of both. Throws `invalid_request`. */
export function readServers(visit: Visit, sent: FormFields) {
  const { allowPrivate } = visit.deps.config.webhook
  const named = (kind: 'imap' | 'smtp') =>
    namedServer(
      kind,
      {
        host: sent.text(`${kind}Host`),
        port: sent.text(`${kind}Port`),
        security: sent.text(`${kind}Security`) === 'starttls' ? 'starttls' : 'tls',
        user: sent.text('user'),
      },
      { allowPrivate },
    )
  return { imap: named('imap'), smtp: named('smtp') }
}

/** Which of the mails that lie there already are taken. */
export function readOld(visit: Visit, sent: FormFields): string | undefined {
  const chosen = sent.text('old')
  const age = Object.hasOwn(ages, chosen) ? ages[chosen] : undefined
  if (age !== undefined) return formatTime(visit.at - age)
  return chosen === 'all' ? 'all' : undefined
}
