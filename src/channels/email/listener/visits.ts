import type { Client } from '../../../lib/network/client-address.ts'
import type { Inbox } from './intake.ts'
import type { MailLimits } from './limits.ts'

/** How many times what one /64 may have a /48 may: it holds 65,536 of them, and can be one customer's. */
const SITE_SHARES = 10

/** The end of a connection that the listener holds in its hands. */
export interface Line {
  readonly id: string
  /** Answers with 421 and hangs up. */
  hangUp(reason: string): void
}

/** A connection, and what it has done so far. */
export interface Visit {
  readonly line: Line
  readonly client: Client
  /** One of FRONTDESK_TRUSTED_PROXIES: a mail relay of ours, which speaks for many. */
  readonly isTrusted: boolean
  /** Whether a mail of it is coming in or being stored: it is not cut off then. */
  isTaking: boolean
  /** Whether its time is over: it is cut off once nothing is being taken. */
  isOver: boolean
  mails: number
  /** Since the last mail was taken. */
  commands: number
  unknownRecipients: number
  /** Of the mail that is being addressed: how many were asked for, and the inboxes found with the recipients in each. */
  asked: number
  inboxes: Map<string, { readonly inbox: Inbox; readonly recipients: string[] }>
  /** Whether it is for whom our own mails are from, too. */
  isForSystem: boolean
}

/** All connections: bounded in number, each address and each in time. */
export class Visits {
  /** By the connection's id, in the order they began. */
  readonly #visits = new Map<string, { readonly visit: Visit; readonly timer: Timer }>()
  readonly #counts = new Map<string, number>()

  constructor(private readonly limits: MailLimits) {}

  /**
   * Whether one more may come from this address; looks at nothing else. Where all places are taken, the one that has
   * been there longest without sending a mail has to go, so that who sends at once gets through.
   */
  hasRoom(client: Client, isTrusted: boolean): boolean {
    if (!isTrusted && this.#keysOf(client).some(([key, most]) => (this.#counts.get(key) ?? 0) >= most)) return false
    if (this.#visits.size < this.limits.connections) return true
    for (const { visit } of this.#visits.values()) {
      if (visit.isTaking) continue
      this.dismiss(visit, 'too many connections: try again later')
      return true
    }
    return false
  }

  /** Counts a connection, until it ends. */
  begin(line: Line, client: Client, isTrusted: boolean): void {
    const visit: Visit = {
      line,
      client,
      isTrusted,
      isTaking: false,
      isOver: false,
      mails: 0,
      commands: 0,
      unknownRecipients: 0,
      asked: 0,
      inboxes: new Map(),
      isForSystem: false,
    }
    const timer = setTimeout(() => this.#timeIsUp(visit), this.limits.session)
    this.#visits.set(line.id, { visit, timer })
    for (const [key] of this.#keysOf(client)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** The connection is gone, or as good as gone. */
  end(id: string): void {
    const found = this.#visits.get(id)
    if (!found) return
    clearTimeout(found.timer)
    this.#visits.delete(id)
    for (const [key] of this.#keysOf(found.visit.client)) {
      const left = (this.#counts.get(key) ?? 0) - 1
      if (left > 0) this.#counts.set(key, left)
      else this.#counts.delete(key)
    }
  }

  get(id: string): Visit | undefined {
    return this.#visits.get(id)?.visit
  }

  /** Cuts a connection off. */
  dismiss(visit: Visit, reason = 'that was enough: connect again'): void {
    this.end(visit.line.id)
    visit.line.hangUp(reason)
  }

  /** Tells all who send no mail at the moment that it is over; the others once theirs is stored. */
  endAll(): void {
    for (const { visit } of [...this.#visits.values()]) this.#timeIsUp(visit)
  }

  get size(): number {
    return this.#visits.size
  }

  #timeIsUp(visit: Visit): void {
    visit.isOver = true
    if (!visit.isTaking) this.dismiss(visit)
  }

  #keysOf({ network, site }: Client): [string, number][] {
    const most = this.limits.connectionsPerNetwork
    return site === null
      ? [[network, most]]
      : [
          [network, most],
          [site, most * SITE_SHARES],
        ]
  }
}
