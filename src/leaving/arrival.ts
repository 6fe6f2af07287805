import { hashOf } from '../lib/hash.ts'
import { formatTime } from '../lib/time.ts'
import { INTERRUPTED } from '../tickets/replies/interrupted-replies.ts'
import { NO_PASSWORD } from '../users/passwords/passwords.ts'
import type { Told } from './record.ts'
import type { Row } from './tables.ts'

/** What a reply says of itself that was still to be sent when its tenant was exported. */
const NOT_SENT = 'it was still to be sent when the company moved here from another installation'

/** What people have to do themselves after an import, since no export holds it. */
export interface LeftToDo {
  /** People, all of whom choose a password by a link that is mailed to them. */
  readonly people: number
  /** Those of their addresses that sign in to another tenant here, and to this one not before that account is gone. */
  readonly elsewhere: readonly string[]
  /** Subscriptions that are switched off, since their secret is not here. */
  readonly webhooks: readonly { readonly id: string; readonly name: string }[]
  /** Sources whose sites sign who a visitor is, with a secret that is not here. */
  readonly sources: readonly string[]
  /** Inboxes whose mailbox has to be connected anew. */
  readonly mailboxes: readonly string[]
  /** Visitors who chatted: whoever of them comes again is new. */
  readonly visitors: number
  /** Unfinished responses, which nobody can go on with. */
  readonly partials: number
  /** Replies that were still to be sent: they say that they were not. */
  readonly replies: number
}

/** Turns records into what is stored of them here, where secrets and numbers of the installation they come from mean nothing. */
export class Arrival {
  readonly #now: string
  /** The highest number of an event that rules were asked about. */
  #lastEvent = 0
  #people = 0
  #visitors = 0
  #partials = 0
  #replies = 0
  readonly #alerts = new Map<number, number>()
  readonly #webhooks: { id: string; name: string }[] = []
  readonly #sources: string[] = []
  readonly #mailboxes: string[] = []

  constructor(now: number) {
    this.#now = formatTime(now)
  }

  /** Takes note of a record, before any is stored. */
  note(kind: string, { row, told }: Told): void {
    if (isOfEvent(kind)) this.#lastEvent = Math.max(this.#lastEvent, Number(row.number))
    else if (kind === 'users') this.#people += 1
    else if (kind === 'visitors') this.#visitors += 1
    else if (kind === 'responses' && row.status === 'partial') this.#partials += 1
    else if (kind === 'messages' && isWaiting(row)) this.#replies += 1
    else if (kind === 'mailboxes') this.#mailboxes.push(String(row.inboxId))
    else if (kind === 'chat_settings' && told.hasSecret !== false) this.#sources.push(String(row.sourceId))
    else if (kind === 'webhooks' && losesSecret({ row, told }) && row.deletedAt === null)
      this.#webhooks.push({ id: String(row.id), name: String(row.name) })
  }

  /** Notes which number an alert has here. */
  renumbered(before: number, number: number): void {
    this.#alerts.set(before, number)
  }

  /** The number here of the alert that had another one. */
  numberOf(before: number): number | undefined {
    return this.#alerts.get(before)
  }

  leftToDo(elsewhere: readonly string[]): LeftToDo {
    return {
      people: this.#people,
      elsewhere,
      webhooks: this.#webhooks,
      sources: this.#sources,
      mailboxes: this.#mailboxes,
      visitors: this.#visitors,
      partials: this.#partials,
      replies: this.#replies,
    }
  }

  /** What is stored of a record. */
  stored(kind: string, told: Told): Row {
    const { row } = told
    // Events here have numbers of their own, all above zero: what rules did before comes before them.
    if (isOfEvent(kind)) return { ...row, number: Number(row.number) - this.#lastEvent }
    switch (kind) {
      case 'alerts':
      case 'articles':
      case 'audit_entries':
        return withoutNumber(row)
      case 'alert_mails':
        return { ...row, isLeased: false }
      case 'mailboxes':
        // Nobody has sealed this, so nobody opens it: that is what its page says.
        return { ...row, sealedSecret: '', accessUntil: null, ...this.#failing() }
      case 'messages':
        if (!isWaiting(row)) return row
        return { ...row, state: 'failed', error: row.state === 'sending' ? INTERRUPTED : NOT_SENT }
      case 'users':
        return { ...row, passwordHash: NO_PASSWORD, providerIssuer: null }
      case 'visitors':
        return { ...row, tokenHash: hashOf(crypto.randomUUID()) }
      case 'webhooks':
        return losesSecret(told) ? { ...row, active: false } : row
      default:
        return row
    }
  }

  #failing() {
    return { state: 'failing', problem: 'sealed', detail: null, since: this.#now }
  }
}

const isOfEvent = (kind: string) => kind === 'rule_runs' || kind === 'rule_misses'

const isWaiting = ({ state }: Row) => state === 'pending' || state === 'sending'

/** The first exports did not say whether there was one. */
const losesSecret = ({ told }: Told) => told.hasSecret !== false

function withoutNumber({ number: _, ...row }: Row): Row {
  // Of an alert: the mail it was told of in is named by such a number, too.
  return 'mailNumber' in row ? { ...row, mailNumber: null } : row
}
