import type { Past } from '../db/versions.ts'
import type { DescribedStep, Description } from './description.ts'

/** What would happen to a database if another executable were started on it. */
export interface Forecast {
  readonly version: string | null
  /** `nothing`: the database stays as it is; `migrates`: it is brought up to date; `refused`: the start would be. */
  readonly outcome: 'nothing' | 'migrates' | 'refused'
  /** Why it is refused, or null. */
  readonly why: string | null
  /** In order, with the rows that what depends on them goes over. */
  readonly steps: readonly { readonly does: string; readonly rows: number | null }[]
}

/** What it would do with a database of that past. */
export async function forecast(
  executable: Description | null,
  engine: 'sqlite' | 'postgres',
  past: Pick<Past, 'hashes' | 'rowsOf'>,
): Promise<Forecast> {
  const refused = (why: string): Forecast => ({
    version: executable?.version ?? null,
    outcome: 'refused',
    why,
    steps: [],
  })
  if (executable === null) {
    return refused('it does not say which tables it wants: it is older than this version, or no frontdesk')
  }
  const theirs = executable.steps[engine]
  const { hashes } = past
  const common = hashes.findIndex((hash, position) => theirs[position]?.hash !== hash)
  if (common >= theirs.length) {
    return refused(`the database is newer: ${hashes.length - theirs.length} of its migrations are unknown to it`)
  }
  if (common >= 0) return refused('its tables are those of another line of versions, from an earlier one on')
  if (executable.configuration !== null) return refused(executable.configuration)
  const missing = theirs.slice(hashes.length)
  const steps = await countRows(missing, past)
  return { version: executable.version, outcome: missing.length === 0 ? 'nothing' : 'migrates', why: null, steps }
}

async function countRows(missing: readonly DescribedStep[], { rowsOf }: Pick<Past, 'rowsOf'>) {
  const deeds = missing.flatMap(({ deeds }) => deeds)
  const counts = await rowsOf([...new Set(deeds.filter(({ isByRows }) => isByRows).map(({ table }) => table))])
  return deeds.map(({ does, table, isByRows }) => ({ does, rows: isByRows ? (counts.get(table) ?? null) : null }))
}
