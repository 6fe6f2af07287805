import { type EventName, eventNames } from '../../kinds/events.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { checkName } from '../../lib/input/names.ts'
import type { Webhook, WebhookInput } from '../../webhooks/model.ts'
import { button, buttons, checkbox, field, fieldset, form, select } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import type { Again, View } from '../visit.ts'
import { eventWords } from './events.ts'

const MAX_SECRET = 1000

/** The fields of a webhook. `webhook` is null for a new one. */
export function webhookForm(view: View, webhook: Webhook | null, again?: Again): Markup {
  const { say } = view.wording
  const path = webhook ? `/console/webhooks/${webhook.id}` : '/console/webhooks'
  const secrets = [
    ...(webhook ? [['keep', say('webhookSecretKeep')] as const] : []),
    ['make', say('webhookSecretMake')] as const,
    ['own', say('webhookSecretOwn')] as const,
    ['none', say('webhookSecretNone')] as const,
  ]
  return form(view, { action: webhook ? `${path}/edit` : path }, [
    field(view, {
      name: 'name',
      label: say('webhookName'),
      help: say('webhookNameHelp'),
      value: webhook?.name,
      maxLength: 255,
      required: true,
      again,
    }),
    field(view, {
      name: 'url',
      label: say('webhookUrl'),
      help: say('webhookUrlHelp'),
      type: 'url',
      value: webhook?.url,
      placeholder: 'https://',
      maxLength: 2048,
      required: true,
      again,
    }),
    fieldset(
      { legend: say('webhookEvents'), name: 'events', help: say('webhookEventsHelp'), again },
      eventNames.map((event) =>
        checkbox(view, {
          name: 'events',
          value: event,
          label: say(eventWords[event].label),
          help: html`${say(eventWords[event].help)} <code>${event}</code>`,
          checked: webhook?.events.includes(event) ?? false,
          again,
        }),
      ),
    ),
    select(view, {
      name: 'secret',
      label: say('webhookSecret'),
      help: say('webhookSecretHelp'),
      options: secrets,
      value: webhook ? 'keep' : 'make',
      again,
    }),
    field(view, {
      name: 'ownSecret',
      label: say('webhookOwnSecret'),
      help: say('webhookOwnSecretHelp'),
      type: 'password',
      required: 'depends',
      autocomplete: 'off',
      maxLength: MAX_SECRET,
      again,
    }),
    webhook &&
      checkbox(view, {
        name: 'active',
        label: say('webhookIsActive'),
        help: say('webhookIsActiveHelp'),
        checked: webhook.active,
        again,
      }),
    buttons(
      button(webhook ? say('save') : say('webhookCreate')),
      html`<a class="quiet" href="${view.href(path)}">${say('cancel')}</a>`,
    ),
  ])
}

/** What the form says, as operations take it: the secret is null where it stays as it is. Throws what is wrong. */
export function readWebhookForm({ wording: { say } }: View, sent: FormFields): Omit<WebhookInput, 'active'> {
  const events = sent.texts('events').filter((event): event is EventName => eventNames.includes(event as EventName))
  const input = { name: checkName(sent.text('name')), url: sent.text('url'), events, secret: readSecret(say, sent) }
  if (events.length === 0) throw refuse(say('webhookNoEvents'), 'events')
  return input
}

function readSecret(say: View['wording']['say'], sent: FormFields): string | null {
  const own = sent.exact('ownSecret')
  switch (sent.text('secret')) {
    case 'make':
      return newSecret()
    case 'none':
      return ''
    case 'own':
      if (own === '') throw refuse(say('webhookOwnSecretMissing'), 'ownSecret')
      if (own.length > MAX_SECRET) throw refuse(say('webhookOwnSecretLong'), 'ownSecret')
      return own
    default:
      return null
  }
}

/** As the Standard Webhooks specification writes them: its libraries verify our deliveries with it. */
function newSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`
}
