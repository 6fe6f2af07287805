import { post } from '../frame.ts'
import { readKept, writeKept } from '../kept.ts'
import type { ChatFile } from '../service/api.ts'

/*
 * What the browser keeps of a chat, under the frame's own origin: no cookie. Where it gives the frame no storage, the
 * page around it keeps what makes its visitor known again (decisions §20), and the rest lasts as long as the page.
 */

export interface Memory {
  /** Shows who the visitor is. */
  token: string | null
  /** Whose signed identity the token stands for. */
  identity: string | null
  /** The address that they left. */
  email: string | null
  /** Whether they were asked for it, and would rather not. */
  keepsEmail: boolean
  /** The newest message seen of each conversation. */
  seen: Record<string, string>
}

/** A message on its way. Kept for this tab alone, so that two of them do not both send it. */
export interface Pending {
  readonly clientId: string
  /** null: the first of a conversation that does not exist yet. */
  conversationId: string | null
  readonly text: string
  readonly files: readonly ChatFile[]
  readonly at: string
  /** The newest message of all that was known then: it comes later. null where that is not known. */
  readonly after: string | null
  state: 'sending' | 'failed' | 'refused'
}

const blank = (): Memory => ({ token: null, identity: null, email: null, keepsEmail: false, seen: {} })

/** What is kept of the chat at `path`. */
export class Remembered {
  memory: Memory
  readonly #name: string
  readonly #hasStorage = hasStorage()

  constructor(path: string) {
    this.#name = `frontdesk ${path}`
    this.memory = { ...blank(), ...read<Memory>('localStorage', this.#name) }
  }

  store(): void {
    if (this.#hasStorage) write('localStorage', this.#name, this.memory)
    else post({ frontdesk: 'remember', kept: this.#forSite() })
  }

  /** Tells the site around whether there is a conversation to come back for. */
  announce(isKnown: boolean): void {
    // One that keeps the token knows.
    if (this.#hasStorage) post({ frontdesk: 'remember', kept: isKnown ? '1' : null })
  }

  /** The address that they left is not the site's to know; that it was asked for is enough. */
  #forSite(): string | null {
    const { token, identity, email, keepsEmail, seen } = this.memory
    return token && writeKept({ token, identity, keepsEmail: keepsEmail || email !== null, seen })
  }

  /** What the site around kept, where the frame has no storage of its own. Returns whether it is another visitor. */
  restore(kept: string | null): boolean {
    if (this.#hasStorage) return false
    const before = this.memory.token
    this.memory = { ...blank(), ...readKept(kept) }
    return before !== this.memory.token
  }

  /** What another tab wrote meanwhile. Returns whether it is another visitor. */
  reread(): boolean {
    const stored = read<Memory>('localStorage', this.#name)
    if (!stored) return false
    const before = this.memory.token
    this.memory = { ...blank(), ...stored }
    return before !== this.memory.token
  }

  isOwn({ key }: StorageEvent): boolean {
    return key === this.#name
  }

  forget(): void {
    this.memory = blank()
    this.store()
  }

  pending(): Pending[] {
    // What an earlier version kept has no files.
    return (read<Pending[]>('sessionStorage', this.#name) ?? []).map((pending) => ({
      ...pending,
      files: pending.files ?? [],
    }))
  }

  storePending(pending: readonly Pending[]): void {
    write('sessionStorage', this.#name, pending)
  }

  /** What was typed and not sent. */
  draft(): string {
    return read<string>('sessionStorage', `${this.#name} draft`) ?? ''
  }

  storeDraft(text: string): void {
    write('sessionStorage', `${this.#name} draft`, text)
  }
}

function hasStorage(): boolean {
  try {
    return window.localStorage.length >= 0
  } catch {
    return false
  }
}

type Store = 'localStorage' | 'sessionStorage'

function read<T>(store: Store, name: string): T | null {
  try {
    return JSON.parse(window[store].getItem(name) ?? 'null') as T | null
  } catch {
    return null
  }
}

function write(store: Store, name: string, value: unknown): void {
  try {
    window[store].setItem(name, JSON.stringify(value))
  } catch {
    // Full, or not allowed: the chat works without.
  }
}
