import type { Answer } from '../service/answers.ts'
import type { ChatMessage, Conversation, Service } from '../service/api.ts'
import type { Remembered } from './memory.ts'
import { Retractions } from './retractions.ts'

/** A conversation as far as it is known here. */
export interface Known extends Conversation {
  /** Oldest first; all of them once it has been looked at. */
  messages: ChatMessage[]
  isLoaded: boolean
  /** The message up to which nothing is missing: what came by itself later may have left some out. */
  through: string | undefined
}

interface Introduction {
  name?: string
  email?: string
  identity?: string
}

/** What changed, for who shows it. */
export type Change = 'messages' | 'list' | 'gone'

/** The visitor and what they said and were told. Knows nothing of how it shows. */
export class Session {
  readonly conversations = new Map<string, Known>()
  /** Asked for and not there yet are not the same as none. */
  isListed = false
  readonly #retractions = new Retractions()

  constructor(
    readonly remembered: Remembered,
    readonly service: Service,
    private readonly changed: (change: Change) => void,
    /** Of messages that were not known before. */
    private readonly arrived: (messages: readonly ChatMessage[]) => void,
  ) {}

  get token(): string | null {
    return this.remembered.memory.token
  }

  /** The last introduction: each waits for the one before, so that all are of one visitor. */
  #introduction: Promise<unknown> = Promise.resolve()

  /** Makes the visitor known to the service, or better known. */
  introduce(visitor: Introduction): Promise<Answer<object>> {
    const introduction = this.#introduction.then(() => this.#introduce(visitor))
    this.#introduction = introduction
    return introduction
  }

  /** Resolves once nobody is being introduced: what is sent then is sent as who they are. */
  async introduced(): Promise<void> {
    await this.#introduction
  }

  /** Resolves with `ok` once the service knows the visitor, as nobody in particular if need be. */
  async known(): Promise<Answer<object>> {
    await this.introduced()
    if (this.token !== null) return { kind: 'ok', body: {} }
    const made = await this.introduce({})
    return made.kind === 'ok' || made.kind === 'unreachable' ? made : { kind: 'refused', message: '' }
  }

