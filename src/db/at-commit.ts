/** What transactions that share a commit begin once, and write once for all of them. */
export interface Begun<T, Tx> {
  begin(): T
  write(tx: Tx, value: T): Promise<void>
}

/**
 * What is still to be written before a commit, where transactions run one after the other and share it. It is written too
 * by whoever reads or writes its table otherwise, and before a place up to which rows may be taken back.
 */
export class AtCommit<Tx> {
  readonly #values = new Map<unknown, { value: unknown; write(): Promise<void> }>()
  #uses = 0

  constructor(private readonly tx: Tx) {}

  /** How often something was begun, or changed that was begun before. */
  get uses(): number {
    return this.#uses
  }

  /** What was begun since everything was last written, or taken back; else it begins now. It is about to be changed. */
  of<T>(begun: Begun<T, Tx>): T {
    this.#uses++
    const known = this.#values.get(begun)
    if (known) return known.value as T
    const value = begun.begin()
    this.#values.set(begun, { value, write: () => begun.write(this.tx, value) })
    return value
  }

  /** Writes all of it. */
  async write(): Promise<void> {
    if (this.#values.size === 0) return
    const all = [...this.#values.values()]
    this.#values.clear()
    for (const one of all) await one.write()
  }

  /** What it rests on was taken back. */
  forget(): void {
    this.#values.clear()
  }
}
