import type { Outbox } from '../conversation/outbox.ts'
import type { Session } from '../conversation/session.ts'
import { post } from '../frame.ts'
import type { details } from './details.ts'
import { one } from './dom.ts'
import type { home } from './home.ts'
import type { Log } from './log.ts'
import type { talk } from './talk.ts'
import { say } from './words.ts'

/** What is shown with. */
interface Parts {
  readonly session: Session
  readonly outbox: Outbox
  readonly list: ReturnType<typeof home>
  readonly log: Log
  readonly form: ReturnType<typeof details>
  readonly view: ReturnType<typeof talk>
}

/** What is to show. */
interface Place {
  /** The conversation; null: one that has not begun. */
  readonly current: string | null
  /** Whether the list shows in its place. */
  readonly isHome: boolean
  /** Whether the one that showed is no longer there. */
  readonly wasGone: boolean
  /** Whether articles are looked through. */
  readonly isAsking: boolean
}

/** Shows everything as it is now, and tells the site around it what that means for its button. */
export function renderer(root: HTMLElement, { session, outbox, list, log, form, view }: Parts) {
  const [homeView, talkView] = [one(root, '#home'), one(root, '#talk')]
  const [back, notice, greeting] = [one(root, '#back'), one(root, '#notice'), one(root, '#greeting')]
  const isAway = root.dataset.open === undefined

  function renderTalk({ current, isAsking }: Place): void {
    const messages = session.conversations.get(current ?? '')?.messages ?? []
    log.show(
      current,
      messages,
      outbox.pending.filter(({ conversationId }) => conversationId === current),
    )
    greeting.hidden = messages.length > 0 && !isAway
    const { email, keepsEmail } = session.remembered.memory
    const hasWritten = messages.some(({ direction }) => direction === 'inbound')
    form.show(email === null && !keepsEmail && (hasWritten || (isAway && !isAsking)))
    view.moved()
  }

  function renderNotice({ current, wasGone }: Place): void {
    const isClosed = session.conversations.get(current ?? '')?.status === 'closed'
    const text = outbox.trouble ? say(outbox.trouble) : isClosed ? say('closed') : wasGone ? say('gone') : ''
    notice.hidden = text === ''
    if (notice.textContent !== text) notice.textContent = text
  }

  return (place: Place): void => {
    const { current, isHome } = place
    const { conversations } = session
    homeView.hidden = !isHome
    talkView.hidden = isHome
    back.hidden = isHome || conversations.size === 0
    const unread = session.unread()
    back.classList.toggle('unread', unread > (current === null ? 0 : session.unread(current)))
    if (isHome) list.show()
    else renderTalk(place)
    renderNotice(place)
    post({ frontdesk: 'unread', count: unread, text: unread > 0 ? say('newMessages', { count: unread }) : '' })
    if (session.isListed || session.token === null) session.remembered.announce(conversations.size > 0)
  }
}
