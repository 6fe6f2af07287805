import type { Known, Session } from '../conversation/session.ts'
import type { ChatMessage } from '../service/api.ts'
import { create, one } from './dom.ts'
import { say, writeFullTime, writeShort } from './words.ts'

/** The list of a visitor's conversations, and the way to a new one. */
export function home(session: Session, open: (id: string | null) => void) {
  const list = one(document, '#conversations')
  one(document, '#new').addEventListener('click', () => open(null))

  function row(known: Known): HTMLElement {
    const { id, status, lastMessage, updatedAt } = known
    const unread = session.unread(id)
    const at = new Date(updatedAt)
    const time = create('time', '', writeShort(at))
    time.dateTime = updatedAt
    time.title = writeFullTime(at)
    const author = lastMessage?.direction === 'inbound' ? say('you') : lastMessage?.author.name
    const text = create('bdi', '', lastMessage ? excerptOf(lastMessage) : say('noMessages'))
    const excerpt = create('span', 'excerpt', text)
    const button = create('button', 'row', create('span', 'top', create('span', 'author', author ?? ''), time), excerpt)
    if (status === 'closed') button.append(create('span', 'label', say('closedLabel')))
    if (unread > 0) button.append(create('span', 'label unread', say('newMessages', { count: unread })))
    button.type = 'button'
    button.dataset.id = id
    button.addEventListener('click', () => open(id))
    return create('li', '', button)
  }

  return {
    show(): void {
      const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined
      list.replaceChildren(...session.list().map(row))
      if (focused) list.querySelector<HTMLElement>(`[data-id="${CSS.escape(focused)}"]`)?.focus()
    },
  }
}

/** Of one that says nothing, what its files are called. */
function excerptOf({ text, attachments = [] }: ChatMessage): string {
  return (text.trim() || attachments.map(({ fileName }) => fileName).join(', ')).slice(0, 200)
}