  async #introduce(visitor: Introduction): Promise<Answer<object>> {
    const answer = await this.service.createVisitor(visitor)
    if (answer.kind !== 'ok') return answer
    const { memory } = this.remembered
    memory.token = answer.body.token
    if (visitor.email) memory.email = visitor.email
    this.remembered.store()
    return answer
  }

  /** Another visitor, or nobody: nothing of the one before may show. */
  forget(): void {
    this.remembered.forget()
    this.clear()
  }

  clear(): void {
    this.conversations.clear()
    this.isListed = false
    this.changed('list')
  }

  /** Asks for all that is new. Says whether the service could be reached. */
  async catchUp(shown: string | null): Promise<boolean> {
    if (this.token === null) return true
    const asked = this.token
    // What begins meanwhile may not be in the answer.
    const before = [...this.conversations.keys()]
    const answer = await this.service.conversations()
    if (asked !== this.token) return true
    if (answer.kind === 'stranger') {
      this.forget()
      return true
    }
    if (answer.kind !== 'ok') return answer.kind !== 'unreachable'
    this.#list(answer.body.items, before)
    const { seen } = this.remembered.memory
    for (const known of [...this.conversations.values()]) {
      const isBehind = known.lastMessage !== null && known.lastMessage.id !== (known.through ?? seen[known.id])
      if ((isBehind || (known.id === shown && !known.isLoaded)) && !(await this.load(known.id, known.id === shown)))
        return false
      if (!(await this.#lookAgain(known.id))) return false
    }
    return true
  }

  /** Asks once more for answers that came a moment ago: that one was taken back may not have been heard. */
  async #lookAgain(id: string): Promise<boolean> {
    const { messages = [] } = this.conversations.get(id) ?? {}
    const first = messages.findIndex((message) => this.#retractions.mayCome(message))
    if (first < 0) return true
    const asked = messages.slice(first)
    const there = new Set<string>()
    for (let after = messages[first - 1]?.id; ; ) {
      const answer = await this.service.messages(id, after)
      if (answer.kind !== 'ok') return answer.kind !== 'unreachable'
      after = answer.body.items.at(-1)?.id
      if (after === undefined) break
      for (const message of answer.body.items) there.add(message.id)
    }
    for (const message of asked) if (!there.has(message.id)) this.remove(id, message.id)
    return true
  }

  /** A message is gone: its writer took it back. */
  remove(conversationId: string, messageId: string): void {
    this.#retractions.note(messageId)
    const known = this.conversations.get(conversationId)
    if (!known) return
    known.messages = known.messages.filter(({ id }) => id !== messageId)
    if (known.through === messageId) known.through = known.messages.findLast(({ id }) => id < messageId)?.id
    if (known.lastMessage?.id === messageId) {
      const lastMessage = known.messages.at(-1) ?? null
      this.conversations.set(conversationId, { ...known, lastMessage })
    }
    this.changed('messages')
  }

  #list(items: readonly Conversation[], before: readonly string[]): void {
    this.isListed = true
    const ids = new Set(items.map(({ id }) => id))
    for (const id of before) if (!ids.has(id)) this.conversations.delete(id)
    for (const item of items) {
      const known = this.conversations.get(item.id)
      const { messages = [], isLoaded = false, through } = known ?? {}
      // What came while the list was on its way is newer than it says.
      const now = known && isNewer(known, item) ? known : item
      this.conversations.set(item.id, { ...now, messages, isLoaded, through })
    }
    this.changed('list')
  }

  /** Fetches what is new of a conversation: of one that is not `whole`, what came after the last message seen. */
  async load(id: string, whole: boolean): Promise<boolean> {
    let after = this.conversations.get(id)?.through
    const isAnew = whole && this.conversations.get(id)?.isLoaded === false
    if (isAnew) after = undefined
    else if (!whole) after ??= this.remembered.memory.seen[id]
    for (;;) {
      const answer = await this.service.messages(id, after)
      const known = this.conversations.get(id)
      if (answer.kind === 'gone') {
        this.conversations.delete(id)
        this.changed('gone')
      }
      if (answer.kind !== 'ok') return answer.kind !== 'unreachable'
      if (!known) return true
      const { items } = answer.body
      this.#add(known, items)
      const last = items.at(-1)
      if (!last) {
        if (whole) known.isLoaded = true
        this.changed('messages')
        return true
      }
      known.through = after = last.id
    }
  }

  /** A message that came by itself, or in answer to what was sent. */
  take(message: ChatMessage): void {
    const known = this.conversations.get(message.conversationId) ?? {
      id: message.conversationId,
      status: 'open' as const,
      lastMessage: null,
      updatedAt: message.createdAt,
      messages: [],
      isLoaded: false,
      through: undefined,
    }
    const moved = { ...known, status: 'open' as const }
    this.conversations.set(known.id, moved)
    this.#add(moved, [message])
    this.changed('messages')
  }

  /** Of a conversation that begins here everything is known. */
  begin(message: ChatMessage): void {
    this.take(message)
    const known = this.conversations.get(message.conversationId)
    if (known) Object.assign(known, { isLoaded: true, through: message.id })
  }

  #add(known: Known, messages: readonly ChatMessage[]): void {
    const ids = new Set(known.messages.map(({ id }) => id))
    const fresh = messages.filter(({ id }) => !ids.has(id) && !this.#retractions.has(id))
    if (fresh.length === 0) return
    if (known.isLoaded) this.#retractions.watch(fresh)
    // Ids grow with time (decisions §1), and what was sent last may be heard of last.
    known.messages = [...known.messages, ...fresh].sort((a, b) => (a.id < b.id ? -1 : 1))
    const last = known.messages.at(-1) as ChatMessage
    if (!known.lastMessage || known.lastMessage.id <= last.id)
      this.conversations.set(known.id, Object.assign(known, { lastMessage: last, updatedAt: last.createdAt }))
    this.arrived(fresh)
  }

  /** The newest first. */
  list(): Known[] {
    const key = ({ updatedAt, lastMessage }: Known) => `${updatedAt} ${lastMessage?.id}`
    return [...this.conversations.values()].sort((a, b) => (key(a) < key(b) ? 1 : -1))
  }

  /** The id of the newest message of all, '' before the first one; null while it is not known what there is. */
  newestKnown(): string | null {
    if (this.token !== null && !this.isListed) return null
    return [...this.conversations.values()].reduce((newest, { lastMessage }) => {
      const id = lastMessage?.id ?? ''
      return id > newest ? id : newest
    }, '')
  }

  /** Everything that is there has been looked at. */
  see(id: string): void {
    const last = this.conversations.get(id)?.lastMessage?.id
    const { memory } = this.remembered
    if (!last || memory.seen[id] === last) return
    memory.seen[id] = last
    this.remembered.store()
    this.changed('list')
  }

  /** How many messages of a conversation, or of all, wait to be read. */
  unread(id?: string): number {
    const { seen } = this.remembered.memory
    return [...this.conversations.values()]
      .filter((known) => id === undefined || known.id === id)
      .flatMap((known) =>
        known.messages.filter((message) => message.direction === 'outbound' && message.id > (seen[known.id] ?? '')),
      ).length
  }
}

/** Ids grow with time (decisions §1). */
function isNewer(a: Conversation, b: Conversation): boolean {
  return (a.lastMessage?.id ?? '') > (b.lastMessage?.id ?? '')
}
