import { html, type Markup } from '../../../lib/html/markup.ts'
import type { AgentsMessage } from '../../../tickets/thread/agents-thread.ts'
import { form } from '../../components/forms.ts'
import { menu } from '../../components/menus.ts'
import { icons } from '../../icons.ts'
import type { View } from '../../visit.ts'
import { forwardPath } from '../outgoing/forward-page.ts'

/** Where a message stands. */
interface ActionView extends View {
  readonly canSplit: boolean
  readonly canForward: boolean
}

/** What can be done with a message; nothing with what is a colleague's business, or has not gone out. */
export function actionsOf(view: ActionView, { id, ticketId, state, direction }: AgentsMessage): Markup | false {
  const { say } = view.wording
  const canForward = view.canForward && (state === 'public' || state === 'outside')
  const canSplit = view.canSplit && state === 'public' && direction === 'inbound'
  if (!canForward && !canSplit) return false
  return menu({ name: 'of-message', icon: icons.more, label: say('more'), shown: null, group: 'message-menu' }, [
    canForward &&
      html`<a href="${view.href(forwardPath(ticketId, id))}" data-forward>${say(state === 'outside' ? 'answerOutside' : 'forwardMessage')}</a>`,
    canSplit &&
      form(
        view,
        { action: `/console/tickets/${ticketId}/messages/${id}/split` },
        html`<button class="choice">${say('splitOff')}</button>`,
      ),
  ])
}

/** Whom a message was forwarded to, and which. */
export function forwardLine(view: View, { forwarded, to, cc, bcc, state }: AgentsMessage): Markup | false {
  if (forwarded === null) return false
  const { say } = view.wording
  const { forwardedId, original } = forwarded
  const name = original?.authorName ?? original?.from ?? ''
  const said = original === null ? say('forwardedIsGone') : say('forwardedMessageOf', { name })
  const isAway = state === 'forwarded'
  return html`<p class="forward-line">${isAway ? say('forwardedTo') : say('forwardsTo')} <bdi>${[...to, ...cc, ...bcc].join(', ')}</bdi> · ${original === null ? said : html`<a href="#m-${forwardedId}">${said}</a>`}</p>`
}
