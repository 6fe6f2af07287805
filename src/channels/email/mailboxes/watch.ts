import { and, eq, isNull } from 'drizzle-orm'
import { remembered } from '../../../db/index.ts'
import { inboxes, mailboxes } from '../../../db/schema.ts'
import { AppError } from '../../../errors.ts'
import type { MailboxProblem } from '../../../kinds/mailboxes.ts'
import { Turns } from '../../../lib/concurrency/turns.ts'
import { within } from '../../../lib/concurrency/within.ts'
import { duringAll } from '../../../lib/loop/activity.ts'
import { formatTime } from '../../../lib/time.ts'
import type { Job } from '../../../work/scheduler.ts'
import { explainFault } from './faults.ts'
import { type Letterbox, NotTaken, type Stumbling } from './fetching.ts'
import type { MailboxError } from './problems.ts'
import { note } from './progress.ts'
import { followMailbox, type SessionDeps } from './session.ts'
import { findMailbox, type MailboxKey, type MailboxRow } from './sign-in.ts'

/** Mails of all mailboxes that are in memory at once. */
const MOST = { small: 16, large: 2 }
/** How often a mailbox is looked into where its server does not tell, in milliseconds (decisions §13). */
const POLL = 60_000
/** What the waits between attempts begin with, and how long they get at most, in milliseconds. */
const WAITS = { first: 2_000, longest: 5 * 60_000 }
/** The same where nobody but an administrator can help: who knocks often with a wrong password is shut out. */
const PATIENT_WAITS = { first: 60_000, longest: 60 * 60_000 }
const PATIENT: readonly MailboxProblem[] = ['sign_in', 'not_renewed', 'no_client', 'no_inbox', 'sealed']
/** A connection that lasted so long was a good one, in milliseconds: what comes after it begins anew. */
const STEADY = 60_000
/** When to ask again for a mailbox that another node has, and after nothing could be stored; in milliseconds. */
const AGAIN = 10_000
/** How soon it is noticed that a connection has ended, in milliseconds, should nothing be written meanwhile. */
const NOTICED = 1_000

const MAILBOX = { name: 'the connection to a mailbox' }

export type WatchDeps = Omit<SessionDeps, 'turns' | 'letterbox'>

/** What tests set. */
export interface WatchOptions {
  pollMs?: number
  /** From 0 to 1, as Math.random. */
  random?: () => number
}

interface Watched extends MailboxKey {
  revision: string
  /** By the monotonic clock. */
  dueAt: number
  /** Attempts in a row that failed. */
  failures: number
  session: { readonly stop: AbortController; readonly ended: Promise<void> } | null
  readonly stumbling: Stumbling
}

const keyOf = ({ tenantId, inboxId }: MailboxKey) => `${tenantId} ${inboxId}`

/** An archived inbox takes nothing in; its answers still go out by its mailbox. */
const connected = remembered([mailboxes, inboxes], (db) => {
  const { tenantId, inboxId, revision } = mailboxes
  return db
    .select({ tenantId, inboxId, revision })
    .from(mailboxes)
    .leftJoin(inboxes, and(eq(inboxes.tenantId, tenantId), eq(inboxes.id, inboxId)))
    .where(isNull(inboxes.archivedAt))
})

/**
 * Keeps every connected mailbox open, here or on one other node, and takes what comes in. As a job of each node: the
 * scheduler asks when something is to be done, which is when a mailbox was connected, let go of, or is to be tried again.
 */
export class MailboxWatch implements Job {
  readonly name = 'keep mailboxes open'
  readonly isOfEachNode = true
  readonly #watched = new Map<string, Watched>()
  readonly #deps: SessionDeps
  readonly #random: () => number
  readonly #pollMs: number
  #stopping = false

  constructor(deps: WatchDeps, letterbox: Letterbox, { pollMs = POLL, random = Math.random }: WatchOptions = {}) {
    this.#deps = { ...deps, letterbox, turns: { small: new Turns(MOST.small), large: new Turns(MOST.large) } }
    this.#random = random
    this.#pollMs = pollMs
  }

