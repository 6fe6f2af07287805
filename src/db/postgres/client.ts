import postgres from 'postgres'
import { explainUnreachable, isConnectionLost } from './faults.ts'
import { noteSilence, silentLast, wasSilentSince } from './hosts.ts'
import { decodeText, encodeText } from './text.ts'
import { hasSeveralHosts, hostsOf } from './url.ts'

export type Client = postgres.Sql<{ bigint: number; boolean: boolean }>

interface ClientOptions {
  /** Connections at most. */
  max: number
  /** What a transaction that does not say otherwise may do. */
  access: 'read only' | 'read write'
  /** Which of several hosts it has to be; the primary unless it says so. */
  role?: 'primary' | 'standby'
  /** For how many milliseconds a statement may wait for a lock of others, and how long it may take. Left out, for ever. */
  patience?: { lock: number; statement?: number }
  onClose?: () => void
  onNotify?: (channel: string, payload: string) => void
}

/** How long connecting may take, in seconds. */
export const CONNECT_TIMEOUT = 5
/** How soon a connection that could not be made is tried again, in seconds. */
const RECONNECT = 0.1

/**
 * Connections to a server, made when first used and again after they were lost. Integers, and sums of them, are numbers:
 * none of ours exceeds 2^53. Truth values go in as SQLite's 1 and 0 too, since both engines share their tables.
 */
export function connect(url: string, options: ClientOptions): Client {
  const { max, access, role = 'primary', patience, onClose, onNotify } = options
  const given = {
    max,
    fetch_types: false,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: CONNECT_TIMEOUT,
    backoff: () => RECONNECT,
    onnotice: () => {},
    onclose: onClose,
    // Of one host nothing is asked: it says itself what it refuses.
    ...(hasSeveralHosts(url) && { target_session_attrs: role }),
    onnotify: onNotify,
    types: {
      // 1700 is numeric, as which the engine sums integers.
      bigint: { to: 20, from: [20, 1700], serialize: String, parse: Number },
      boolean: {
        to: 16,
        from: [16],
        serialize: (value: unknown) => (value === true || value === 1 ? 't' : 'f'),
        parse: (text: string) => text === 't',
      },
      text: { to: 25, from: [25], serialize: (value: unknown) => encodeText(String(value)), parse: decodeText },
    },
    connection: {
      application_name: 'frontdesk',
      // A statement that strayed out of its transaction must not write.
      default_transaction_read_only: access === 'read only' ? 'on' : 'off',
      // Reading a table whole, which is quick while it is small, makes every writer a conflict.
      enable_seqscan: 'off',
      jit: 'off',
      // In milliseconds. A node that stands still must not hold up the others.
      idle_in_transaction_session_timeout: 10_000,
      lock_timeout: patience?.lock ?? 0,
      statement_timeout: patience?.statement ?? 0,
      // Else a page is planned anew each time: with the limit known its plan looks cheaper, and is the same.
      plan_cache_mode: 'force_generic_plan',
    },
  }
  return postgres(
    silentLast(url),
    given as unknown as postgres.Options<Record<string, postgres.PostgresType>>,
  ) as unknown as Client
}

/**
 * As `connect`, once a server has answered where several are named: where one says nothing, the next is asked. Throws as
 * `explainUnreachable`.
 */
export async function reach(url: string, options: ClientOptions): Promise<Client> {
  for (let others = hostsOf(url).length - 1; ; others--) {
    const client = connect(url, options)
    if (others === 0) return client
    try {
      await client.unsafe('SELECT 1')
      return client
    } catch (error) {
      await client.end({ timeout: 0 })
      if (!noteSilence(error)) throw explainUnreachable(error)
    }
  }
}

/** How long what is under way on a client that was let go may take to end, in seconds. */
const LET_GO = 1
/** For how many milliseconds a statement may run, on connections that serve: none of ours takes nearly so long. */
export const LONGEST_STATEMENT = 35_000
/**
 * How long a server may leave a statement unanswered, in milliseconds: longer than one takes that runs into its own
 * limit. Then it stands still, or the network lost us. Soon enough for a 503 on an HTTP connection, which may be quiet
 * for 60 seconds.
 */
const SILENCE = 40_000
/** As much, where one of several hosts has left a connection without an answer since: it may be the one that was asked. */
const DOUBTED = 10_000
/** How often that is looked at, in milliseconds. */
const LOOK_EVERY = 1_000

interface Asked {
  readonly client: Client
  readonly since: number
}

/**
 * A client that is made anew once one of its connections broke. The driver never answers what is sent on a connection
 * between its error and its close; a client that was let go ends with an error for whatever it still had.
 */
export class Link {
  #client: Client
  /** Statements without an answer so far. */
  readonly #asked = new Set<Asked>()
  #watch: Timer | undefined
  #connectedAt = performance.now()
  #isClosed = false

  constructor(
    private readonly url: string,
    private readonly options: ClientOptions,
  ) {
    this.#client = this.#connect()
  }

  get client(): Client {
    return this.#client
  }

  /** Replaces the client, unless that has happened or the link is closed. */
  renew(broken: Client): void {
    if (this.#isClosed || this.#client !== broken) return
    this.#client = this.#connect()
    broken.end({ timeout: LET_GO }).catch(() => {})
  }

  /**
   * Asks, and once more where a connection was lost: it may have been an old one. Only for what may be done twice. A
   * second loss lets the client go too, or what waits for its connections would wait until each had failed in turn.
   */
  async ask<T>(query: (client: Client) => PromiseLike<T>): Promise<T> {
    const once = async (client: Client) => {
      try {
        return await this.answer(client, query(client))
      } catch (error) {
        if (isConnectionLost(error)) this.renew(client)
        throw error
      }
    }
    return once(this.#client).catch((error) => {
      if (!isConnectionLost(error)) throw error
      return once(this.#client)
    })
  }

  /** Waits for the answer to what was sent on `client`. Where none comes the client is let go, so that it is an error. */
  async answer<T>(client: Client, query: PromiseLike<T>): Promise<T> {
    const asked = { client, since: performance.now() }
    this.#asked.add(asked)
    if (!this.#isClosed) this.#watch ??= setInterval(() => this.#look(), LOOK_EVERY)
    try {
      return await query
    } catch (error) {
      // The next client begins with another host.
      noteSilence(error)
      throw error
    } finally {
      this.#asked.delete(asked)
    }
  }

  /** Waits for what is under way; after so many seconds it ends with an error, and so does what is sent later. */
  async close(timeout = 5): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#watch)
    await this.#client.end({ timeout })
  }

  /** Of a client that was let go nobody needs to hear: it takes no more statements. */
  #connect(): Client {
    const onClose = () => {
      if (this.#client === client) this.options.onClose?.()
    }
    const client = connect(this.url, { ...this.options, onClose })
    this.#connectedAt = performance.now()
    return client
  }

  #look(): void {
    const isDoubted = hasSeveralHosts(this.url) && wasSilentSince(this.#connectedAt)
    const limit = performance.now() - (isDoubted ? DOUBTED : SILENCE)
    for (const { client, since } of this.#asked) if (since < limit) this.renew(client)
  }
}
