import { announcedTables } from '../../remembered.ts'
import { ANY_TABLE } from '../../statements.ts'
import { CONNECT_TIMEOUT, Link } from '../client.ts'
import { noteSilence } from '../hosts.ts'

/** The channel on which nodes tell each other which tables they wrote. */
export const CHANNEL = 'frontdesk_commits'

/** On which they tell each other what is not stored. */
export const TALK = 'frontdesk_talk'

/** How often the listening connection is looked at, and how long it may take to answer, in milliseconds. */
const HEARTBEAT = 1_000
const PATIENCE = 3_000
/** How long making it anew may take: longer than connecting, so that a host that says nothing is noted. */
const LISTENING = (CONNECT_TIMEOUT + 1) * 1000

/**
 * Which tables were written, by this process and by others, who say so in the transaction itself. While the listening
 * connection is not certain to hear them, nothing is known.
 */
export class Commits {
  /** Called after every commit, here or elsewhere. */
  readonly listeners = new Set<() => void>()
  /** Called with what any process tells (`Talk`). */
  readonly told = new Set<(text: string) => void>()
  readonly #counts = new Map<string, number>()
  #all = 0
  #hears = false
  #closing = false
  readonly #link: Link
  #timer: Timer | undefined

  constructor(url: string) {
    this.#link = new Link(url, {
      max: 1,
      access: 'read only',
      onClose: () => this.#lost(),
      onNotify: (channel, payload) => {
        if (channel === CHANNEL) this.note(payload.split(','))
        else if (channel === TALK) for (const listener of this.told) listener(payload)
      },
    })
  }

  /** Listens from now on. Resolves when it does; rejects when the server cannot be reached. */
  async start(): Promise<void> {
    await this.#listen()
    this.#plan()
  }

  /** A commit wrote these tables. */
  note(tables: Iterable<string>): void {
    for (const table of tables) this.#counts.set(table, this.#countOf(table) + 1)
    this.#all += 1
    for (const listener of this.listeners) listener()
  }

  /**
   * Changes with every commit that wrote any of the tables; undefined while others' cannot be heard. Without tables it
   * changes with every commit of this process. Where others write unheard, as they do without tables, it changes each
   * second too.
   */
  version(tables?: readonly string[]): number | undefined {
    if (tables === undefined) return this.#all + second()
    if (!this.#hears) return undefined
    let commits = this.#countOf(ANY_TABLE)
    for (const table of tables) commits += this.#countOf(table)
    return tables.every((table) => announcedTables.has(table)) ? commits : commits + second()
  }

  /** As `Link.close`. */
  async close(timeout?: number): Promise<void> {
    this.#closing = true
    clearTimeout(this.#timer)
    await this.#link.close(timeout)
  }

  #countOf(table: string): number {
    return this.#counts.get(table) ?? 0
  }

  async #listen(): Promise<void> {
    await this.#link.client.unsafe(`LISTEN ${CHANNEL}`)
    await this.#link.client.unsafe(`LISTEN ${TALK}`)
    this.#hears = true
  }

  /** What others wrote meanwhile is not known: everything counts as written. */
  #lost(): void {
    this.#hears = false
    this.note([ANY_TABLE])
  }

  #plan(): void {
    this.#timer = setTimeout(() => void this.#beat(), HEARTBEAT)
  }

  async #beat(): Promise<void> {
    const { client } = this.#link
    const { promise: tooLate, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(reject, this.#hears ? PATIENCE : LISTENING, new Error('no answer'))
    try {
      await Promise.race([this.#hears ? client.unsafe('SELECT 1') : this.#listen(), tooLate])
    } catch (error) {
      noteSilence(error)
      if (this.#hears) this.#lost()
      this.#link.renew(client)
    }
    clearTimeout(timer)
    if (!this.#closing) this.#plan()
  }
}

function second(): number {
  return Math.floor(performance.now() / 1000)
}
