import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../db/index.ts'
import { nodes } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { releaseClaims } from '../batches/batches.ts'
import { hasEnded } from './node-id.ts'

/** How often a node says that it lives, in milliseconds. */
const BEAT = 10_000
/** How long after its last beat a node counts as dead: another node takes over what it was sending within a minute (decisions §15). */
const DEAD_AFTER = 40_000

type HeartbeatDeps = Pick<Deps, 'database' | 'clock'>

/**
 * Tells other nodes that this one lives, and notices which do not any more. Nobody's clock is compared with another's:
 * each node measures by its own monotonic one for how long a beat has stood still.
 */
export class Heartbeat {
  /** By node: its last beat, and since when by our clock. */
  #seen = new Map<string, { beat: number; since: number }>()
  #next = 0

  constructor(
    private readonly deps: HeartbeatDeps,
    readonly node: string,
  ) {}

  /** Before the first look. Of data that is not shared, nobody else can be sending. */
  async begin(): Promise<void> {
    const { database, clock } = this.deps
    await database.transaction(async (tx) => {
      // One of this machine that was killed needs no waiting for: a restart goes on at once.
      for (const { id } of await tx.select().from(nodes)) {
        if (!database.isShared || hasEnded(id)) await tx.delete(nodes).where(eq(nodes.id, id))
      }
      await tx.insert(nodes).values({ id: this.node, beat: 0 }).onConflictDoNothing()
      await releaseClaims(tx, clock.now())
    })
  }

  /** When to beat next, or null where there is nobody to tell. For the scheduler. */
  nextDue(now: number): number | null {
    return this.deps.database.isShared ? now + Math.max(0, this.#next - this.deps.clock.monotonic()) : null
  }

  /** Beats, and takes from dead nodes what they were sending. */
  async beat(): Promise<void> {
    const { database, clock } = this.deps
    this.#next = clock.monotonic() + BEAT
    const living = await database.transaction((tx) => beat(tx, this.node))
    const now = clock.monotonic()
    const seen = living.map(({ id, beat: count }) => {
      const before = this.#seen.get(id)
      return [id, before?.beat === count ? before : { beat: count, since: now }] as const
    })
    this.#seen = new Map(seen)
    const dead = seen.filter(([id, { since }]) => id !== this.node && now - since >= DEAD_AFTER).map(([id]) => id)
    if (dead.length > 0) await database.transaction((tx) => bury(tx, dead, clock.now()))
  }

  /** This node sends nothing any more. */
  async leave(): Promise<void> {
    const { database, clock } = this.deps
    if (database.isShared) await database.transaction((tx) => bury(tx, [this.node], clock.now()))
  }
}

/** One that was taken for dead, because it stood still for long, is back with its next beat. */
async function beat(tx: Tx, node: string) {
  await tx
    .insert(nodes)
    .values({ id: node, beat: 0 })
    .onConflictDoUpdate({ target: nodes.id, set: { beat: sql`${nodes.beat} + 1` } })
  return tx.select().from(nodes)
}

async function bury(tx: Tx, dead: readonly string[], now: number): Promise<void> {
  for (const id of dead) await tx.delete(nodes).where(eq(nodes.id, id))
  await releaseClaims(tx, now)
}
