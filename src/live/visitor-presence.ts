import type { Database } from '../db/index.ts'
import type { Clock } from '../lib/clock.ts'
import { ownValue, readBoolean, readInteger, readObject, readString } from '../lib/input/read.ts'

/** Who loads another page of a site is back so soon, in milliseconds: until then they have not left. */
const BACK_SOON = 2_000
/** How often listeners are told at most, in milliseconds. */
const TOLD_EVERY = 500
/** How long a node goes on telling one that asked, and what it told counts, in milliseconds. */
const ASKED = 50_000
/** Visitors of whom is known when they left: the latest. */
const MOST_GONE = 10_000

/** Where a visitor is: on a page of a site (`page` is null where that is not told) since a moment, or gone since then. */
export interface Whereabouts {
  readonly isHere: boolean
  readonly page: string | null
  /** Milliseconds since 1970. */
  readonly since: number
}

interface Visitor {
  /** Their open chats, by an id of ours. */
  readonly places: Map<symbol, { page: string | null; since: number }>
  left: Whereabouts | null
}

/** What a node told of a visitor, and until when that counts, by the monotonic clock. */
interface Told extends Whereabouts {
  readonly until: number
}

/**
 * Where visitors are right now. Each node knows those whose sockets it holds, in memory alone, and tells others of one only
 * while somebody there looks at that visitor's chat: thousands of visitors cost nothing. Who asks, asks again at least every
 * `ASKED`.
 */
export class VisitorPresence {
  readonly #node = crypto.randomUUID()
  readonly #own = new Map<string, Visitor>()
  /** By visitor and node. */
  readonly #others = new Map<string, Map<string, Told>>()
  /** Until when other nodes want to hear of a visitor, by the monotonic clock. */
  readonly #asked = new Map<string, number>()
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #planned = new Set<string>()

  constructor(private readonly deps: { readonly clock: Clock; readonly database: Pick<Database, 'talk'> }) {
    deps.database.talk?.onTold((text) => this.#hear(text))
  }

  /** A chat of theirs is open: `at` says on which page, `leave` that it is closed. */
  enter(tenantId: string, visitorId: string) {
    const key = keyOf(tenantId, visitorId)
    const place = Symbol()
    const visitor = this.#own.get(key) ?? { places: new Map(), left: null }
    this.#own.set(key, visitor)
    visitor.places.set(place, { page: visitor.left?.page ?? null, since: this.deps.clock.now() })
    this.#changed(key)
    return {
      at: (page: string) => {
        const known = visitor.places.get(place)
        if (!known || known.page === page) return
        visitor.places.set(place, { page, since: this.deps.clock.now() })
        this.#changed(key)
      },
      leave: () => {
        const last = visitor.places.get(place)
        visitor.places.delete(place)
        const since = this.deps.clock.now()
        visitor.left = { isHere: false, page: last?.page ?? null, since }
        if (visitor.places.size > 0) this.#changed(key)
        else setTimeout(() => this.#lose(key, visitor), BACK_SOON).unref()
      },
    }
  }

  /** Calls `listener` whenever it may have changed where they are. `stay` is to be called at least every `ASKED`. */
  watch(tenantId: string, visitorId: string, listener: () => void) {
    const key = keyOf(tenantId, visitorId)
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners.add(listener))
    const ask = () => this.#tell({ asks: this.#node, key })
    ask()
    return {
      stay: ask,
      end: () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        this.#listeners.delete(key)
        this.#others.delete(key)
      },
    }
  }

