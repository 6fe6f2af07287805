const COUNT = /^\(\d+\) /

/** The title of a tab that nobody looks at: it counts in how many tickets there is something new. */
export class TabTitle {
  readonly #tickets = new Set<string>()

  count(ticket: string): void {
    this.#tickets.add(ticket)
    document.title = `(${this.#tickets.size}) ${document.title.replace(COUNT, '')}`
  }

  clear(): void {
    this.#tickets.clear()
    document.title = document.title.replace(COUNT, '')
  }
}
