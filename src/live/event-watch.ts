import { CommitWatch, type Database } from '../db/index.ts'
import { endOfLog, isAnyUnsettled, kindsAfter } from '../events/log.ts'
import { type Place, placeOf } from '../events/places.ts'
import type { EventName } from '../kinds/events.ts'
import type { Log } from '../lib/log/log.ts'

/** Whose commits there may be new events in. Other nodes are told of them only while somebody waits. */
const WATCHED = ['events']
/** Events that are looked at at once, of a tenant. */
const STEP = 1_000
/** How long what is committed is gathered before it is looked at again, in milliseconds: each look costs a query for each tenant. */
const GATHERED = 20
/** How often a node where somebody waits says so, and for how long it is believed, in milliseconds. */
const SAID_EVERY = 5_000
const BELIEVED = 15_000

/** Somebody who waits for events. */
export interface Waiting {
  /** Resolves once there may be events since the last call, or what is given ends it. */
  next(until: AbortSignal): Promise<void>
  /** Waits no more. */
  end(): void
}

interface Waiter {
  readonly kinds: ReadonlySet<EventName>
  wake(): void
}

interface Watched {
  readonly waiters: Set<Waiter>
  /** Up to where everybody knows. */
  place: Place | Promise<Place>
}

/**
 * Wakes those who wait for a tenant's events when there are any of their kinds, written by this process or another (decisions
 * §23). Costs nothing while nobody waits, and a look at the index for each commit while somebody does.
 */
export class EventWatch {
  readonly #tenants = new Map<string, Watched>()
  readonly #commits: CommitWatch
  readonly #node = crypto.randomUUID()
  /** Until when others wait to be told of our commits. */
  #asked = Number.NEGATIVE_INFINITY
  #told: number | undefined
  #telling: Timer | null = null
  #saying: Timer | null = null

  constructor(private readonly deps: { readonly database: Database; readonly log: Log }) {
    const { database, log } = deps
    this.#commits = new CommitWatch(
      database,
      WATCHED,
      () => this.#look(),
      (error) => log.error('new events could not be looked for', { error }),
    )
    if (!database.talk) return
    database.talk.onTold((text) => this.#hear(text))
    database.onCommit(() => this.#tell())
  }

  /** How many wait, for tests and figures. */
  get waiting(): number {
    return [...this.#tenants.values()].reduce((sum, { waiters }) => sum + waiters.size, 0)
  }

  /** Waits from now on: whatever is committed after this resolved wakes `next`. Rejects when the database cannot be read. */
  async wait(tenantId: string, kinds: readonly EventName[]): Promise<Waiting> {
    let isWoken = false
    let resolve = () => {}
    const waiter: Waiter = {
      kinds: new Set(kinds),
      wake() {
        isWoken = true
        resolve()
      },
    }
    const watched = this.#tenants.get(tenantId) ?? { waiters: new Set(), place: this.#end(tenantId) }
    this.#tenants.set(tenantId, watched)
    watched.waiters.add(waiter)
    const end = () => this.#remove(tenantId, watched, waiter)
    this.#begin()
    try {
      watched.place = await watched.place
    } catch (error) {
      end()
      throw error
    }
    return {
      async next(until) {
        if (!isWoken && !until.aborted) {
          const woken = new Promise<void>((woke) => {
            resolve = woke
          })
          until.addEventListener('abort', resolve, { once: true })
          await woken
          until.removeEventListener('abort', resolve)
        }
        isWoken = false
      },
      end,
    }
  }

  #end(tenantId: string): Promise<Place> {
    const place = endOfLog(this.deps.database.db, tenantId)
    // Whoever waits for it is told; nobody else is.
    place.catch(() => {})
    return place
  }

  #begin(): void {
    this.#commits.start()
    if (this.#saying || !this.deps.database.talk) return
    const say = () => this.deps.database.talk?.tell(JSON.stringify({ waitsAt: this.#node }))
    this.#saying = setInterval(say, SAID_EVERY)
    this.#saying.unref()
    say()
  }

  #remove(tenantId: string, watched: Watched, waiter: Waiter): void {
    watched.waiters.delete(waiter)
    if (watched.waiters.size === 0 && this.#tenants.get(tenantId) === watched) this.#tenants.delete(tenantId)
    if (this.#tenants.size > 0) return
    this.#commits.stop()
    if (this.#saying) clearInterval(this.#saying)
    this.#saying = null
  }

  async #look(): Promise<void> {
    const { database } = this.deps
    let isUnsettled = false
    for (const [tenantId, watched] of [...this.#tenants]) {
      const after = await watched.place
      const found = await kindsAfter(database.db, tenantId, after, STEP)
      const last = found.at(-1)
      watched.place = placeOf(last) ?? after
      const kinds = new Set(found.map(({ event }) => event))
      for (const waiter of watched.waiters) if (!waiter.kinds.isDisjointFrom(kinds)) waiter.wake()
      if (database.isShared && (await isAnyUnsettled(database.db, tenantId, last ?? after))) isUnsettled = true
      if (found.length === STEP) isUnsettled = true
    }
    await Bun.sleep(GATHERED)
    if (isUnsettled) this.#commits.lookAnew()
  }

  /** Tells the nodes where somebody waits that there may be events, where there may be. */
  #tell(): void {
    if (performance.now() > this.#asked || this.#telling) return
    const version = this.deps.database.db.version?.(WATCHED)
    if (version !== undefined && version === this.#told) return
    this.#told = version
    this.#telling = setTimeout(() => {
      this.#telling = null
      this.deps.database.talk?.tell(JSON.stringify({ eventsAt: this.#node }))
    }, GATHERED)
    this.#telling.unref()
  }

  #hear(text: string): void {
    if (!text.startsWith('{"waitsAt"') && !text.startsWith('{"eventsAt"')) return
    if (text.includes(this.#node)) return
    if (text.startsWith('{"waitsAt"')) this.#asked = performance.now() + BELIEVED
    else if (this.#tenants.size > 0) this.#commits.lookAnew()
  }
}
