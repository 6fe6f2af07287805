import type { Pending } from '../conversation/memory.ts'
import type { ChatFile, ChatMessage } from '../service/api.ts'
import { contentOf, linked } from './content.ts'
import { create, createButton, one } from './dom.ts'
import { type FetchFile, fileList } from './files.ts'
import { dayOf, say, writeDay, writeFullTime, writeTime } from './words.ts'

/** Messages of one author within this time stand together, in milliseconds. */
const TOGETHER = 5 * 60_000

/** A message as it shows, whether it has arrived or not. */
interface Shown {
  readonly key: string
  readonly isOwn: boolean
  readonly author: string
  readonly at: Date
  readonly state: 'there' | Pending['state']
  readonly fill: (bubble: HTMLElement) => void
  readonly files: readonly ChatFile[]
}

/** The messages of a conversation, in a live region: new ones are added, and read out. */
export class Log {
  readonly #items = new Map<string, HTMLElement>()
  #conversation: string | null = null

  constructor(
    private readonly element: HTMLElement,
    private readonly sourceName: string,
    private readonly retry: () => void,
    private readonly fetchFile: FetchFile,
  ) {}

  /** Shows these. Those of another conversation replace all at once, and are not read out. */
  show(conversation: string | null, messages: readonly ChatMessage[], pending: readonly Pending[]): void {
    const shown = [...messages.map((message) => this.#ofMessage(message)), ...pending.map(ofPending)]
    const isOther = conversation !== this.#conversation && !(this.#conversation === null && this.#continues(messages))
    if (isOther) {
      this.element.ariaLive = 'off'
      this.element.replaceChildren()
      this.#items.clear()
    }
    this.#conversation = conversation
    const kept = new Set(shown.map(({ key }) => key))
    for (const [key, item] of this.#items) {
      if (kept.has(key)) continue
      item.remove()
      this.#items.delete(key)
    }
    let previous: Shown | null = null
    let place: Element | null = null
    for (const [index, message] of shown.entries()) {
      const item = this.#items.get(message.key) ?? this.#create(message)
      if (item.dataset.state !== message.state) this.#mark(item, message)
      const startsDay = !previous || dayOf(previous.at) !== dayOf(message.at)
      const follows = !startsDay && previous !== null && isTogether(previous, message)
      const next = shown[index + 1]
      item.classList.toggle('follows', follows)
      item.classList.toggle('ends', !next || dayOf(next.at) !== dayOf(message.at) || !isTogether(message, next))
      setDay(item, startsDay ? writeDay(message.at) : '')
      // What stands in its place stays there: to move it would have it read out again.
      const after: Element | null = place ? place.nextElementSibling : this.element.firstElementChild
      if (after !== item) this.element.insertBefore(item, after)
      place = item
      previous = message
    }
    if (isOther) setTimeout(() => (this.element.ariaLive = 'polite'), 500)
  }

  /** A message that has arrived goes on as what it was on its way. */
  rename(clientId: string, id: string): void {
    const item = this.#items.get(clientId)
    if (!item || this.#items.has(id)) return
    this.#items.delete(clientId)
    this.#items.set(id, item)
  }

  /** Whether a conversation that begins is the one that shows already. */
  #continues(messages: readonly ChatMessage[]): boolean {
    return messages.length > 0 && messages.every(({ id }) => this.#items.has(id))
  }

  #ofMessage({ id, direction, author, text, html, attachments = [], createdAt }: ChatMessage): Shown {
    const isOwn = direction === 'inbound'
    return {
      key: id,
      isOwn,
      author: isOwn ? say('you') : (author.name ?? this.sourceName),
      at: new Date(createdAt),
      state: 'there',
      fill: (bubble) => bubble.append(isOwn || html === '' ? linked(text) : contentOf(html)),
      files: attachments,
    }
  }

  #create({ key, isOwn, author, at, fill, files, state }: Shown): HTMLElement {
    const bubble = create('div', 'bubble')
    bubble.dir = 'auto'
    fill(bubble)
    bubble.classList.toggle('plain', !bubble.querySelector('p, div, ul, ol, pre, table, blockquote'))
    bubble.hidden = bubble.textContent?.trim() === '' && !bubble.querySelector('img')
    const name = create('span', 'author', author)
    name.dir = 'auto'
    const item = create(
      'article',
      `message ${isOwn ? 'own' : 'theirs'}`,
      name,
      bubble,
      ...(files.length > 0 ? [fileList(files, this.fetchFile)] : []),
      create('div', 'meta', create('time', '')),
    )
    this.#mark(item, { at, state })
    this.#items.set(key, item)
    return item
  }

  /** What became of it, and when: that of the service is the time that counts. */
  #mark(item: HTMLElement, { at, state }: Pick<Shown, 'at' | 'state'>): void {
    item.dataset.state = state
    const time = one<HTMLTimeElement>(item, 'time')
    time.textContent = writeTime(at)
    time.dateTime = at.toISOString()
    time.title = writeFullTime(at)
    item.querySelector('.state')?.remove()
    if (state === 'there') return
    const label = create('span', 'state')
    if (state === 'sending') label.append(say('sending'))
    else if (state === 'refused') label.append(say('refused'))
    else label.append(say('notSent'), ' ', createButton('quiet', say('tryAgain'), this.retry))
    item.querySelector('.meta')?.append(label)
  }
}

function ofPending({ clientId, text, files, at, state }: Pending): Shown {
  return {
    key: clientId,
    isOwn: true,
    author: say('you'),
    at: new Date(at),
    state,
    fill: (bubble) => bubble.append(linked(text)),
    files,
  }
}

function isTogether(one: Shown, other: Shown): boolean {
  return (
    one.isOwn === other.isOwn &&
    one.author === other.author &&
    Math.abs(other.at.getTime() - one.at.getTime()) < TOGETHER
  )
}

/** The day stands above its first message. */
function setDay(item: HTMLElement, text: string): void {
  const there = item.querySelector('.day')
  if (there?.textContent === text || (!there && text === '')) return
  there?.remove()
  if (text !== '') item.prepend(create('p', 'day', text))
}
