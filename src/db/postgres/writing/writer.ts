import type { Tx } from '../../dialect.ts'
import { announcedTables } from '../../remembered.ts'
import { ANY_TABLE, writtenTable } from '../../statements.ts'
import { type DatabaseWatch, SLOW, unwatched } from '../../watch.ts'
import { type Client, Link, LONGEST_STATEMENT } from '../client.ts'
import { connectionLost, isAfterFailure, isConnectionLost } from '../faults.ts'
import { drizzleOver } from '../handle.ts'
import type { Run } from '../lean.ts'
import { CHANNEL } from './commits.ts'

/**
 * How a transaction begins: which lock it takes before it looks at anything. A table that nobody writes stands for the whole
 * database: most transactions share it, and one that is alone waits for all others, of all nodes, and they for it. It needs
 * no more than its snapshot then, and asking for more would harm: while an old transaction is open in whatever database of
 * the server, PostgreSQL sees conflicts with some that ended long ago, each time anew. A long one takes no lock, or whoever
 * wants to be alone would wait for its end, and everybody else behind them.
 */
const BEGIN = {
  shared: 'BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE; LOCK TABLE migrations IN ROW SHARE MODE',
  alone: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE; LOCK TABLE migrations IN EXCLUSIVE MODE',
  long: 'BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE',
}
export type Kind = keyof typeof BEGIN

/** In milliseconds. No transaction of ours holds a lock for so long: it is another program's, or its process hangs. */
const PATIENCE = { lock: 30_000, statement: LONGEST_STATEMENT }

/** One transaction, from BEGIN to its end. */
interface Attempt {
  client: Client
  /** Which of the client's connections it began on: another has no such transaction. */
  connection: number
  /** Tells it from the others of its writer; null where it sees what others commit meanwhile. */
  snapshot: number | null
  written: Set<string>
  /** Statements whose outcome nobody may have waited for. */
  sent: Promise<unknown>[]
  /** The first error the engine raised: whatever work made of it, the transaction is over. */
  failure: { error: unknown } | null
}

/** A connection that writes, one transaction at a time. */
export class Writer {
  readonly #link: Link
  readonly #tx: Tx
  readonly #tableOf = new Map<string, string | null>()
  #connection = 0
  #snapshots = 0
  #attempt: Attempt | null = null

