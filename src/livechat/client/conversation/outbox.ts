import { newKey } from '../../../hosted/client/tools/new-key.ts'
import type { Answer } from '../service/answers.ts'
import type { ChatMessage, Said } from '../service/api.ts'
import { jittered } from './live.ts'
import type { Pending } from './memory.ts'
import type { Session } from './session.ts'

/** How long is waited before a message is sent again by itself, in milliseconds: doubled each time. */
const RETRY_BASE = 3000
const RETRY_MOST = 60_000

/** Why messages wait. */
export type Trouble = 'noConnection' | 'tooMany' | null

/**
 * Messages on their way, sent one after the other in the order they were written. Whatever happens to the connection,
 * each is stored once: within a conversation by its `clientId`, and before a conversation is begun again it is looked
 * whether the first attempt began it.
 */
export class Outbox {
  pending: Pending[]
  trouble: Trouble = null
  #isSending = false
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  /** Whether the conversation that is to begin may have begun, unheard. */
  #isInDoubt = false
  /** What was heard of before it was answered. */
  readonly #found = new WeakMap<Pending, ChatMessage>()

  constructor(
    private readonly session: Session,
    private readonly changed: () => void,
    /** One has arrived, perhaps as the first of its conversation. */
    private readonly sent: (pending: Pending, message: ChatMessage) => void,
  ) {
    this.pending = session.remembered.pending()
    this.#isInDoubt = this.pending.length > 0
  }

  add(conversationId: string | null, { text, files }: Said): void {
    const at = new Date().toISOString()
    const after = this.session.newestKnown()
    this.pending.push({ clientId: newKey(), conversationId, text, files, at, after, state: 'sending' })
    this.#store()
    void this.flush()
  }

  /** Tries all again that were not refused. */
  async flush(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    clearTimeout(this.#retry)
    try {
      for (;;) {
        const next = this.pending.find(({ state }) => state !== 'refused')
        if (!next) break
        for (const pending of this.pending) if (pending.state === 'failed') pending.state = 'sending'
        this.#store()
        const answer = await this.#send(next)
        if (answer.kind === 'unreachable') {
          this.#fail(answer)
          return
        }
        this.#failures = 0
        this.trouble = null
        this.#conclude(next, answer)
        this.#store()
      }
    } finally {
      this.#isSending = false
    }
  }

  /** What is heard of here need not be sent again. */
  arrived(messages: readonly ChatMessage[]): void {
    for (const message of messages) {
      const own = this.pending.find((pending) => isArrival(pending, message))
      if (!own) continue
      this.#found.set(own, message)
      this.#take(own, message)
    }
  }

  discard(): void {
    this.pending = []
    this.#store()
  }

  async #send(next: Pending): Promise<Answer<ChatMessage>> {
    const { session } = this
    const known = await session.known()
    if (known.kind !== 'ok') return known
    if (next.conversationId === null && this.#isInDoubt && !(await session.catchUp(null))) return unreachable
    // It may have been heard of meanwhile, or the conversation that it goes into.
    const arrived = this.#found.get(next)
    if (arrived) return { kind: 'ok', body: arrived }
    const { conversationId } = next
    if (conversationId !== null) return session.service.write(conversationId, next, next.clientId)
    this.#isInDoubt = true
    const answer = await session.service.begin(next)
    if (answer.kind !== 'unreachable') this.#isInDoubt = false
    if (answer.kind !== 'ok') return answer
    session.begin(answer.body.message)
    return { kind: 'ok', body: answer.body.message }
  }

  #conclude(sent: Pending, answer: Answer<ChatMessage>): void {
    if (answer.kind === 'ok') {
      this.#take(sent, answer.body)
      this.session.take(answer.body)
    } else if (answer.kind === 'stranger') {
      // Sent as somebody new, in a conversation of its own.
      for (const pending of this.pending) pending.conversationId = null
      this.session.forget()
    } else if (answer.kind === 'gone' && sent.conversationId !== null) {
      const { conversationId } = sent
      for (const pending of this.pending) if (pending.conversationId === conversationId) pending.conversationId = null
    } else if (this.pending.includes(sent)) sent.state = 'refused'
  }

  /** It is there: whatever else waits for the conversation that it began goes into it. */
  #take(sent: Pending, message: ChatMessage): void {
    if (!this.pending.includes(sent)) return
    this.pending = this.pending.filter((pending) => pending !== sent)
    if (sent.conversationId === null)
      for (const pending of this.pending) pending.conversationId ??= message.conversationId
    this.sent(sent, message)
    this.#store()
  }

  #fail({ isBusy, wait }: { isBusy: boolean; wait: number }): void {
    this.trouble = isBusy ? 'tooMany' : 'noConnection'
    for (const pending of this.pending) if (pending.state === 'sending') pending.state = 'failed'
    const backOff = Math.min(RETRY_BASE * 2 ** this.#failures++, RETRY_MOST)
    this.#retry = setTimeout(() => void this.flush(), wait || jittered(backOff))
    this.#store()
  }

  #store(): void {
    this.session.remembered.storePending(this.pending)
    this.changed()
  }
}

const unreachable = { kind: 'unreachable', isBusy: false, wait: 0 } as const

function isArrival({ text, files, conversationId, after }: Pending, message: ChatMessage): boolean {
  return (
    message.direction === 'inbound' &&
    message.text.trim() === text.trim() &&
    // A file keeps its id as it becomes the message's.
    files.every(({ id }) => message.attachments?.some((file) => file.id === id)) &&
    (conversationId === null || conversationId === message.conversationId) &&
    after !== null &&
    message.id > after
  )
}
