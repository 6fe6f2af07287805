import type { FetchMessageObject, ImapFlow, MailboxObject, SearchObject } from 'imapflow'
import type { Database } from '../../../db/index.ts'
import { AppError } from '../../../errors.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Turns } from '../../../lib/concurrency/turns.ts'
import { formatTime } from '../../../lib/time.ts'
import { MAX_MAIL } from '../receiving/reading.ts'
import { MailboxError } from './problems.ts'
import { note } from './progress.ts'
import type { MailboxKey, MailboxRow } from './sign-in.ts'

/** Where mails go that were fetched. */
export interface Letterbox {
  /** Resolves once the mail is committed, whatever became of it. Throws `unavailable` when nothing could be stored. */
  receive(inbox: MailboxKey, raw: Uint8Array, at: number): Promise<void>
  /** Keeps what is known of a mail that is left where it is: its header, and why. As `receive` otherwise. */
  refuse(inbox: MailboxKey, header: Uint8Array, reason: string, at: number): Promise<void>
}

export interface FetchDeps {
  readonly database: Database
  readonly clock: Clock
  readonly letterbox: Letterbox
  /** Mails that are in memory at once, of all mailboxes: few large ones, which small ones need not wait for. */
  readonly turns: { readonly small: Turns; readonly large: Turns }
}

/** A mail that was fetched could not be taken, though something could have been stored: a fault of ours. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken'
}

/** A mail that failed, and how often it has in a row: one that never works must not keep the others from coming. */
export interface Stumbling {
  uid: number
  count: number
}

/** What is asked of so many mails at once, before they are fetched one by one. */
const BATCH = 100
/** A mail over so many bytes is a large one. */
const LARGE = 2 ** 20
/** How long fetching and taking one mail may last, in milliseconds; then the next mail in the queue has its turn. */
const PATIENCE = 3 * 60_000
/** How often a mail is tried that cannot be fetched or taken. */
const TRIES = 4
/** How much of the header is kept of a mail that is not fetched, in bytes. */
const MAX_HEADER = 64 * 1024
const DAY = 24 * 60 * 60 * 1000
/** How much earlier than it arrived an old mail may say that it was written, in milliseconds. */
const LATE = 7 * DAY

const byUid = { uid: true }

/**
 * Takes the new mails of a mailbox, one at a time and the oldest first. Each is marked as seen once it is committed, and
 * only then counts as taken: after a crash in between it comes again, and is known by its Message-ID.
 */
export class Fetching {
  #mailbox: MailboxRow

  constructor(
    private readonly deps: FetchDeps,
    mailbox: MailboxRow,
    private readonly stumbling: Stumbling,
  ) {
    this.#mailbox = mailbox
  }

  /**
   * Call it for an INBOX that was opened. Where the server numbers mails anew, the old numbers mean nothing: then those
   * are new that arrived since the day before the last one we have taken, and what was taken is known by its Message-ID.
   */
  async agree({ uidValidity }: MailboxObject): Promise<void> {
    if (Number(uidValidity) === this.#mailbox.uidValidity) return
    const { lastMailAt, createdAt } = this.#mailbox
    const dayBefore = formatTime(Math.max(Date.parse(lastMailAt) - DAY, 0))
    // Nor does what lay there when it was connected become new.
    const oldestAt = lastMailAt >= createdAt && dayBefore < createdAt ? createdAt : dayBefore
    await this.#note({ uidValidity: Number(uidValidity), lastUid: 0, oldestAt })
  }

  /** Resolves when no new mail is left, or `signal` says stop. Throws MailboxError, `unavailable`, and what imapflow throws. */
  async takeNew(client: ImapFlow, signal: AbortSignal): Promise<void> {
    const [top = 0] = (await this.#search(client, { uid: '*' })).slice(-1)
    if (top > this.#mailbox.lastUid) {
      const uids = await this.#search(client, { uid: `${this.#mailbox.lastUid + 1}:${top}`, ...this.#age() })
      for (let i = 0; i < uids.length && !signal.aborted; i += BATCH) {
        await this.#takeBatch(client, uids.slice(i, i + BATCH), signal)
      }
    }
    if (signal.aborted) return
    if (this.#mailbox.oldestAt !== null || top > this.#mailbox.lastUid) {
      await this.#note({ oldestAt: null, lastUid: Math.max(top, this.#mailbox.lastUid) })
    }
  }

  /** The conditions on old mails. Servers compare days, of whatever time zone: a day more does not hurt. */
  #age(): SearchObject {
    const { oldestAt } = this.#mailbox
    if (oldestAt === null) return {}
    const at = Date.parse(oldestAt)
    return { since: new Date(Math.max(at - DAY, 0)), sentSince: new Date(Math.max(at - LATE, 0)) }
  }

  async #search(client: ImapFlow, query: SearchObject): Promise<number[]> {
    const found = await client.search(query, byUid)
    if (!found) throw new MailboxError(client.usable ? 'trouble' : 'lost')
    return found.sort((a, b) => a - b)
  }