  constructor(
    url: string,
    private readonly watch: DatabaseWatch = unwatched,
  ) {
    const onClose = () => void this.#connection++
    this.#link = new Link(url, { max: 1, access: 'read only', patience: PATIENCE, onClose })
    const tx = drizzleOver((text, params, rows) => this.#run(text, params, rows))
    this.#tx = Object.assign(tx, { version: (tables: readonly string[]) => this.#version(tables) })
  }

  /**
   * Runs `work` in one transaction. Returns its value and the tables written. `committing` is called when the outcome
   * is no longer ours to decide. One that is `alone` meets no other, of any node, so that none can conflict with it.
   */
  async run<T>(
    work: (tx: Tx) => Promise<T>,
    kind: Kind,
    committing: () => void,
  ): Promise<{ value: T; written: Set<string> }> {
    const { client } = this.#link
    const attempt: Attempt = {
      client,
      connection: this.#connection,
      snapshot: kind === 'long' ? null : ++this.#snapshots,
      written: new Set(),
      sent: [],
      failure: null,
    }
    this.#attempt = attempt
    try {
      const begun = this.#send(client, BEGIN[kind])
      // Work goes on meanwhile: statements of one connection are run in order.
      begun.catch((error) => this.#fail(attempt, error))
      const value = await work(this.#tx)
      await begun
      throwFailure(attempt)
      // The driver connects again by itself, and a COMMIT of nothing succeeds.
      this.#requireConnection(attempt)
      this.#notify(attempt)
      committing()
      const began = performance.now()
      const { command } = await this.#send(client, 'COMMIT')
      this.#took('COMMIT', began)
      this.watch.committed((performance.now() - began) / 1000)
      await Promise.allSettled(attempt.sent)
      throwFailure(attempt)
      if (command !== 'COMMIT') throw new Error('the transaction was rolled back, and no statement says why')
      return { value, written: attempt.written }
    } catch (error) {
      if (isConnectionLost(firstOf(attempt, error))) this.#link.renew(client)
      else await this.#send(client, 'ROLLBACK').catch(() => this.#link.renew(client))
      await Promise.allSettled(attempt.sent)
      throw firstOf(attempt, error)
    } finally {
      this.#attempt = null
    }
  }

  /** As `Link.close`. */
  close(timeout?: number): Promise<void> {
    return this.#link.close(timeout)
  }

  /** Sends a statement at once, behind those that were sent before. */
  #send(client: Client, text: string): Promise<{ command: string }> {
    const query = client.unsafe(text).execute() as unknown as Promise<{ command: string }>
    return this.#link.answer(client, query)
  }

  async #run(...statement: Parameters<Run>): Promise<unknown[]> {
    const attempt = this.#attempt
    if (!attempt) throw new Error('a transaction was used after its end')
    const outcome = this.#execute(attempt, ...statement)
    attempt.sent.push(outcome)
    return outcome
  }

  async #execute(attempt: Attempt, ...[text, params, rows]: Parameters<Run>): Promise<unknown[]> {
    throwFailure(attempt)
    const table = this.#written(text)
    if (table !== null) attempt.written.add(table)
    const began = performance.now()
    try {
      this.#requireConnection(attempt)
      const query = attempt.client.unsafe(
        text,
        params as never[],
        { prepare: true, simple: false } as { prepare: true },
      )
      return (await this.#link.answer(attempt.client, rows === 'values' ? query.values() : query)) as unknown[]
    } catch (error) {
      throw this.#fail(attempt, error)
    } finally {
      this.#took(text, began)
    }
  }

  #took(statement: string, began: number): void {
    const took = performance.now() - began
    if (took >= SLOW) this.watch.slow(statement, took)
  }

  /**
   * A transaction remembers what it has read itself, until it writes the table. What was remembered elsewhere was not read
   * in this one, so the engine could not tell that it rests on it.
   */
  #version(tables: readonly string[]): number | undefined {
    const { snapshot = null, written = new Set() } = this.#attempt ?? {}
    const isWriting = written.has(ANY_TABLE) || tables.some((table) => written.has(table))
    return snapshot === null || isWriting ? undefined : snapshot
  }

  /** Throws where the connection was lost on which the transaction began. */
  #requireConnection({ connection }: Attempt): void {
    if (connection === this.#connection) return
    throw connectionLost()
  }

  #fail(attempt: Attempt, error: unknown): unknown {
    if (attempt.failure === null || isAfterFailure(attempt.failure.error)) attempt.failure = { error }
    return error
  }

  #written(text: string): string | null {
    let table = this.#tableOf.get(text)
    if (table === undefined) {
      table = writtenTable(text)
      if (this.#tableOf.size < 10_000) this.#tableOf.set(text, table)
    }
    return table
  }

  /** Tells other nodes, as part of the commit, which tables they have to look at anew. Seldom: telling has a lock of its own. */
  #notify(attempt: Attempt): void {
    const told = [...attempt.written].filter((table) => table === ANY_TABLE || announcedTables.has(table))
    if (told.length === 0) return
    const notify = `SELECT pg_notify('${CHANNEL}', '${told.join()}')`
    this.#send(attempt.client, notify).catch((error) => this.#fail(attempt, error))
  }
}

function throwFailure({ failure }: Attempt): void {
  if (failure) throw failure.error
}

/** What the engine raised comes before what work made of it. */
function firstOf({ failure }: Attempt, error: unknown): unknown {
  return failure ? failure.error : error
}
