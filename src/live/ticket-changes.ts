import { desc, gt, inArray, sql } from 'drizzle-orm'
import { announced, type Database, named, prepared } from '../db/index.ts'
import { events, messages, tickets } from '../db/schema.ts'
import type { TicketPayload, TicketRepliedPayload } from '../events/catalog.ts'
import { ownValue, readObject, readString } from '../lib/input/read.ts'
import type { Log } from '../lib/log/log.ts'

/** How often commits of other processes are looked for while somebody watches, in milliseconds. No query. */
const LOOK_EVERY = 10
/** How long nothing is read after that failed, or while it cannot be heard whether anything is new, in milliseconds. */
const REST = 1_000
/** Events read at once. */
const STEP = 1_000
/**
 * Of data that several nodes write, a transaction may commit later than one that began after it, and its events have
 * lower numbers. So far back they are looked for, in milliseconds, and so many of them when the watch begins.
 */
const LATE = 10_000
const LATE_AT_BEGIN = 500

/** Something happened to a ticket, wherever it was written. */
export type TicketChange =
  | { readonly type: 'created' | 'status'; readonly tenantId: string; readonly ticketId: string }
  | {
      readonly type: 'replied'
      readonly tenantId: string
      readonly ticketId: string
      readonly messageId: string
      readonly isOutbound: boolean
    }
  | Told

/** What no event tells: nodes tell each other. */
type Told =
  /** Said by whoever is at it, and stored nowhere. */
  | ({ readonly type: 'typing' } & Typing)
  | ({ readonly type: 'removed' } & Removal)
  /** An answer has not arrived, its visitor has looked at one, or it was changed in some way: assigned, tagged, merged. */
  | ({ readonly type: 'unsent' | 'read' | 'changed' } & OfTicket)

interface OfTicket {
  readonly tenantId: string
  readonly ticketId: string
}

interface Typing extends OfTicket {
  readonly by: 'visitor' | 'agent'
}

/** A message that its writer took back. */
interface Removal extends OfTicket {
  readonly messageId: string
}

type Listener = (changes: readonly TicketChange[]) => void

/** Whose commits tell that there may be new events of tickets. */
const WATCHED = announced([messages, tickets])

const newestEvent = prepared((db) =>
  db.select({ number: events.number }).from(events).orderBy(desc(events.number)).limit(1).prepare(),
)

const ticketEventsAfter = prepared((db) =>
  db
    .select(named({ number: events.number, tenantId: events.tenantId, event: events.event, payload: events.payload }))
    .from(events)
    .where(sql`${gt(events.number, sql.placeholder('after'))} AND ${inArray(events.event, TICKET_EVENTS)}`)
    .orderBy(events.number)
    .limit(STEP)
    .prepare(),
)

const TICKET_EVENTS = ['ticket.created', 'ticket.replied', 'ticket.status_changed'] as const

type EventRow = { number: number; tenantId: string; event: string; payload: string }

/**
 * Tells those who watch a tenant what happens to its tickets, as soon as it is committed: by this process at once, by
 * another within a moment. What was committed is the truth, and its events say what it was. Costs nothing while nobody
 * watches. For open sockets of chats, and for live pages.
 */
export class Live {
  readonly #listeners = new Map<string, Set<Listener>>()
  /** Events up to this number are known, and of later ones those that are `seen`. */
  #floor = 0
  readonly #seen = new Set<number>()
  /** When which number was the newest, oldest first, by the monotonic clock. */
  #marks: { at: number; number: number }[] = []
  #version: number | undefined
  #looking: Promise<void> | null = null
  #again = false
  #restsUntil = 0
  #beginning: Promise<void> | null = null
  #end = () => {}
  readonly #ending = new Set<() => void>()
  readonly #node = crypto.randomUUID()

