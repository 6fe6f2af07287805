import { type Caller, jobCaller } from '../caller.ts'
import type { Deps } from '../deps.ts'
import type { FileName } from '../files/names.ts'
import type { Secrets } from '../secrets/seal.ts'
import { keptFor } from '../tenants/retention.ts'
import { type Retained, retainedBy } from './rule-records.ts'
import { endRun, isNoted, noteGone, type TenantRule } from './runs.ts'

/** What carries rules out. Without the key, `secrets` null, the audit log is left to the service. */
export type ApplyingDeps = Pick<Deps, 'database' | 'files' | 'clock' | 'log'> & { readonly secrets: Secrets | null }

/**
 * Deletes what a rule of a tenant says is too old, in transactions so small that nobody waits for one, and pauses after each
 * query and each of them: whoever goes on with it decides when. Begun again it goes on where it was, whatever ended it.
 */
export async function* apply(deps: ApplyingDeps, { tenantId, rule }: TenantRule): AsyncGenerator<void> {
  const { database, clock, log } = deps
  const kept = await keptFor(database.db, tenantId, rule)
  if (kept !== null) {
    const before = clock.now() - kept
    for (const retained of retainedBy(rule, deps.secrets)) yield* removeOld(deps, { tenantId, rule }, retained, before)
  }
  if (!(await isNoted(database.db, { tenantId, rule }))) return
  const gone = await database.transaction((tx) => endRun(tx, jobCaller(tenantId, clock.now()), rule))
  if (gone > 0) log.info('what was no longer to be kept is deleted', { tenantId, rule, count: gone })
}

async function* removeOld(
  deps: ApplyingDeps,
  tenantRule: TenantRule,
  retained: Retained,
  before: number,
): AsyncGenerator<void> {
  const { database, clock } = deps
  const { tenantId } = tenantRule
  for (let after: string | null = null; ; ) {
    const { ids, next } = await retained.find(database.db, tenantId, before, after)
    yield
    for (let left = ids; left.length > 0; ) {
      const some = left.slice(0, retained.most)
      const caller: Caller = jobCaller(tenantId, clock.now())
      const gone = await database.transaction(async (tx) => {
        const removed = await retained.remove(tx, caller, before, some)
        if (removed.count > 0) await noteGone(tx, tenantRule, removed.count)
        return removed
      })
      await removeFiles(deps, gone.files ?? [])
      left = [...(gone.rest ?? []), ...left.slice(retained.most)]
      yield
    }
    if (next === null) return
    after = next
  }
}

/** Records of them are gone already: where the store is out of reach they are swept later (`installation/orphans.ts`). */
async function removeFiles({ files, log }: ApplyingDeps, names: readonly FileName[]): Promise<void> {
  for (const name of names) {
    await files.remove(name).catch((error) => log.warn('a file stays until it is swept', { error }))
  }
}
