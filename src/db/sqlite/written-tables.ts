import type { Changes, Database as Sqlite, Statement } from 'bun:sqlite'
import { ANY_TABLE, writtenTable } from '../statements.ts'

/**
 * Counts the commits that wrote each table, so that what was read from a table can be kept until it is written. What
 * the database does by itself (a trigger, a cascade) is not seen.
 */
export class WrittenTables {
  readonly #commits = new Map<string, number>()
  readonly #underWay = new Set<string>()
  #statements = 0

  /** How many statements have written, or failed to: of those that are known to have changed no row none counts. */
  get statements(): number {
    return this.#statements
  }

  /** The connection as drizzle needs it, its statements noted when they run. */
  watch(sqlite: Sqlite): Sqlite {
    return { prepare: (text: string) => this.#noted(sqlite.prepare(text), text) } as unknown as Sqlite
  }

  /** What was written since the last call is committed. */
  committed(): void {
    for (const table of this.#underWay) this.#commits.set(table, this.#countOf(table) + 1)
    this.#underWay.clear()
  }

  /** What was written since the last commit was taken back. */
  rolledBack(): void {
    this.#underWay.clear()
  }

  /** A number that changes whenever a commit wrote any of the tables. */
  version(tables: readonly string[]): number {
    let commits = this.#countOf(ANY_TABLE)
    for (const table of tables) commits += this.#countOf(table)
    return commits
  }

  /** Whether any of the tables was written since the last commit. */
  isWriting(tables: readonly string[]): boolean {
    return (
      this.#underWay.size > 0 && (this.#underWay.has(ANY_TABLE) || tables.some((table) => this.#underWay.has(table)))
    )
  }

  #countOf(table: string): number {
    return this.#commits.get(table) ?? 0
  }

  #noted(statement: Statement, text: string): Statement {
    const table = writtenTable(text)
    if (table === null) return statement
    const changedNothing = table === ANY_TABLE ? () => false : nothingChangedBy(text)
    for (const method of ['run', 'all', 'get', 'values'] as const) {
      const plain = statement[method].bind(statement) as (...values: never[]) => unknown
      const noting = (...values: never[]) => {
        this.#underWay.add(table)
        this.#statements++
        const outcome = plain(...values)
        if (changedNothing(outcome)) this.#statements--
        return outcome
      }
      Object.assign(statement, { [method]: noting })
    }
    return statement
  }
}

/** Says of what a statement resolved to whether it tells that no row was changed: only where that is certain. */
function nothingChangedBy(text: string): (outcome: unknown) => boolean {
  const isReturning = /\breturning\b/i.test(text)
  return (outcome) =>
    isReturning ? Array.isArray(outcome) && outcome.length === 0 : (outcome as Partial<Changes> | null)?.changes === 0
}
