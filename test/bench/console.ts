import { Database as Sqlite } from 'bun:sqlite'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { DATABASE_FILE } from '../../src/db/index.ts'
import { startApp } from '../support/app.ts'
import { type ConsoleData, seedConsole } from './console-seed.ts'
import { busyTime, type Running, startService } from './processes.ts'
import { median, print, quantile, row } from './report.ts'

const ROUNDS = 20
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
  pages.sort((one, other) => median(other.times) - median(one.times))
  row('ms, first load in kB'.padEnd(92), 'p50', 'p95', 'busy', 'kB')
  for (const { path, times, busy, bytes } of pages) {
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
  const heavy = pages.filter(({ bytes }) => bytes > MOST_BYTES)
  print(`${pages.length} pages; over ${MOST_TIME} ms: ${slow.length}; over ${MOST_BYTES / 1000} kB: ${heavy.length}`)
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

/** Records with much to show, by what stands before their ids in paths. */
type Samples = Record<'form' | 'response' | 'ticket' | 'contact', string> & Record<string, string>

function samplesOf(folder: string): Samples {
  const sqlite = new Sqlite(join(folder, DATABASE_FILE), { readonly: true })
  const one = (sql: string) => String((sqlite.query(sql).get() as { id: unknown } | null)?.id ?? '')
  const form = one('SELECT form_id AS id FROM responses GROUP BY form_id ORDER BY count(*) DESC LIMIT 1')
  const question =
    /"id":(\d+),"type":"textbox"/.exec(one(`SELECT pages AS id FROM forms WHERE id = '${form}'`))?.[1] ?? ''
  const samples = {
    form,
    question,
    response: one(`SELECT id FROM responses WHERE form_id = '${form}' AND status = 'complete' LIMIT 1`),
    ticket: one('SELECT id FROM tickets ORDER BY id DESC LIMIT 1'),
    contact: one(
      'SELECT contact_id AS id FROM responses WHERE contact_id IS NOT NULL GROUP BY contact_id ORDER BY count(*) DESC LIMIT 1',
    ),
    group: one('SELECT group_id AS id FROM contact_groups GROUP BY group_id ORDER BY count(*) DESC LIMIT 1'),
    organisation: one('SELECT id FROM organisations LIMIT 1'),
    inbox: one("SELECT id FROM inboxes WHERE channel = 'email' LIMIT 1"),
    source: one('SELECT id FROM livechat_sources LIMIT 1'),
    article: one('SELECT id FROM articles LIMIT 1'),
    webhook: one('SELECT id FROM webhooks LIMIT 1'),
    user: one('SELECT id FROM users LIMIT 1'),
    batch: one('SELECT id FROM webhook_batches LIMIT 1'),
    email: one(`SELECT email AS id FROM contacts WHERE email IS NOT NULL LIMIT 1`),
  }
  sqlite.close()
  return samples
}

/** Every page, by the routes there are, and lists with what they can be asked for. `left` are those without a sample. */
async function pathsOf(samples: Samples): Promise<{ paths: string[]; left: string[] }> {
  const app = await startApp()
  const routes = createApp(app.deps)
    .routes.filter(({ method, path, hooks }) => {
      const role = (hooks.detail as Record<string, string> | undefined)?.['x-console']
      return method === 'GET' && (role === 'admin' || role === 'agent') && path !== '/console'
    })
    .map(({ path }) => path)
  await app.close()
  const left: string[] = []
  const pages = routes.flatMap((route) => {
    if (STREAMS.test(route)) return []
    const path = route.replace(/(\w+)\/:(\w+)/g, (whole, owner: string, name: string) => {
      const known = name === 'id' ? samples[OWNERS[owner] ?? owner.replace(/s$/, '')] : samples[name.replace(/Id$/, '')]
      return known ? `${owner}/${known}` : whole
    })
    if (path.includes('/:')) left.push(route)
    return path.includes('/:') ? [] : path
  })
  return { paths: [...pages, ...filtered(samples)], left }
}

/** Files as long as what they hold, and news that never end. */
const STREAMS = /\/export|\/events$|\/stream$|\/download/
const OWNERS: Record<string, string> = { inboxes: 'inbox', chats: 'source', batches: 'batch' }

function filtered({ form, question, group, organisation, inbox, user, email, contact }: Samples): string[] {
  const results = `/console/forms/${form}/results`
  const month = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  return [
    ...[
      'q=ma',
      'q=an+sm',
      `group=${group}`,
      `organisation=${organisation}`,
      'emails=unsubscribed',
      `group=${group}&emails=subscribed`,
      `q=a&group=${group}`,
    ].map((query) => `/console/contacts?${query}`),
    ...[
      'status=open',
      'status=closed',
      'status=pending',
      `assignee=${user}`,
      'assignee=me',
      'assignee=none',
      `inbox=${inbox}`,
      'priority=urgent',
      `status=closed&inbox=${inbox}&priority=high`,
      'view=all',
      'q=booking',
      'q=T-100',
      'status=spam',
    ].map((query) => `/console/inbox?${query}`),
    ...['status=partial', 'status=all'].map((query) => `/console/forms/${form}/responses?${query}`),
    ...[
      `from=${month}`,
      `from=${month}&compare=before`,
      `group=${group}`,
      `email=${email}`,
      `from=${month}&compare=before&group=${group}`,
    ].map((query) => `${results}?${query}`),
    ...['q=the', 'q=nowhere-to-be-found', `group=${group}`].map((query) => `${results}/${question}?${query}`),
    ...['action=contact.updated', 'via=api', `author=${user}`, `record=${contact}`, `from=${month}`].map(
      (query) => `/console/audit?${query}`,
    ),
  ]
}

if (import.meta.main) await benchConsole()
