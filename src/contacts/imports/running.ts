import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { type Caller, importCaller } from '../../caller.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { contactImports, refusedLines } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { RuleError } from '../../errors.ts'
import type { Delimiter, ImportPlan } from '../../kinds/contact-imports.ts'
import { textOf } from '../../lib/text/file-text.ts'
import { formatTime } from '../../lib/time.ts'
import { type Due, LeasedWork } from '../../work/leased-work.ts'
import { applyRow, type Outcome } from './apply.ts'
import { ENDED_KEPT } from './operations.ts'
import { type CsvRecord, recordsOf } from './records.ts'
import { dropFile } from './retention.ts'
import { isBlankRecord, refusalOf, rowOf } from './rows.ts'

/** After the last wait, it is given up. The lease is renewed with every step. */
const RULES = { most: 2, lease: 10_000, waits: [5_000, 30_000, 120_000, 600_000] }
/** Records taken in with one transaction: others wait for no longer than that takes. */
const STEP = 25

type Row = typeof contactImports.$inferSelect
type Claim = Row & { readonly plan: ImportPlan }

type Counts = Record<Outcome | 'refused', number>

/** Somebody else has it, or it was cancelled: what was about to be written is taken back. */
class Lost extends Error {}

/**
 * Takes files of contacts in, one transaction for some records and for how far it has come: after a crash it goes on
 * behind these. What it changes it changes on behalf of whoever began it.
 */
export class Imports extends LeasedWork<Claim> {
  constructor(private readonly deps: Pick<Deps, 'database' | 'clock' | 'log' | 'files'>) {
    super(deps, contactImports, RULES)
  }

  /** What was under way when the only process died waits for no lease to run out. Before anything is done. */
  async begin(): Promise<void> {
    const { database, clock } = this.deps
    if (database.isShared) return this.pullIn()
    const dueAt = formatTime(clock.now())
    await database.transaction((tx) => tx.update(contactImports).set({ dueAt }).where(isNotNull(contactImports.dueAt)))
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<Claim[]> {
    const due = await tx.select().from(contactImports).where(isDue).orderBy(order).limit(most)
    const claims = due.flatMap((row) => (row.plan ? { ...row, plan: row.plan, attempts: row.attempts + 1 } : []))
    for (const claim of claims) {
      await tx.update(contactImports).set({ attempts: claim.attempts, dueAt: leasedUntil }).where(own(claim))
    }
    return claims
  }

  protected override async perform(claim: Claim): Promise<void> {
    const { log, files } = this.deps
    try {
      const isOver = await this.#run(claim)
      if (isOver) await dropFile(files, claim)
    } catch (error) {
      if (error instanceof Lost) return
      log.error('a file of contacts could not be taken in', { id: claim.id, error })
      await this.#fail(claim).catch((cause) => {
        // It stays due: the lease runs out.
        if (!(cause instanceof Lost)) log.error('that could not be noted', { id: claim.id, error: cause })
      })
    }
  }

  /** Whether it came to the end; false where the service stops. */
  async #run(claim: Claim): Promise<boolean> {
    const content = await this.deps.files.read({ kind: 'contact_imports', tenantId: claim.tenantId, id: claim.id })
    if (content === null) {
      await this.#end(claim, 'failed')
      return true
    }
    const bytes = content instanceof Blob ? content.stream() : content
    let waiting: CsvRecord[] = []
    let isFirst = true
    for await (const records of recordsOf(textOf(bytes, claim.encoding), claim.delimiter as Delimiter)) {
      for (const record of records) {
        const isRead = record.problem === null && !isBlankRecord(record)
        const isHeading = isFirst && isRead && claim.plan.hasHeadings
        if (isRead) isFirst = false
        if (!isHeading && record.line > claim.doneLines) waiting.push(record)
      }
      while (waiting.length >= STEP) {
        if (this.isStopping) return this.#release(claim)
        await this.#step(claim, waiting.slice(0, STEP))
        waiting = waiting.slice(STEP)
        await new Promise(setImmediate)
      }
    }
    if (this.isStopping) return this.#release(claim)
    await this.#step(claim, waiting)
    await this.#end(claim, 'done')
    return true
  }

  async #step(claim: Claim, records: readonly CsvRecord[]): Promise<void> {
    const last = records.at(-1)
    if (!last) return
    const { database, clock } = this.deps
    await database.transaction(async (tx) => {
      const caller = importCaller(claim, clock.now())
      const counts: Counts = { created: 0, updated: 0, unchanged: 0, refused: 0 }
      for (const record of records) {
        if (!isBlankRecord(record)) counts[await takeIn(tx, caller, claim, record)] += 1
      }
      await this.#write(tx, claim, {
        doneLines: last.line + last.lines - 1,
        created: sql`${contactImports.created} + ${counts.created}`,
        updated: sql`${contactImports.updated} + ${counts.updated}`,
        unchanged: sql`${contactImports.unchanged} + ${counts.unchanged}`,
        refused: sql`${contactImports.refused} + ${counts.refused}`,
        dueAt: formatTime(clock.now() + RULES.lease),
      })
    })
  }

  async #end(claim: Claim, state: 'done' | 'failed'): Promise<void> {
    const now = this.deps.clock.now()
    const ended = { state, dueAt: null, endedAt: formatTime(now), expiresAt: formatTime(now + ENDED_KEPT) }
    // Headings, and empty lines at the end, are no line that a step is for.
    const whole = state === 'done' ? { doneLines: sql`${contactImports.lines}` } : {}
    await this.deps.database.transaction((tx) => this.#write(tx, claim, { ...ended, ...whole }))
  }

  /** Whoever comes next goes on with it at once. */
  async #release(claim: Claim): Promise<false> {
    const dueAt = formatTime(this.deps.clock.now())
    await this.deps.database.transaction((tx) => this.#write(tx, claim, { dueAt }))
    return false
  }

  async #fail(claim: Claim): Promise<void> {
    const failures = claim.failures + 1
    if (failures > RULES.waits.length) return this.#end(claim, 'failed')
    const dueAt = formatTime(this.deps.clock.now() + this.waitAfter(failures))
    await this.deps.database.transaction((tx) => this.#write(tx, claim, { failures, dueAt }))
  }

  async #write(tx: Tx, claim: Claim, values: Parameters<ReturnType<Tx['update']>['set']>[0]): Promise<void> {
    const written = await tx
      .update(contactImports)
      .set(values)
      .where(and(own(claim), eq(contactImports.state, 'running'), eq(contactImports.attempts, claim.attempts)))
      .returning({ id: contactImports.id })
    if (written.length === 0) throw new Lost('an import that another has taken over, or that was cancelled')
  }
}

/** What becomes of one record; one that breaks a rule is noted. */
async function takeIn(tx: Tx, caller: Caller, { id, plan }: Claim, record: CsvRecord): Promise<keyof Counts> {
  try {
    return await applyRow(tx, caller, rowOf(record, plan), plan)
  } catch (error) {
    // Rules are looked at before anything is written: the transaction goes on.
    if (!(error instanceof RuleError)) throw error
    const { line, content } = record
    await tx
      .insert(refusedLines)
      .values({ tenantId: caller.tenantId, importId: id, line, content: content.toWellFormed(), ...refusalOf(error) })
    return 'refused'
  }
}

function own({ tenantId, id }: Pick<Row, 'tenantId' | 'id'>) {
  return and(ofTenant(contactImports, tenantId), eq(contactImports.id, id))
}
