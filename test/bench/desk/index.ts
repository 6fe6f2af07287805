import { Database as Sqlite } from 'bun:sqlite'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { commandCaller } from '../../src/caller.ts'
import { loadConfig } from '../../src/config.ts'
import { DATABASE_FILE, openDatabase } from '../../src/db/index.ts'
import { createUser } from '../../src/users/accounts.ts'
import { NO_PASSWORD } from '../../src/users/passwords/passwords.ts'
import { startSession } from '../../src/users/sessions/sessions.ts'
import { endBrowser, openBrowser } from '../support/browser.ts'
import { seedConsole } from './console-seed.ts'
import { busyTime, type Running, residentMemory, start, startService } from './processes.ts'
import { print, quantile, row } from './report.ts'

/** Agents who are at it while it is measured, and consoles that are open while nothing happens. */
const AGENTS = 50
const CONSOLES = 500
/** How long nothing happens, in milliseconds. */
const QUIET = 20_000
/** The share of a core below which a service has nothing to do. */
const SETTLED = 0.03
const STEPS = 40
const MESSAGES = 20

/**
 * The desk in a browser with 20,000 tickets and 200,000 messages, while 50 agents have theirs open: from the key to the
 * next ticket on the screen, beside a floor that has the same pages ready and only shows them; from what a visitor says
 * until it is on the screen of an agent; and what 500 open consoles cost while nothing happens.
 */
