import { html, type Markup } from '../../../lib/html/markup.ts'
import { field } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import type { TicketRead } from '../ticket/ticket.ts'
import { copyField, copyOnDemand, hasCopies } from './copy-field.ts'
import { offeredOf, recipientsOf } from './drafting.ts'

/**
 * Whom an answer goes to, in full, each to be taken out where a script runs, and the fields behind it: those of copies that
 * nobody gets behind their own names. What its writer has not changed is as the thread says by now.
 */
export function recipientsLine(visit: Visit, read: TicketRead, own?: Again): Markup {
  const { say } = visit.wording
  const typed = read.draft?.recipients
  const to = typed && typed.to.length > 0 ? typed.to : read.recipients.to
  const cc = typed?.cc ?? read.recipients.cc
  const again = own && recipientsOf(own.form) === null ? undefined : own
  const copies = [
    { name: 'cc', value: cc, again },
    { name: 'bcc', value: read.draft?.bcc ?? [], again: own },
  ] as const
  const isWrong = ['to', 'cc', 'bcc'].includes(own?.problem.field ?? '')
  return html`<input type="hidden" name="offered" value="${offeredOf(read.recipients)}"><div class="recipients-line"><p data-recipients>${addressesIn(visit, 'to', say('answerTo'), to)}${addressesIn(visit, 'cc', say('mailCc'), cc)}${addressesIn(visit, 'bcc', say('mailBcc'), read.draft?.bcc ?? [])}</p><template data-address>${addressItem(visit, '%')}</template><details class="recipients"${(isWrong || to.length === 0) && html` open`}><summary>${say('changeRecipients')}</summary>${field(
    visit,
    {
      name: 'to',
      label: say('answerTo'),
      value: to.join(', '),
      required: true,
      autocomplete: 'off',
      again,
    },
  )}${copies.filter(hasCopies).map((some) => copyField(visit, some))}</details>${copies
    .filter((none) => !hasCopies(none))
    .map((none) => copyOnDemand(visit, none))}</div>`
}

function addressesIn(visit: Visit, name: 'to' | 'cc' | 'bcc', label: string, addresses: readonly string[]): Markup {
  return html`<span data-of="${name}"${addresses.length === 0 && name !== 'to' && html` hidden`}><span class="label">${label}</span> ${addresses.map((address) => addressItem(visit, address))}</span>`
}

function addressItem({ wording: { say } }: Visit, address: string): Markup {
  return html`<span class="recipient"><bdi>${address}</bdi><button type="button" data-without="${address}" aria-label="${say('removeAddress', { address })}">×</button></span>`
}
