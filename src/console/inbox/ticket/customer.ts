import { searchContacts } from '../../../contacts/search.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { isEmail, MAX_EMAIL, normaliseEmail } from '../../../lib/input/email.ts'
import { linkButton } from '../../components/display.ts'
import { button, csrfInput, field } from '../../components/forms.ts'
import { choice } from '../../components/menus.ts'
import { emailOf, nameOf } from '../../contacts/shown.ts'
import type { Again, Visit } from '../../visit.ts'

/** Contacts that are offered. */
const OFFERED = 6

/** Where the customer of a ticket is chosen: its own page, with the choice above the thread. */
export function customerPath(ticketId: string): string {
  return `/console/tickets/${ticketId}?customer=`
}

/**
 * The choice of a ticket's customer, where its address asks for it: a search, who was found, and what choosing does. `again`
 * where a choice was refused.
 */
export async function customerChoice(visit: Visit, ticketId: string, again?: Again): Promise<Markup | false> {
  const isRefused = again?.form.has('contactId') === true || again?.form.has('email') === true
  const asked = isRefused ? again.form.text('email') : visit.query.get('customer')
  if (asked === null) return false
  const { say } = visit.wording
  const path = `/console/tickets/${ticketId}`
  const text = asked.slice(0, MAX_EMAIL).toWellFormed().trim()
  return html`<section class="card choose-customer" aria-labelledby="choose-customer"><h2 id="choose-customer">${say('changeCustomer')}</h2>
<p class="help">${say('customerHelp')}</p>
<form method="get" action="${visit.href(path)}" class="searching" role="search" aria-label="${say('changeCustomer')}">${field(
    visit,
    {
      name: 'customer',
      label: say('customerSearch'),
      type: 'search',
      value: text,
      autocomplete: 'off',
      maxLength: MAX_EMAIL,
      required: true,
      again: isRefused
        ? { form: again.form.with('customer', text), problem: { ...again.problem, field: 'customer' } }
        : undefined,
    },
  )}${button(say('customerFind'), { kind: 'secondary' })}</form>
${text !== '' && (await found(visit, path, text))}
<p>${linkButton(visit, path, say('cancel'), 'secondary')}</p></section>`
}

async function found(visit: Visit, path: string, text: string): Promise<Markup> {
  const { say } = visit.wording
  const { items } = await searchContacts(
    visit.db,
    visit.principal.tenantId,
    { cursor: undefined, limit: OFFERED },
    { text },
  )
  const isKnown = items.some(({ email }) => email !== null && normaliseEmail(email) === normaliseEmail(text))
  const choices = items.map((contact) => {
    const { id, email } = contact
    const name = nameOf(visit, contact)
    if (email === null)
      return html`<li class="choice"><strong>${name}</strong> <small>${say('customerNoAddress')}</small></li>`
    return html`<li>${choice('contactId', id, html`<strong>${name}</strong>${name !== email && html` <small>${emailOf(email)}</small>`}`)}</li>`
  })
  const added =
    isEmail(text) &&
    !isKnown &&
    html`<li>${choice('email', text, html`<strong>${say('customerNew')}</strong> <small>${emailOf(text)}</small>`)}</li>`
  if (choices.length === 0 && !added) return html`<p role="status">${say('customersNone')}</p>`
  return html`<form method="post" action="${visit.href(`${path}/customer`)}">${csrfInput(visit)}<ul aria-label="${say('customersFound')}">${choices}${added}</ul></form>`
}
