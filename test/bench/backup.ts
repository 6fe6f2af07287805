import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackup } from '../../src/backup/child.ts'
import { loadConfig } from '../../src/config.ts'
import { addEvents } from './events.ts'
import { startService } from './harness/processes.ts'
import { print, quantile, row } from './harness/report.ts'
import { type BenchData, seed } from './seeds/seed.ts'

const CONTACTS = 50_000
const BACKUPS = 12
const CLIENTS = 4
/** Between two requests of a client, and of calm before each backup, in milliseconds. */
const THINKING = 15
const CALM = 3_000
const TO_WARM_UP = 800

type Time = 'calm' | 'beside a backup'

/** How long requests take beside a backup, made as the service makes its own, against the calm before it. */
export async function benchBackup(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const data = await seed(join(folder, 'service'), CONTACTS)
    addEvents(data)
    const backups = join(folder, 'backups')
    const config = loadConfig({ FRONTDESK_DATA: data.dataDir, FRONTDESK_BACKUP_TO: backups })
    const service = await startService(data.dataDir)
    const ask = asker(service.port, data)
    for (let i = 0; i < TO_WARM_UP; i++) await ask()
    let time: Time | null = 'calm'
    const took: Record<Time, number[]> = { calm: [], 'beside a backup': [] }
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (time) {
        const [began, then] = [performance.now(), time]
        await ask()
        took[then].push(performance.now() - began)
        await Bun.sleep(THINKING)
      }
    })
    for (let i = 0; i < BACKUPS; i++) {
      time = 'calm'
      await Bun.sleep(CALM)
      time = 'beside a backup'
      await startBackup(config, Date.now()).done
    }
    time = null
    await Promise.all(clients)
    await service.stop()
    report(took, sizeOf(backups))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a contact, then reads three lists, and so on. */
function asker(port: number, { keys }: BenchData): () => Promise<void> {
  const headers = { 'x-api-key': keys[0] as string, 'content-type': 'application/json' }
  const lists = ['/v1/contacts', '/v1/contacts?unsubscribed=true', '/v1/me']
  let number = 0
  return async () => {
    const path = lists[(number++ % (lists.length + 1)) - 1]
    const body = path ? null : JSON.stringify({ email: `new${number}@acme.test`, name: 'New' })
    const answer = await fetch(`http://127.0.0.1:${port}${path ?? '/v1/contacts'}`, {
      method: body ? 'POST' : 'GET',
      headers,
      body,
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`answered with ${answer.status}`)
  }
}

function report(took: Record<Time, number[]>, bytes: number): void {
  print('')
  row(
    `${BACKUPS} backups of ${(bytes / 1e6).toFixed(0)} MB, ${CLIENTS} clients`,
    'requests',
    'p50 ms',
    'p99 ms',
    'worst',
  )
  for (const [time, ms] of Object.entries(took)) {
    const figures = [0.5, 0.99, 1].map((share) => quantile(ms, Math.min(share, 1 - 1 / ms.length)).toFixed(1))
    row(time, String(ms.length), ...figures)
  }
  const [calm, beside] = [took.calm, took['beside a backup']].map((ms) => quantile(ms, 0.99)) as [number, number]
  print(`p99 beside a backup is ${(beside / calm).toFixed(2)} times that without`)
}

/** Of the last one. */
function sizeOf(folder: string): number {
  const names = readdirSync(folder).filter((name) => name.endsWith('.tar'))
  return statSync(join(folder, names.sort().at(-1) as string)).size
}

if (import.meta.main) await benchBackup()
