import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandCaller } from '../../src/caller.ts'
import { openDatabase } from '../../src/db/index.ts'
import { createForm } from '../../src/forms/operations.ts'
import { questionsOf } from '../../src/forms/pages.ts'
import { publishForm } from '../../src/forms/publishing.ts'
import { sampleAnswer } from '../../src/forms/question-types/index.ts'
import { endBrowser, hasBrowser, openBrowser } from '../support/pages/browser.ts'
import type { LoadPlan } from './harness/load.ts'
import { load, type Running, startService } from './harness/processes.ts'
import { median, print, row } from './harness/report.ts'
import { type BenchData, seed, twentyQuestions } from './seeds/seed.ts'

const CONNECTIONS = 32
const SECONDS = 2
const ROUNDS = 5
const PAINTS = 9
/** From so many networks submissions come: from one address no more JSON is taken in an hour than people send. */
const NETWORKS = 2_000

/** Complete submissions a second beside contacts created, both durable; the size of a form's page, and its first paint. */
export async function benchForms(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const data = await seed(folder, 1000)
    const form = await publishedForm(data)
    const service = await startService(folder, {
      FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000',
      FRONTDESK_TRUSTED_PROXIES: '127.0.0.1',
    })
    await compareWrites(data, form, service)
    const page = `http://127.0.0.1:${service.port}/f/${form.launchCode}`
    await measureSize(page)
    if (hasBrowser) await measurePaint(page)
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface BenchForm {
  launchCode: string
  submission: string
}

async function publishedForm({ dataDir, tenantId }: BenchData): Promise<BenchForm> {
  const database = await openDatabase({ dataDir })
  const caller = commandCaller(tenantId, Date.now())
  const form = await database.transaction(async (tx) => {
    const created = await createForm(tx, caller, { title: 'Bench', questions: twentyQuestions({ required: true }) })
    await publishForm(tx, caller, created.id)
    return created
  })
  await database.close()
  const answers = questionsOf(form.pages).map((question) => ({
    questionId: question.id,
    value: sampleAnswer(question, () => 0.4),
  }))
  return { launchCode: form.launchCode, submission: JSON.stringify({ answers, complete: true }) }
}

async function compareWrites(data: BenchData, form: BenchForm, service: Running): Promise<void> {
  const plan = { connections: CONNECTIONS, seconds: SECONDS, port: service.port }
  const submissions: LoadPlan['requests'] = Array.from({ length: NETWORKS }, (_, index) => ({
    method: 'POST',
    path: `/f/${form.launchCode}/responses`,
    body: form.submission,
    headers: { 'x-forwarded-for': `10.${index >> 8}.${index % 256}.1` },
  }))
  const contacts: LoadPlan['requests'] = data.keys.map((key) => ({
    method: 'POST',
    path: '/v1/contacts',
    body: JSON.stringify({ email: 'new-{n}@new.test', name: 'Ada' }),
    headers: { 'x-api-key': key },
  }))
  const runs = []
  for (let i = 0; i < ROUNDS; i++) {
    const created = await load({ ...plan, requests: contacts })
    const submitted = await load({ ...plan, requests: submissions })
    runs.push({ ...submitted, created: created.perSecond, ratio: submitted.perSecond / created.perSecond })
  }
  row('20 answers, 32 connections', 'complete/s', 'p50 ms', 'p99 ms', 'contacts/s', 'ratio')
  row(
    'complete submission',
    median(runs.map((run) => run.perSecond)).toFixed(0),
    median(runs.map((run) => run.p50)).toFixed(2),
    median(runs.map((run) => run.p99)).toFixed(2),
    median(runs.map((run) => run.created)).toFixed(0),
    median(runs.map((run) => run.ratio)).toFixed(2),
  )
}

/** What goes over the wire before anybody can answer: the page and all that it loads, compressed. */
async function measureSize(page: string): Promise<void> {
  const text = await (await fetch(page)).text()
  const loaded = [...text.matchAll(/(?:src|href)="(\/f\/assets\/[^"]+)"/g)].map(
    ([, path]) => new URL(path as string, page).href,
  )
  const sizes = await Promise.all([page, ...loaded].map(transferred))
  print(`page of 20 questions with its script and style sheet: ${(sum(sizes) / 1000).toFixed(1)} kB compressed`)
}

async function transferred(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false } as RequestInit)
  return (await response.arrayBuffer()).byteLength
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** From asking for a page to its first content on the screen, with nothing in the browser's cache. */
async function measurePaint(form: string): Promise<void> {
  const blank = Bun.serve({
    port: 0,
    fetch: () => new Response('<!doctype html><title>-</title>blank', { headers: { 'content-type': 'text/html' } }),
  })
  const { context, close } = await openBrowser()
  const paint = async (url: string) => {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.setCacheDisabled', { cacheDisabled: true })
    await page.goto(url)
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    const time = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    )
    await page.close()
    return time
  }
  const times = { blank: [] as number[], form: [] as number[] }
  for (let i = 0; i < PAINTS; i++) {
    times.blank.push(await paint(blank.url.href))
    times.form.push(await paint(form))
  }
  await close()
  await endBrowser()
  await blank.stop(true)
  const [floor, ours] = [median(times.blank), median(times.form)]
  print(`first paint on loopback: ${ours.toFixed(0)} ms; of a blank page in the same browser: ${floor.toFixed(0)} ms`)
}

if (import.meta.main) await benchForms()
