import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { named, prepared, type Reader } from '../db/index.ts'
import { chatUploads, uploads } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { roomLeft } from '../files/room.ts'
import type { Client } from '../lib/network/client-address.ts'
import { type Sender, senders } from './senders.ts'

/** decisions §6: the largest file, in bytes. */
export const MAX_FILE_SIZE = 10 * 1024 * 1024
/** How long a file waits for a response or message to use it, in milliseconds (decisions §6). What a begun one names stays with it. */
export const UNUSED_KEPT = 2 * 60 * 60 * 1000
/** decisions §6: what an address may have here that no completed response or message has claimed, in bytes. */
const QUOTA = 100 * 1024 * 1024
/** How many budgets of a /64 a /48 has (decisions §6). */
const SITE_BUDGETS = 10
/** Lines around the file in a multipart body, in bytes: what is declared beyond them is the file's. */
const ENVELOPE = 16 * 1024
/** Uploads under way, of one address and of all: each may have 2 MB in memory that the disk has not taken yet. */
const AT_ONCE = 20
const AT_ONCE_OF_ALL = 40
/** Seconds to wait for uploads under way to end, and for room on the disk. */
const SOON = 10
const LATER = 60

/** An upload that was let in. */
export interface Admission {
  readonly sender: Sender
  /** Counts what came in. Throws `too_soon` once the address has more than it may. */
  count(bytes: number): void
  /** To be called however it ends. */
  end(): void
}

interface Running {
  uploads: number
  bytes: number
}

type LimitDeps = Pick<Deps, 'config' | 'database' | 'files' | 'clock'>
type Admit = ReturnType<typeof makeLimits>

const limitsOf = new WeakMap<Deps['database'], Admit>()

/**
 * Lets uploads in, as decisions §6 limits them: by what their address has here unclaimed, by those under way and by the
 * room on the disk. One for a service, whatever they are sent to, which counts what is under way in it; what was stored
 * is counted in the database, and for good by `addUpload` and `addChatUpload`.
 */
export function uploadLimits(deps: LimitDeps): Admit {
  const known = limitsOf.get(deps.database) ?? makeLimits(deps)
  limitsOf.set(deps.database, known)
  return known
}

function makeLimits({ config, database, files, clock }: LimitDeps) {
  const senderOf = senders(database)
  const running = new Map<string, Running>()
  let underWay = 0
  /** Bytes that those under way have announced and not yet sent. */
  let expected = 0

  function runningOf(key: string): Running {
    const found = running.get(key) ?? { uploads: 0, bytes: 0 }
    running.set(key, found)
    return found
  }

  /**
   * Lets an upload of `declared` bytes in (its envelope included; null when it does not say). Throws `too_soon` for an
   * address that has, or would have, too much here, `unavailable` when the disk would be too full.
   */
  return async function admit({ network, site }: Client, declared: number | null): Promise<Admission> {
    const sender = await senderOf({ network, site })
    const stored = await storedBy(database.db, sender)
    const room = await roomLeft({ config, files })

    let left = Math.min(declared ?? MAX_FILE_SIZE, MAX_FILE_SIZE)
    if (room < expected + left) {
      throw new AppError('unavailable', 'the disk has no room for files at the moment', { retryAfter: LATER })
    }
    if (underWay >= AT_ONCE_OF_ALL) {
      throw new AppError('unavailable', 'too many files are being sent at the moment', { retryAfter: SOON })
    }
    const scopes = stored.map((known, index) => ({ ...known, key: index === 0 ? network : (site ?? '') }))
    for (const { key, bytes, budget, oldest } of scopes) {
      const own = running.get(key) ?? { uploads: 0, bytes: 0 }
      if (own.uploads >= AT_ONCE * (budget / QUOTA)) throw tooMany(SOON)
      if (bytes + own.bytes + Math.max(0, (declared ?? 0) - ENVELOPE) > budget)
        throw tooMany(waitFor(oldest, clock.now()))
    }

    const counted = scopes.map((scope) => ({ ...scope, running: runningOf(scope.key) }))
    for (const { running } of counted) running.uploads++
    underWay++
    expected += left
    let received = 0
    return {
      sender,
      count(bytes) {
        received += bytes
        expected -= Math.min(left, bytes)
        left -= Math.min(left, bytes)
        for (const { running } of counted) running.bytes += bytes
        const over = counted.find(({ running, bytes, budget }) => bytes + running.bytes > budget)
        if (over) throw tooMany(waitFor(over.oldest, clock.now()))
      },
      end() {
        underWay--
        expected -= left
        for (const { key, running: own } of counted) {
          own.uploads--
          own.bytes -= received
          if (own.uploads === 0) running.delete(key)
        }
      },
    }
  }
}

/** Throws `too_soon` when a file of `size` bytes brings its sender over what is let in. For the transaction that keeps it. */
export async function checkQuota(tx: Reader, sender: Sender, size: number, now: number): Promise<void> {
  for (const { bytes, budget, oldest } of await storedBy(tx, sender)) {
    if (bytes + size > budget) throw tooMany(waitFor(oldest, now))
  }
}

const totalOf = (table: typeof uploads | typeof chatUploads) =>
  named({
    // PostgreSQL's sum is a numeric, which its driver hands over as text.
    bytes: sql<number>`cast(coalesce(sum(${table.size}), 0) AS bigint)`,
    oldest: sql<string | null>`min(${table.createdAt})`,
  })

const totalsOf = (table: typeof uploads | typeof chatUploads) => ({
  ofSender: prepared((db) =>
    db
      .select(totalOf(table))
      .from(table)
      .where(eq(table.senderHash, sql.placeholder('hash')))
      .prepare(),
  ),
  ofSite: prepared((db) =>
    db
      .select(totalOf(table))
      .from(table)
      .where(and(gt(table.senderHash, sql.placeholder('from')), lt(table.senderHash, sql.placeholder('to'))))
      .prepare(),
  ),
})

/** What forms were sent, and what chats were. */
const totals = [totalsOf(uploads), totalsOf(chatUploads)]

interface Stored {
  bytes: number
  /** When the first of them was sent. */
  oldest: string | null
  /** What there may be. */
  budget: number
}

/** What is here of the sender's, and for IPv6 then of the site's, that neither a completed response nor a message has claimed. */
async function storedBy(db: Reader, { hash, siteHash }: Sender): Promise<Stored[]> {
  const own = []
  for (const { ofSender } of totals) own.push(...(await ofSender(db).execute({ hash })))
  const stored = [{ ...inAll(own), budget: QUOTA }]
  if (siteHash === null) return stored
  const around = []
  for (const { ofSite } of totals)
    around.push(...(await ofSite(db).execute({ from: `${siteHash}.`, to: `${siteHash}/` })))
  return [...stored, { ...inAll(around), budget: QUOTA * SITE_BUDGETS }]
}

function inAll(parts: readonly { bytes: number; oldest: string | null }[]) {
  const times = parts.flatMap(({ oldest }) => oldest ?? []).sort()
  return { bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), oldest: times[0] ?? null }
}

/** Seconds until the first file goes, unless an answer that was begun has it. */
function waitFor(oldest: string | null, now: number): number {
  const left = oldest === null ? 0 : Date.parse(oldest) + UNUSED_KEPT - now
  return Math.max(LATER, Math.ceil(left / 1000))
}

function tooMany(retryAfter: number): AppError {
  return new AppError('too_soon', 'this address has sent too many files that nothing has made use of', { retryAfter })
}