  constructor(private readonly deps: { readonly database: Database; readonly log: Log }) {
    deps.database.talk?.onTold((text) => this.#hear(text))
  }

  /** Whether anybody watches anything, for tests. */
  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /** How many watch a tenant at this node. */
  countWatching(tenantId: string): number {
    return this.#listeners.get(tenantId)?.size ?? 0
  }

  /**
   * Calls `listener` with what happens to tickets of the tenant from the moment this resolves on, in the order of the
   * commits. Returns how to end that. Rejects when the database cannot be read.
   */
  async watch(tenantId: string, listener: Listener): Promise<() => void> {
    const listeners = this.#listeners.get(tenantId) ?? new Set()
    this.#listeners.set(tenantId, listeners.add(listener))
    const unwatch = () => this.#remove(tenantId, listener)
    try {
      this.#beginning ??= this.#begin()
      await this.#beginning
      return unwatch
    } catch (error) {
      unwatch()
      throw error
    }
  }

  /** Somebody is typing in a ticket. */
  type(typing: Typing): void {
    this.#tell({ type: 'typing', ...typing })
  }

  /** A message was taken back, and that is committed. */
  remove(removal: Removal): void {
    this.#tell({ type: 'removed', ...removal })
  }

  /** An answer in a ticket has not arrived, and that is committed. */
  notArrived({ tenantId, ticketId }: OfTicket): void {
    this.#tell({ type: 'unsent', tenantId, ticketId })
  }

  /** Tickets have changed, in whatever way, and that is committed. */
  change({ tenantId, ticketIds }: { readonly tenantId: string; readonly ticketIds: readonly string[] }): void {
    for (const ticketId of ticketIds) this.#tell({ type: 'changed', tenantId, ticketId })
  }

  /** Calls `listener` when the service stops: what is open would else keep it. Returns how to end that. */
  onStop(listener: () => void): () => void {
    this.#ending.add(listener)
    return () => this.#ending.delete(listener)
  }

  /** Nobody is told anything any more. */
  stop(): void {
    for (const listener of this.#ending) listener()
    this.#ending.clear()
    for (const [tenantId, listeners] of this.#listeners)
      for (const listener of listeners) this.#remove(tenantId, listener)
  }

  /** A visitor has looked at an answer, and that is committed. */
  read(ticket: { readonly tenantId: string; readonly ticketId: string }): void {
    this.#tell({ type: 'read', ...ticket })
  }

  #tell(change: Told): void {
    this.#notify([change])
    this.deps.database.talk?.tell(JSON.stringify({ changeAt: this.#node, ...change }))
  }

  #hear(text: string): void {
    const said = this.#listeners.size > 0 ? readTold(text) : null
    if (said && said.node !== this.#node) this.#notify([said.change])
  }

  #remove(tenantId: string, listener: Listener): void {
    const listeners = this.#listeners.get(tenantId)
    listeners?.delete(listener)
    if (listeners?.size === 0) this.#listeners.delete(tenantId)
    if (this.#listeners.size > 0) return
    this.#end()
    this.#end = () => {}
    this.#beginning = null
  }

  async #begin(): Promise<void> {
    const { database } = this.deps
    const unsubscribe = database.onCommit(() => this.#look())
    const timer = setInterval(() => this.#look(), LOOK_EVERY)
    timer.unref()
    this.#end = () => {
      unsubscribe()
      clearInterval(timer)
    }
    this.#version = database.db.version?.(WATCHED)
    const [newest] = await newestEvent(database.db).execute()
    const number = newest?.number ?? 0
    this.#floor = database.isShared ? Math.max(0, number - LATE_AT_BEGIN) : number
    this.#marks = [{ at: performance.now(), number }]
    this.#seen.clear()
    if (!database.isShared) return
    for (const { number } of await ticketEventsAfter(database.db).execute({ after: this.#floor }))
      this.#seen.add(number)
  }

  /** Reads what is new, if there may be anything, and once more where something was written meanwhile. */
  #look(): void {
    const version = this.deps.database.db.version?.(WATCHED)
    // Undefined: what other nodes write is not heard of, and is to be looked for.
    if (version === undefined ? performance.now() < this.#restsUntil : version === this.#version) return
    this.#version = version
    if (version === undefined) this.#restsUntil = performance.now() + REST
    this.#again = true
    this.#looking ??= this.#readAll().finally(() => {
      this.#looking = null
    })
  }

  async #readAll(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false
        await this.#beginning
        const rows = await ticketEventsAfter(this.deps.database.db).execute({ after: this.#floor })
        this.#notify(rows.filter(({ number }) => !this.#seen.has(number)).flatMap((row) => this.#changeOf(row)))
        this.#remember(rows)
        if (rows.length === STEP) this.#again = true
      }
    } catch (error) {
      // With no known version, the next round reads everything that it has not read yet.
      this.#version = undefined
      await Bun.sleep(REST)
      this.deps.log.error('changes of tickets could not be read', { error })
    }
  }

  #changeOf({ tenantId, event, payload }: EventRow): TicketChange[] {
    if (!this.#listeners.has(tenantId)) return []
    const { ticketId, ...rest }: TicketPayload = JSON.parse(payload)
    if (event === 'ticket.created') return [{ type: 'created', tenantId, ticketId }]
    if (event === 'ticket.status_changed') return [{ type: 'status', tenantId, ticketId }]
    const { messageId, direction } = rest as TicketRepliedPayload
    return [{ type: 'replied', tenantId, ticketId, messageId, isOutbound: direction === 'outbound' }]
  }

  /** Moves the floor: at once where numbers come in the order of commits, else as late as a lower one may come. */
  #remember(rows: readonly EventRow[]): void {
    const newest = rows.at(-1)?.number
    const now = performance.now()
    if (!this.deps.database.isShared || rows.length === STEP) {
      this.#floor = newest ?? this.#floor
      this.#seen.clear()
      return
    }
    for (const { number } of rows) this.#seen.add(number)
    if (newest !== undefined) this.#marks.push({ at: now, number: newest })
    while ((this.#marks[0]?.at ?? now) <= now - LATE) this.#floor = (this.#marks.shift() as { number: number }).number
    for (const number of this.#seen) if (number <= this.#floor) this.#seen.delete(number)
  }

  #notify(changes: readonly TicketChange[]): void {
    for (const [tenantId, own] of Map.groupBy(changes, (change) => change.tenantId))
      for (const listener of this.#listeners.get(tenantId) ?? []) listener(own)
  }
}

/** What no event tells, as another node said it; null for whatever else nodes say. */
function readTold(text: string): { node: string; change: Told } | null {
  try {
    const said = readObject(JSON.parse(text), 'said')
    const read = (name: string) => readString(ownValue(said, name), 100, name)
    const [node, type, tenantId, ticketId] = [read('changeAt'), read('type'), read('tenantId'), read('ticketId')]
    if (type === 'removed') return { node, change: { type, tenantId, ticketId, messageId: read('messageId') } }
    if (type === 'unsent' || type === 'read' || type === 'changed')
      return { node, change: { type, tenantId, ticketId } }
    const by = read('by')
    if (type !== 'typing' || (by !== 'visitor' && by !== 'agent')) return null
    return { node, change: { type, tenantId, ticketId, by } }
  } catch {
    return null
  }
}