  async #takeBatch(client: ImapFlow, uids: readonly number[], signal: AbortSignal): Promise<void> {
    const known = await client.fetchAll(uids.join(), { uid: true, size: true, internalDate: true }, byUid)
    for (const mail of known.sort((a, b) => a.uid - b.uid)) {
      if (signal.aborted) return
      const arrivedAt = arrivalOf(mail) ?? formatTime(this.deps.clock.now())
      const { oldestAt, lastMailAt } = this.#mailbox
      if (oldestAt !== null && arrivedAt < oldestAt) continue
      const isTaken = await this.#inTurn(client, mail)
      if (isTaken) await client.messageFlagsAdd(String(mail.uid), ['\\Seen'], byUid)
      await this.#note({ lastUid: mail.uid, ...(arrivedAt > lastMailAt ? { lastMailAt: arrivedAt } : {}) })
    }
  }

  async #inTurn(client: ImapFlow, mail: FetchMessageObject): Promise<boolean> {
    const { small, large } = this.deps.turns
    return ((mail.size ?? 0) > LARGE ? large : small).take(async () => {
      const timer = setTimeout(() => client.close(), PATIENCE)
      try {
        return await this.#take(client, mail)
      } catch (error) {
        // That nothing can be stored is no mail's fault.
        if (!isUnavailable(error)) this.#stumbled(mail.uid)
        throw error
      } finally {
        clearTimeout(timer)
      }
    })
  }

  #stumbled(uid: number): void {
    const { stumbling } = this
    stumbling.count = stumbling.uid === uid ? stumbling.count + 1 : 1
    stumbling.uid = uid
  }

  /** Whether the mail was committed. One that cannot be is left as it is, and agents are told of it. */
  async #take(client: ImapFlow, { uid, size = 0 }: FetchMessageObject): Promise<boolean> {
    const { letterbox, clock } = this.deps
    const { tenantId, inboxId } = this.#mailbox
    const inbox = { tenantId, inboxId }
    if (this.stumbling.uid === uid && this.stumbling.count >= TRIES) {
      const reason = `could not be fetched from the mailbox, where it still is (UID ${uid})`
      // Nothing of it is known but this: it makes one mail differ from another.
      await ours(letterbox.refuse(inbox, Buffer.from(`Comments: ${reason}\r\n\r\n`), reason, clock.now()))
      return false
    }
    if (size <= MAX_MAIL) {
      const source = { start: 0, maxLength: MAX_MAIL + 1 }
      const mail = (await client.fetchOne(String(uid), { source }, byUid)) || null
      // Expunged meanwhile.
      if (!mail?.source) return false
      if (mail.source.length <= MAX_MAIL) {
        await ours(letterbox.receive(inbox, mail.source, clock.now()))
        return true
      }
    }
    const mail = (await client.fetchOne(String(uid), { headers: true }, byUid)) || null
    const header = mail?.headers ?? new Uint8Array()
    const reason = `is larger than ${MAX_MAIL / 2 ** 20} MiB, and still in the mailbox (UID ${uid})`
    await ours(letterbox.refuse(inbox, header.subarray(0, MAX_HEADER), reason, clock.now()))
    return false
  }

  async #note(
    progress: Partial<Pick<MailboxRow, 'uidValidity' | 'lastUid' | 'oldestAt' | 'lastMailAt'>>,
  ): Promise<void> {
    await note(this.deps.database, this.#mailbox, progress)
    this.#mailbox = { ...this.#mailbox, ...progress }
  }
}

/** Tells what went wrong on our side from what a server did. */
async function ours(taking: Promise<void>): Promise<void> {
  try {
    await taking
  } catch (cause) {
    throw isUnavailable(cause) ? cause : new NotTaken('a mail could not be taken', { cause })
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable'
}

/** When the mail came into the mailbox. */
function arrivalOf({ internalDate }: FetchMessageObject): string | null {
  const ms = new Date(internalDate ?? Number.NaN).getTime()
  return Number.isNaN(ms) ? null : formatTime(ms)
}