  async nextDue(now: number): Promise<number | null> {
    if (this.#stopping) return null
    const rows = await connected(this.#deps.database.db, '')
    const known = new Map(rows.map((row) => [keyOf(row), row.revision]))
    const isLeft = ([key, { revision, session }]: [string, Watched]) =>
      known.get(key) !== revision && !session?.stop.signal.aborted
    if (rows.some((row) => !this.#watched.has(keyOf(row))) || [...this.#watched].some(isLeft)) return now
    const waits = [...this.#watched.values()].map(({ session, dueAt }) =>
      session ? NOTICED : Math.max(dueAt - this.#deps.clock.monotonic(), 0),
    )
    return waits.length === 0 ? null : now + Math.min(...waits)
  }

  async run(): Promise<boolean> {
    const rows = await connected(this.#deps.database.db, '')
    const known = new Map(rows.map((row) => [keyOf(row), row]))
    for (const [key, watched] of this.#watched) {
      if (known.get(key)?.revision === watched.revision) continue
      // What replaces it begins once it has ended.
      if (watched.session) watched.session.stop.abort()
      else this.#watched.delete(key)
    }
    for (const [key, row] of known) {
      const isNew = !this.#watched.has(key)
      if (isNew)
        this.#watched.set(key, { ...row, dueAt: 0, failures: 0, session: null, stumbling: { uid: 0, count: 0 } })
    }
    for (const watched of this.#watched.values()) {
      if (!watched.session && watched.dueAt <= this.#deps.clock.monotonic()) this.#begin(watched)
    }
    return false
  }

  /** Closes all connections, after the mail that is being taken on each; resolves when that is done, or after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    const sessions = [...this.#watched.values()].flatMap(({ session }) => session ?? [])
    for (const { stop } of sessions) stop.abort()
    await within(graceMs, Promise.all(sessions.map(({ ended }) => ended)))
  }

  #begin(watched: Watched): void {
    const stop = new AbortController()
    const ended = duringAll(MAILBOX, () => this.#hold(watched, stop.signal)).finally(() => {
      watched.session = null
    })
    watched.session = { stop, ended }
  }

  /** One process at a time reads a mailbox, for as long as its connection lasts. */
  async #hold(watched: Watched, signal: AbortSignal): Promise<void> {
    const { database, log } = this.#deps
    try {
      const held = await database.exclusively(`mailbox ${keyOf(watched)}`, () => this.#follow(watched, signal))
      if (!held) this.#wait(watched, AGAIN)
    } catch (error) {
      this.#wait(watched, AGAIN)
      log.error('a mailbox could not be looked after', { inboxId: watched.inboxId, error })
    }
  }

  async #follow(watched: Watched, signal: AbortSignal): Promise<void> {
    const { database, clock, log } = this.#deps
    const mailbox = await findMailbox(database.db, watched)
    if (mailbox?.revision !== watched.revision) return
    const said = { state: mailbox.state, problem: mailbox.problem, detail: mailbox.detail }
    let since = Number.POSITIVE_INFINITY
    const say = async (state: MailboxRow['state'], fault: MailboxError | null) => {
      const next = { state, problem: fault?.problem ?? null, detail: fault?.detail ?? null }
      if (Bun.deepEquals(said, next)) return
      Object.assign(said, next)
      await note(database, mailbox, { ...next, since: formatTime(clock.now()) })
      if (fault)
        log.warn('a mailbox cannot be reached', { inboxId: mailbox.inboxId, why: fault.message, said: fault.detail })
      else if (state === 'connected') log.info('a mailbox is connected', { inboxId: mailbox.inboxId })
    }
    try {
      await followMailbox(this.#deps, mailbox, {
        signal,
        pollMs: this.#pollMs,
        stumbling: watched.stumbling,
        connected: () => {
          since = clock.monotonic()
          return say('connected', null)
        },
      })
      if (said.state === 'connected') await say('connecting', null)
    } catch (error) {
      if (signal.aborted) return
      if (clock.monotonic() - since >= STEADY) watched.failures = 0
      watched.failures += 1
      if (error instanceof AppError || error instanceof NotTaken) {
        this.#wait(watched, AGAIN)
        throw error
      }
      const fault = explainFault(error)
      this.#wait(watched, this.#pause(fault.problem, watched.failures))
      // A connection that breaks off once is nothing to speak of.
      if (fault.problem !== 'lost' || watched.failures > 1) await say('failing', fault)
    }
  }

  /** Grows with each failure, and differs from mailbox to mailbox: not all of them come back at the same moment. */
  #pause(problem: MailboxProblem, failures: number): number {
    const { first, longest } = PATIENT.includes(problem) ? PATIENT_WAITS : WAITS
    return Math.min(first * 2 ** (failures - 1), longest) * (0.5 + this.#random() / 2)
  }

  #wait(watched: Watched, ms: number): void {
    watched.dueAt = this.#deps.clock.monotonic() + ms
  }
}
