import type { Keep } from '../config.ts'
import { UserError } from '../errors.ts'
import { openWorkshop } from '../folder/leftovers.ts'
import { isFileFault } from '../lib/disk/disk.ts'
import { NotWhole } from './archive.ts'
import { kept } from './keeping.ts'
import { type Pace, unpaced } from './pace.ts'
import type { Shelf, Shelved } from './shelves/shelved.ts'
import { verify } from './verify.ts'

/** What a look at a backup found: whole, not as it was made, or (null) something that this program cannot judge. */
export type Verdict = 'good' | 'damaged' | null

/** A backup with what is known of it. */
export interface Judged extends Shelved {
  readonly verdict: Verdict
}

/** Looks at those that nobody has checked, or that were written since, and notes the good ones as checked. */
export async function confirmUnknown(
  shelf: Shelf,
  backups: readonly Shelved[],
  dataDir: string,
  pace: Pace,
): Promise<Judged[]> {
  return judge(shelf, backups, dataDir, { found: (...found) => shelf.confirm(...found), pace })
}

interface Judging {
  readonly found?: Shelf['confirm']
  readonly pace?: Pace
}

/** What is known of each: those that were checked, and not written since, are read no more. */
export async function judge(
  shelf: Shelf,
  backups: readonly Shelved[],
  dataDir: string,
  { found = async () => {}, pace = unpaced }: Judging = {},
): Promise<Judged[]> {
  const judged: Judged[] = []
  for (const backup of backups) {
    const verdict = backup.isChecked ? 'good' : await look(shelf, backup.name, dataDir, { found, pace })
    judged.push({ ...backup, verdict })
  }
  return judged
}

async function look(shelf: Shelf, name: string, dataDir: string, { found, pace }: Required<Judging>): Promise<Verdict> {
  const { folder, close } = openWorkshop(dataDir, `${shelf.folder ?? dataDir}/${name}`)
  try {
    const [verdict, sha256] = await read(shelf, name, folder, pace)
    if (sha256 !== null) await found(name, sha256, folder)
    return verdict
  } finally {
    close()
  }
}

/** A checksum that was noted before is of what was checked then: what differs from it was changed since. */
async function read(shelf: Shelf, name: string, folder: string, pace: Pace): Promise<[Verdict, string | null]> {
  try {
    const noted = await shelf.checksum(name)
    const sha256 = verify(await shelf.fetch(name, () => folder), folder, { pace })
    return noted === null || noted === sha256 ? ['good', sha256] : ['damaged', null]
  } catch (error) {
    if (error instanceof NotWhole) return ['damaged', null]
    if (error instanceof UserError || isFileFault(error)) return [null, null]
    throw error
  }
}

/**
 * Removes what the rule does not keep. Only good ones count; one that is damaged goes as soon as there is a newer good one,
 * and what cannot be judged stays. Returns the names of those that went, the oldest first.
 */
export async function thinOut(shelf: Shelf, backups: readonly Judged[], keep: Keep, now: number): Promise<string[]> {
  const good = backups.filter(({ verdict }) => verdict === 'good').map(({ at }) => at)
  const [chosen, newest] = [kept(good, keep, now), Math.max(...good.filter((at) => at <= now))]
  const removed: string[] = []
  for (const { name, at, verdict } of backups.toSorted((a, b) => a.at - b.at)) {
    const isOver = verdict === 'good' ? !chosen.has(at) : verdict === 'damaged' && at < newest
    if (!isOver) continue
    await shelf.remove(name)
    removed.push(name)
  }
  await shelf.sweep()
  return removed
}
