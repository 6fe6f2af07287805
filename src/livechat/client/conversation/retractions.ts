import type { ChatMessage } from '../service/api.ts'

/** So long after it came an answer may still be taken back, in milliseconds. */
const MAY_COME = 30_000

/** Which answers their writers took back, and which they still may. */
export class Retractions {
  readonly #gone = new Set<string>()
  /** By this page's clock. */
  readonly #cameAt = new Map<string, number>()

  /** Answers that came just now. */
  watch(messages: readonly ChatMessage[]): void {
    for (const { id, direction } of messages) if (direction === 'outbound') this.#cameAt.set(id, performance.now())
  }

  mayCome({ id }: ChatMessage): boolean {
    const at = this.#cameAt.get(id)
    return at !== undefined && performance.now() - at < MAY_COME
  }

  /** It was taken back: what was asked for before may hold it all the same. */
  note(id: string): void {
    this.#gone.add(id)
  }

  has(id: string): boolean {
    return this.#gone.has(id)
  }
}
