import type { Live } from './live.ts'
import type { Session } from './session.ts'

/** Tells agents on which page of the site their visitor is, and which answer they have looked at last. */
export class Whereabouts {
  #page: string | null = null
  /** By conversation, what was told last. */
  readonly #seen = new Map<string, string>()

  constructor(
    private readonly session: Session,
    private readonly live: Live,
  ) {}

  /** What follows the path of an address may hold secrets: it goes nowhere. */
  visit(address: string): void {
    const { origin, pathname } = new URL(address)
    if (origin + pathname === this.#page) return
    this.#page = origin + pathname
    this.tell()
  }

  tell(): void {
    if (this.#page !== null) this.live.send({ type: 'page', page: this.#page })
  }

  /** Everything of a conversation is in sight. */
  see(conversationId: string): void {
    const answer = this.session.conversations
      .get(conversationId)
      ?.messages.findLast((one) => one.direction === 'outbound')
    if (!answer || this.#seen.get(conversationId) === answer.id) return
    const isTold = this.live.send({ type: 'seen', conversationId, messageId: answer.id })
    if (isTold) this.#seen.set(conversationId, answer.id)
  }
}
