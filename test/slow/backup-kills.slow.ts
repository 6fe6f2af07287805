import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { nameOf } from '../../src/backup/names.ts'
import { emptyFolder, executable, record, run, spawn } from '../support/program.ts'

/** How often one is killed, each time a little later than before. */
const KILLS = Number(process.env.CHAOS_KILLS ?? '25')
const DAY = 86_400_000

test(`kill -9 of a backup that is made, checked, or thins out loses no good one (${KILLS} times)`, async () => {
  const program = await executable()
  const cwd = emptyFolder()
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  const folder = join(emptyFolder(), 'kept')
  const environment = { FRONTDESK_BACKUP_TO: folder, FRONTDESK_BACKUP_KEEP: '2d' }
  const at = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString()
  const make = (day: number) => ['backup', 'now', '--json', '--at', at(day)]
  const good = async (): Promise<string[]> =>
    (await record(program, ['backup', 'list'], { cwd, environment })).flatMap(
      ({ name, good: isGood }: { name: string; good: boolean }) => (isGood ? [name] : []),
    )
  const timed = performance.now()
  for (const day of [0, 1]) expect((await run(program, make(day), { cwd, environment })).code).toBe(0)
  const takes = (performance.now() - timed) / 2
  let completed = 0
  for (let i = 0; i < KILLS; i++) {
    const before = await good()
    expect(before.length).toBeGreaterThanOrEqual(2)
    const child = await spawn(program, make(i + 2), { cwd, environment })
    await Bun.sleep((takes * 1.1 * (i + 1)) / KILLS)
    child.kill('SIGKILL')
    await child.exited
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
  expect((await run(program, make(KILLS + 2), { cwd, environment })).code).toBe(0)
  const last = nameOf({ at: Date.parse(at(KILLS + 2)), owner: null })
  const left = await good()
  expect([left.length, left[0]]).toEqual([2, last])
  expect(readdirSync(folder).sort()).toEqual(left.flatMap((name) => [name, `${name}.sha256`]).sort())
  expect(existsSync(join(cwd, 'data/backup.lock'))).toBe(true)
  process.stderr.write(`${completed} of ${KILLS} had been completed\n`)
})
