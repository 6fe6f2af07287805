import { expect } from 'bun:test'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf } from '../../../src/backup/names.ts'
import { emptyFolder, type Program, record, run, spawn } from './program.ts'

const DAY = 86_400_000

interface Killing {
  readonly program: Program
  readonly cwd: string
  /** How often one is killed, each time a little later than before. */
  readonly kills: number
  readonly environment?: Record<string, string>
  /** Called after each kill. */
  readonly killed?: () => Promise<void>
}

/**
 * Kills backups that are made, checked, or thin out, and looks each time that no good one was lost and none counts as good
 * that is not; in the end, that nothing is left of those that were killed, and nothing of others' has gone. Returns how many had been completed.
 */
export async function killBackups({ program, cwd, kills, killed, ...more }: Killing): Promise<number> {
  const folder = join(emptyFolder(), 'kept')
  const environment = { ...more.environment, FRONTDESK_BACKUP_TO: folder, FRONTDESK_BACKUP_KEEP: '2d' }
  const at = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString()
  const make = (day: number) => ['backup', 'now', '--json', '--at', at(day)]
  const good = async (): Promise<string[]> =>
    (await record(program, ['backup', 'list'], { cwd, environment })).flatMap(
      ({ name, good: isGood }: { name: string; good: boolean }) => (isGood ? [name] : []),
    )
  const timed = performance.now()
  for (const day of [0, 1]) expect((await run(program, make(day), { cwd, environment })).code).toBe(0)
  const takes = (performance.now() - timed) / 2
  const foreign = ['notes.txt', 'frontdesk-2020.tar']
  for (const name of foreign) writeFileSync(join(folder, name), 'ours')
  let completed = 0
  for (let i = 0; i < kills; i++) {
    const before = await good()
    expect(before.length).toBeGreaterThanOrEqual(2)
    const child = await spawn(program, make(i + 2), { cwd, environment })
    await Bun.sleep((takes * 1.1 * (i + 1)) / kills)
    child.kill('SIGKILL')
    await child.exited
    await killed?.()
    const after = await good()
    // Two are kept, whatever was made: of those that were there the newest goes only for a newer one.
    expect(after.length).toBeGreaterThanOrEqual(2)
    expect(after).toContain(before[0] as string)
    const made = after.filter((name) => !before.includes(name))
    if (made.length === 0) expect(after).toEqual(before)
    completed += made.length
    for (const name of made)
      expect(await record(program, ['check', '--backup', name], { cwd, environment })).toEqual([])
  }
  expect((await run(program, make(kills + 2), { cwd, environment })).code).toBe(0)
  const last = nameOf({ at: Date.parse(at(kills + 2)), owner: null })
  const left = await good()
  expect([left.length, left[0]]).toEqual([2, last])
  expect(readdirSync(folder).sort()).toEqual([...foreign, ...left.flatMap((name) => [name, `${name}.sha256`])].sort())
  expect(existsSync(join(cwd, 'data/backup.lock'))).toBe(true)
  return completed
}