export async function benchDesk(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    await seedConsole(folder)
    const { cookies, sourceId } = await staff(folder)
    const service = await startService(folder, { FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000' })
    const origin = `http://127.0.0.1:${service.port}`
    await idle(service, origin, cookies, folder)
    const agents = await openConsoles(origin, cookies.slice(1, AGENTS), folder)
    const { context, close } = await openBrowser()
    await context.addCookies([{ ...cookieOf(cookies[0] as string), url: origin }])
    row('', 'p50 ms', 'p95 ms', 'worst ms')
    const pages = await steps(context, origin)
    await floor(context, pages, folder)
    await messages(context, origin, sourceId)
    await close()
    await endBrowser()
    await agents.stop()
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Agents of the demo's company, each signed in, and the source of its chat. */
async function staff(dataDir: string): Promise<{ cookies: string[]; sourceId: string }> {
  const sqlite = new Sqlite(join(dataDir, DATABASE_FILE), { readonly: true })
  const one = (sql: string) => (sqlite.query(sql).get() as { id: string }).id
  const sourceId = one('SELECT id FROM livechat_sources LIMIT 1')
  const tenantId = one('SELECT tenant_id AS id FROM livechat_sources LIMIT 1')
  sqlite.close()
  const database = await openDatabase(loadConfig({}, { dataDir }))
  const cookies = await database.transaction(async (tx) => {
    const made: string[] = []
    const userIds: string[] = []
    const at = Date.now()
    for (let n = 0; n < AGENTS; n++) {
      const { userId } = await createUser(tx, commandCaller(tenantId, at), {
        email: `agent${n}@bench.example`,
        name: `Agent ${n}`,
        role: 'agent',
        billable: false,
        passwordHash: NO_PASSWORD,
      })
      userIds.push(userId)
    }
    const from = { address: null, userAgent: null, method: 'password' } as const
    for (let n = 0; n < CONSOLES; n++) {
      const userId = userIds[n % AGENTS] as string
      made.push(`frontdesk_session=${await startSession(tx, { tenantId, userId }, from, at)}`)
    }
    return made
  })
  await database.close()
  return { cookies, sourceId }
}

function cookieOf(cookie: string): { name: string; value: string } {
  const at = cookie.indexOf('=')
  return { name: cookie.slice(0, at), value: cookie.slice(at + 1) }
}

async function openConsoles(origin: string, cookies: readonly string[], folder: string): Promise<Running> {
  const file = join(folder, 'cookies')
  await Bun.write(file, cookies.join('\n'))
  return start(['test/bench/desk-agents.ts', origin, file], /^(\d+)$/m, { BUN_CONFIG_MAX_HTTP_REQUESTS: '4000' })
}

/** What consoles cost that are open while nothing happens. */
async function idle(service: Running, origin: string, cookies: readonly string[], folder: string): Promise<void> {
  // What there is to do after a start, and what the first pages load, is not theirs.
  for (const cookie of cookies.slice(0, 20))
    await (await fetch(`${origin}/console/inbox`, { headers: { cookie } })).text()
  while ((await shareOver(service, 3000)) > SETTLED) {}
  const [memory, alone] = [await residentMemory(service.pid), await shareOver(service, QUIET)]
  const consoles = await openConsoles(origin, cookies, folder)
  const share = (await shareOver(service, QUIET)) - alone
  const grown = (await residentMemory(service.pid)) - memory
  print(
    `${cookies.length} consoles open, nothing happens: ${grown.toFixed(0)} MB, ${(share * 100).toFixed(1)} % of a core`,
  )
  await consoles.stop()
}

/** How much of one core a process keeps busy for so many milliseconds. */
async function shareOver({ pid }: Running, ms: number): Promise<number> {
  const before = await busyTime(pid)
  await Bun.sleep(ms)
  return ((await busyTime(pid)) - before) / ms
}

/** Notes, for each `j`, how long it takes until another ticket is painted. */
const WATCH_STEPS = `window.taken = []
let pressed = 0
addEventListener('keydown', ({ key, timeStamp }) => { if (key === 'j') pressed = timeStamp }, true)
let shown = document.querySelector('[data-ticket]')?.dataset.ticket
new MutationObserver(() => {
  const ticket = document.querySelector('[data-ticket]')?.dataset.ticket
  if (!ticket || ticket === shown || pressed === 0) return
  shown = ticket
  requestAnimationFrame(() => setTimeout(() => { taken.push(performance.now() - pressed) }))
}).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-ticket'] })`

async function step(page: Page, name: string): Promise<void> {
  await page.evaluate(WATCH_STEPS)
  const times = () => page.evaluate(() => (window as unknown as { taken: number[] }).taken)
  for (let n = 1; n <= STEPS; n++) {
    await page.keyboard.press('j')
    while ((await times()).length < n) await Bun.sleep(10)
    await Bun.sleep(200)
  }
  show(name, await times())
}

function show(name: string, times: readonly number[]): void {
  row(name, quantile(times, 0.5).toFixed(0), quantile(times, 0.95).toFixed(0), Math.max(...times).toFixed(0))
}

/** Goes through tickets by key. Returns what a server has to have ready for the same. */
async function steps(context: BrowserContext, origin: string): Promise<{ html: string[]; style: string }> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${origin}/console/inbox`)
  const html: string[] = []
  page.on('response', async (response) => {
    if (/\/console\/tickets\/[^/]+$/.test(response.url())) html.push(await response.text())
  })
  const links = page.locator('.tickets a')
  await links.first().click()
  await page.locator('[data-ticket]').waitFor()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await step(page, 'from the key to the next ticket')
  const href = await page.locator('link[rel="stylesheet"]').getAttribute('href')
  const style = await (await fetch(origin + href)).text()
  await page.close()
  return { html, style }
}

async function floor(context: BrowserContext, { html, style }: { html: string[]; style: string }, folder: string) {
  const pages = join(folder, 'pages')
  mkdirSync(pages)
  await Bun.write(join(pages, 'style.css'), style)
  for (const [n, text] of html.entries()) {
    const bare = text
      .replaceAll(/<script[^>]*><\/script>/g, '')
      .replace(/<link rel="stylesheet"[^>]*>/, '<link rel="stylesheet" href="style.css">')
      .replace('</head>', '<script src="script.js" defer></script></head>')
    await Bun.write(join(pages, `${n}.html`), bare)
  }
  const server = await start(['test/bench/desk-floor.ts', pages], /^(\d+)$/m, {})
  const page = await context.newPage()
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`http://127.0.0.1:${server.port}/0.html`)
  await step(page, 'the floor')
  await page.close()
  await server.stop()
}

/** From what a visitor says until it is on the screen of an agent who has the chat open. */
async function messages(context: BrowserContext, origin: string, sourceId: string): Promise<void> {
  const chat = `${origin}/chat/${sourceId}`
  const { token } = await send(`${chat}/visitors`, {})
  const { conversationId } = await send(`${chat}/conversations`, { text: 'Hello' }, token)
  const page = await context.newPage()
  await page.goto(`${origin}/console/tickets/${conversationId}`)
  const times: number[] = []
  for (let n = 0; n < MESSAGES; n++) {
    const text = `Message ${n} of the bench.`
    const arrived = page.getByText(text).first().waitFor()
    const sent = performance.now()
    await send(`${chat}/conversations/${conversationId}/messages`, { text }, token)
    await arrived
    times.push(performance.now() - sent)
    await Bun.sleep(1500)
  }
  show('from a visitor’s message to an agent’s screen', times)
}

async function send(url: string, body: object, token?: string) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  return (await response.json()) as any
}

if (import.meta.main) await benchDesk()
