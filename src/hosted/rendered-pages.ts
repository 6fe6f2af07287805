import type { SplicedText } from '../lib/text/spliced-text.ts'

/** Memory that pages may take together, in bytes; a page of 20 questions takes some 40 kB. */
const MEMORY = 32 * 1024 * 1024

/**
 * Pages as they were rendered: who looks at one again costs no rendering and no compressing. The one that nobody has
 * looked at for longest goes first.
 */
export class RenderedPages {
  /** In the order they were last looked at. */
  readonly #kept = new Map<string, SplicedText>()
  readonly #underWay = new Map<string, Promise<SplicedText>>()
  #size = 0

  constructor(private readonly memory = MEMORY) {}

  /**
   * The page kept under `key`, which names all that it shows; else `render` makes it, once for all who wait. Rejects as
   * `render` does, and then keeps nothing.
   */
  async find(key: string, render: () => Promise<SplicedText>): Promise<SplicedText> {
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
      return known
    }
    return this.#underWay.get(key) ?? this.#render(key, render)
  }

  #render(key: string, render: () => Promise<SplicedText>): Promise<SplicedText> {
    const page = render()
      .then((made) => {
        this.#keep(key, made)
        return made
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, page)
    return page
  }

  #keep(key: string, made: SplicedText): void {
    this.#kept.set(key, made)
    this.#size += made.size
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= this.memory) return
      this.#kept.delete(oldest)
      this.#size -= size
    }
  }
}
