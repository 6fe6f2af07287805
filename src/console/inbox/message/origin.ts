import { html, type Markup } from '../../../lib/html/markup.ts'
import type { AgentsMessage } from '../../../tickets/thread/agents-thread.ts'
import type { View } from '../../visit.ts'
import { customerPath } from '../ticket/customer.ts'

/** Who sent what was taken for the customer's, and how to say that it was somebody else's (decisions §20). Nothing for what was not. */
export function originLine(view: View, { origin, ticketId }: AgentsMessage): Markup | false {
  if (!origin) return false
  const { say } = view.wording
  const { by, name, address } = origin
  const said = by === 'forward' ? say('forwardedBy', { name: name ?? address }) : say('sentByForm', { address })
  return html`<p class="origin">${said} · <a href="${view.href(customerPath(ticketId))}">${say('changeOrigin')}</a></p>`
}
