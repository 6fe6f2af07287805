import { Database as Sqlite } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../src/db/index.ts'
import { pathsOf, samplesOf } from './console-pages.ts'
import { busyTime, type Running, startService } from './harness/processes.ts'
import { median, print, quantile, row } from './harness/report.ts'
import { type ConsoleData, seedConsole } from './seeds/console.ts'

const ROUNDS = 20
/** Pages that are shown, the slowest first; of the others, that they are quicker. */
const SHOWN = 40
/** What every page is to keep to, in milliseconds of the server's time and in bytes on its first load, compressed. */
const MOST_TIME = 100
const MOST_BYTES = 100_000

/** The server's time for every page of the console with the demo a hundred times, and what its first load weighs. */
export async function benchConsole(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const data = await seedConsole(folder)
    const service = await startService(folder, { FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000' })
    await measure(folder, service, data)
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Page {
  path: string
  /** Milliseconds. */
  times: number[]
  /** Milliseconds of processors for one, whatever else the machine does. */
  busy: number
  /** Compressed, with the files that it loads. */
  bytes: number
}

async function measure(folder: string, service: Running, data: ConsoleData): Promise<void> {
  const origin = `http://127.0.0.1:${service.port}`
  const cookie = await signIn(origin, data)
  const samples = samplesOf(folder)
  const first = await timed(origin, cookie, `/console/forms/${samples.form}/results`)
  print(`results of the largest form before they are in columns: ${first.ms.toFixed(0)} ms`)
  await columnsAreMade(folder)
  const { paths, left } = await pathsOf(samples)
  const pages: Page[] = []
  for (const path of paths) {
    const page: Page = { path, times: [], busy: 0, bytes: 0 }
    let before = 0
    for (let round = 0; round <= ROUNDS; round++) {
      const { ms, text, size, status } = await timed(origin, cookie, path)
      if (status !== 200) {
        print(`${path}: ${status}`)
        break
      }
      // The first is for warming up.
      if (round > 0) page.times.push(ms)
      else {
        page.bytes = size + (await weightOf(origin, text))
        before = await busyTime(service.pid)
      }
    }
    page.busy = ((await busyTime(service.pid)) - before) / ROUNDS
    if (page.times.length > 0) pages.push(page)
  }
  pages.sort((one, other) => other.busy - one.busy)
  row('ms, first load in kB'.padEnd(92), 'p50', 'p95', 'busy', 'kB')
  for (const { path, times, busy, bytes } of pages.slice(0, SHOWN)) {
    const shown = path.replace(/[0-9a-f-]{30,}/g, '…').slice(0, 90)
    row(
      shown.padEnd(92),
      median(times).toFixed(1),
      quantile(times, 0.95).toFixed(1),
      busy.toFixed(1),
      (bytes / 1000).toFixed(1),
    )
  }
  const slow = pages.filter(({ times }) => quantile(times, 0.95) > MOST_TIME)
  const busy = pages.filter((page) => page.busy > MOST_TIME)
  const heavy = pages.filter(({ bytes }) => bytes > MOST_BYTES)
  const heaviest = Math.max(...pages.map(({ bytes }) => bytes)) / 1000
  print(`the heaviest first load: ${heaviest.toFixed(1)} kB`)
  print(
    `${pages.length} pages; over ${MOST_TIME} ms at p95: ${slow.length}, of a processor: ${busy.length}; over ${MOST_BYTES / 1000} kB: ${heavy.length}`,
  )
  if (left.length > 0) print(`not asked for: ${left.join(', ')}`)
}

async function signIn(origin: string, { email, password }: ConsoleData): Promise<string> {
  const answer = await fetch(`${origin}/console/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email, password }),
  })
  const [cookie = ''] = answer.headers.getSetCookie()
  if (answer.status !== 303) throw new Error(`sign-in: ${answer.status}`)
  return cookie.split(';', 1)[0] as string
}

/** Until the whole answer is there, compressed as a browser gets it. */
async function timed(origin: string, cookie: string, path: string) {
  const start = performance.now()
  const headers = { cookie, 'accept-encoding': 'gzip' }
  const answer = await fetch(origin + path, { headers, redirect: 'manual', decompress: false } as RequestInit)
  const bytes = await answer.bytes()
  const ms = performance.now() - start
  const isPacked = answer.headers.get('content-encoding') === 'gzip'
  const text = new TextDecoder().decode(isPacked ? Bun.gunzipSync(bytes) : bytes)
  return { ms, text, size: bytes.length, status: answer.status }
}

/** Bytes of what a page loads at once. */
async function weightOf(origin: string, text: string): Promise<number> {
  let size = 0
  for (const [, path] of text.matchAll(
    /(?:<script src|<link rel="stylesheet" href|<link rel="icon" href)="(\/[^"]+)"/g,
  )) {
    size += (await timed(origin, '', path as string)).size
  }
  return size
}

/** The results are quick once a job has put the responses into columns. */
async function columnsAreMade(folder: string): Promise<void> {
  const sqlite = new Sqlite(join(folder, DATABASE_FILE), { readonly: true })
  const wanted = sqlite.query(
    'SELECT sum(n / 2000) AS n FROM (SELECT count(*) AS n FROM responses JOIN forms ON forms.id = form_id WHERE trashed_at IS NULL GROUP BY form_id)',
  )
  const made = sqlite.query('SELECT count(*) AS n FROM response_segments')
  const number = (query: typeof made) => (query.get() as { n: number }).n
  while (number(made) < number(wanted)) await Bun.sleep(200)
  sqlite.close()
}

if (import.meta.main) await benchConsole()
