import type { Database } from '../db/index.ts'
import type { Clock } from '../lib/clock.ts'
import { readFields, readString } from '../lib/input/read.ts'

/** How long somebody counts as writing after the last sign of it, and as being there, in milliseconds. */
const WRITES = 8_000
const STAYS = 50_000
/** How often whoever is there says so. */
export const SAY_EVERY = 20_000

/** Whose presence is told: somebody who works for the tenant. */
export interface Participant {
  readonly userId: string
  readonly name: string
}

/** Somebody else at the same ticket. */
export interface Other extends Participant {
  readonly isWriting: boolean
}

type Sign = 'here' | 'writing' | 'gone'

/** What nodes tell each other. `place` is one page that is open. */
interface Said extends Participant {
  readonly node: string
  readonly place: string
  readonly ticket: string
  readonly sign: Sign
}

interface Seen extends Participant {
  readonly node: string
  /** By the monotonic clock. */
  hereUntil: number
  writesUntil: number
}

/**
 * Who is at which ticket right now, and who writes an answer there. Kept in memory and told to the other nodes: nothing of
 * it is stored, and whoever says nothing for a while is gone.
 */
export class Presence {
  readonly #node = crypto.randomUUID()
  /** By ticket, and by the page that is open. */
  readonly #seen = new Map<string, Map<string, Seen>>()
  readonly #listeners = new Map<string, Set<() => void>>()

  constructor(private readonly deps: { readonly clock: Clock; readonly database: Pick<Database, 'talk'> }) {
    deps.database.talk?.onTold((text) => this.#hear(text))
  }

  /**
   * Somebody opens a ticket: `listener` is called whenever who else is there may have changed. What is returned says that
   * they are still there, at least every `SAY_EVERY`, or have left.
   */
  enter(tenantId: string, ticketId: string, person: Participant, listener: () => void) {
    const ticket = keyOf(tenantId, ticketId)
    const place = crypto.randomUUID()
    const say = (sign: Sign) => this.#say({ ...personOf(person), node: this.#node, place, ticket, sign })
    const listeners = this.#listeners.get(ticket) ?? new Set()
    this.#listeners.set(ticket, listeners.add(listener))
    say('here')
    return {
      stay: () => say('here'),
      leave: () => {
        listeners.delete(listener)
        if (listeners.size === 0) this.#listeners.delete(ticket)
        say('gone')
      },
    }
  }

  /** Somebody writes an answer. */
  write(tenantId: string, ticketId: string, person: Participant): void {
    const ticket = keyOf(tenantId, ticketId)
    this.#say({ ...personOf(person), node: this.#node, place: person.userId, ticket, sign: 'writing' })
    // Nobody says that they have stopped.
    setTimeout(() => this.#tell(ticket), WRITES).unref()
  }

  /** Who is at the ticket besides a user, those who write first. */
  othersAt(tenantId: string, ticketId: string, userId: string): Other[] {
    const now = this.deps.clock.monotonic()
    const others = new Map<string, Other>()
    for (const seen of this.#seen.get(keyOf(tenantId, ticketId))?.values() ?? []) {
      const isWriting = seen.writesUntil > now
      if (seen.userId === userId || (!isWriting && seen.hereUntil <= now)) continue
      const known = others.get(seen.userId)
      others.set(seen.userId, { ...personOf(seen), isWriting: isWriting || known?.isWriting === true })
    }
    return [...others.values()].sort((one, other) => Number(other.isWriting) - Number(one.isWriting))
  }

  #say(said: Said): void {
    this.#note(said)
    this.deps.database.talk?.tell(JSON.stringify(said))
  }

  #hear(text: string): void {
    const said = readSaid(text)
    if (!said || said.node === this.#node) return
    const isNew = this.#note(said)
    if (!isNew || said.sign !== 'here') return
    // Who has come is told who is there.
    for (const [place, seen] of this.#seen.get(said.ticket) ?? []) {
      if (seen.node !== this.#node || seen.hereUntil <= this.deps.clock.monotonic()) continue
      const here: Said = { ...personOf(seen), node: this.#node, place, ticket: said.ticket, sign: 'here' }
      this.deps.database.talk?.tell(JSON.stringify(here))
    }
  }

  /** Whether it is of a page that was not known. */
  #note({ ticket, place, sign, node, ...person }: Said): boolean {
    const now = this.deps.clock.monotonic()
    const places = this.#seen.get(ticket) ?? new Map<string, Seen>()
    for (const [key, { hereUntil, writesUntil }] of places)
      if (Math.max(hereUntil, writesUntil) <= now) places.delete(key)
    const known = places.get(place)
    if (sign === 'gone') places.delete(place)
    else {
      const seen = known ?? { ...personOf(person), node, hereUntil: 0, writesUntil: 0 }
      if (sign === 'here') seen.hereUntil = now + STAYS
      else seen.writesUntil = now + WRITES
      places.set(place, seen)
    }
    if (places.size === 0) this.#seen.delete(ticket)
    else this.#seen.set(ticket, places)
    this.#tell(ticket)
    return known === undefined
  }

  #tell(ticket: string): void {
    for (const listener of this.#listeners.get(ticket) ?? []) listener()
  }
}

const keyOf = (tenantId: string, ticketId: string) => `${tenantId} ${ticketId}`
const personOf = ({ userId, name }: Participant): Participant => ({ userId, name })

/** What another node said, or null for what this version does not understand. */
function readSaid(text: string): Said | null {
  try {
    const fields = readFields(JSON.parse(text), ['userId', 'name', 'node', 'place', 'ticket', 'sign'], 'said')
    const [userId, name, node, place, ticket, sign] = Object.values(fields).map((value) =>
      readString(value, 1000, 'said'),
    ) as [string, string, string, string, string, string]
    return sign === 'here' || sign === 'writing' || sign === 'gone' ? { userId, name, node, place, ticket, sign } : null
  } catch {
    return null
  }
}
