import { expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../src/db/sqlite/migrations.ts'
import { earlierFolder, stateOf, strayIn } from '../support/earlier-folder.ts'
import { executable, type Program, type RunOptions, serve, spawn } from '../support/program.ts'

/** How often a start is killed, each time a little later than before. */
const KILLS = Number(process.env.CHAOS_KILLS ?? '25')
/** Bytes of a file that backups take some time for. */
const UPLOAD = 60_000_000

/** Starts the service, on whatever was left, and stops it once it has answered. Returns how long the start took, in milliseconds. */
async function startWell(program: Program, options: RunOptions): Promise<number> {
  const begun = performance.now()
  const service = await serve(program, options)
  const took = performance.now() - begun
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect((await service.stop()).code).toBe(0)
  return took
}

async function killedStart(program: Program, options: RunOptions, after: number): Promise<void> {
  const child = await spawn(program, ['serve'], options)
  await Bun.sleep(after)
  child.kill('SIGKILL')
  await child.exited
}

/** A folder that is not locked may be somebody's who is about to lock it: it stays for a while. */
const isToGo = (name: string) => !name.startsWith('.frontdesk-new-')

test(`kill -9 of a start that backs up and migrates leaves what the next one makes good (${KILLS} times)`, async () => {
  const program = await executable()
  const { before, copy } = earlierFolder(UPLOAD)
  const migrated = [migrations.length, [before]]
  // The first one reads the executable from the disk.
  await startWell(program, { cwd: copy() })
  const takes = await startWell(program, { cwd: copy() })
  const seen = { untouched: 0, 'backed up': 0, migrated: 0 }
  for (let i = 0; i < KILLS; i++) {
    const cwd = copy()
    const dataDir = join(cwd, 'data')
    await killedStart(program, { cwd }, (takes * 1.1 * (i + 1)) / KILLS)
    const [applied, inBackups] = stateOf(dataDir)
    if (applied === before && inBackups.length === 0) seen.untouched++
    else if (applied === before) seen['backed up']++
    else seen.migrated++
    expect([[before, []], [before, [before]], migrated]).toContainEqual([applied, inBackups])
    await startWell(program, { cwd })
    expect<unknown[]>([stateOf(dataDir), strayIn(dataDir).filter(isToGo)]).toEqual([migrated, []])
    rmSync(cwd, { recursive: true })
  }
  process.stderr.write(`killed ${JSON.stringify(seen)}\n`)
})