  /** Where they are, as far as this node has heard; null: nothing was. */
  of(tenantId: string, visitorId: string): Whereabouts | null {
    const key = keyOf(tenantId, visitorId)
    const now = this.deps.clock.monotonic()
    const told = [...(this.#others.get(key)?.values() ?? [])].filter(({ until }) => until > now)
    const own = this.#ownOf(key)
    const all: Whereabouts[] = own ? [own, ...told] : told
    return all.reduce<Whereabouts | null>((best, one) => (best && isBefore(one, best) ? best : one), null)
  }

  #ownOf(key: string): Whereabouts | null {
    const visitor = this.#own.get(key)
    if (!visitor) return null
    const latest = [...visitor.places.values()].reduce<{ page: string | null; since: number } | null>(
      (best, one) => (best && best.since > one.since ? best : one),
      null,
    )
    if (latest) return { isHere: true, ...latest }
    // They may be on their way to another page.
    const isGone = this.#gone.has(key)
    return visitor.left && { ...visitor.left, isHere: !isGone }
  }

  /** Of our own visitors those who have left for good, the latest last. */
  readonly #gone = new Set<string>()

  #lose(key: string, visitor: Visitor): void {
    if (visitor.places.size > 0 || this.#own.get(key) !== visitor) return
    this.#gone.delete(key)
    this.#gone.add(key)
    const [oldest] = this.#gone
    if (this.#gone.size > MOST_GONE && oldest !== undefined) {
      this.#gone.delete(oldest)
      this.#own.delete(oldest)
      this.#asked.delete(oldest)
    }
    this.#changed(key)
  }

  #changed(key: string): void {
    if ((this.#own.get(key)?.places.size ?? 0) > 0) this.#gone.delete(key)
    const isAsked = (this.#asked.get(key) ?? 0) > this.deps.clock.monotonic()
    if (!isAsked) this.#asked.delete(key)
    if ((!isAsked && !this.#listeners.has(key)) || this.#planned.has(key)) return
    // Whoever changes pages all the time is told of now and then.
    this.#planned.add(key)
    setTimeout(() => {
      this.#planned.delete(key)
      if (isAsked) this.#answer(key)
      this.#notify(key)
    }, TOLD_EVERY).unref()
  }

  #answer(key: string): void {
    const own = this.#ownOf(key)
    if (own) this.#tell({ tells: this.#node, key, ...own })
  }

  /** Of one who is not here too: they may come while somebody looks. The latest are last, so the first have ended first. */
  #noteAsked(key: string, until: number): void {
    this.#asked.delete(key)
    this.#asked.set(key, until)
    for (const [other, end] of this.#asked) {
      if (end > this.deps.clock.monotonic()) break
      this.#asked.delete(other)
    }
  }

  #notify(key: string): void {
    for (const listener of this.#listeners.get(key) ?? []) listener()
  }

  #tell(said: object): void {
    this.deps.database.talk?.tell(JSON.stringify(said))
  }

  #hear(text: string): void {
    const said = readSaid(text)
    if (!said || said.node === this.#node) return
    const { key, node, whereabouts } = said
    const until = this.deps.clock.monotonic() + ASKED
    if (!whereabouts) {
      this.#noteAsked(key, until)
      this.#answer(key)
    } else if (this.#listeners.has(key)) {
      const told = this.#others.get(key) ?? new Map<string, Told>()
      this.#others.set(key, told.set(node, { ...whereabouts, until }))
      this.#notify(key)
    }
  }
}

const keyOf = (tenantId: string, visitorId: string) => `${tenantId} ${visitorId}`

/** Whether one says less of where they are: that they left, or an earlier moment. */
function isBefore(one: Whereabouts, other: Whereabouts): boolean {
  return one.isHere === other.isHere ? one.since < other.since : other.isHere
}

/** What another node asks (no `whereabouts`) or tells; null for whatever else nodes say. */
function readSaid(text: string): { node: string; key: string; whereabouts: Whereabouts | null } | null {
  try {
    const said = readObject(JSON.parse(text), 'said')
    const read = (name: string) => readString(ownValue(said, name), 1000, name)
    const key = read('key')
    if (ownValue(said, 'asks') !== null) return { node: read('asks'), key, whereabouts: null }
    const page = ownValue(said, 'page') === null ? null : read('page')
    const isHere = readBoolean(ownValue(said, 'isHere'), 'isHere')
    return {
      node: read('tells'),
      key,
      whereabouts: { isHere, page, since: readInteger(ownValue(said, 'since'), 'since') },
    }
  } catch {
    return null
  }
}
