import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { busyTime, start } from '../harness/processes.ts'
import { print, quantile, row } from '../harness/report.ts'
import { settled } from './idle.ts'
import { browserOf, type Desk } from './staff.ts'

const STEPS = 40
/** Between two steps, in milliseconds: what a glance takes. */
const GLANCE = 300
/** From the key to the ticket, in milliseconds at p95. */
const MOST = 100
/** Pages of each kind that are asked for before it counts. */
const WARM_UP = 200
export const SIZE = { width: 1440, height: 900 }

/** What a server has ready for the same: pages as the service wrote them. */
export interface Pages {
  readonly html: readonly string[]
  readonly style: string
}

/**
 * Notes in `taken`, for each key or click, how long it takes until the ticket that it leads to is painted: the one whose row
 * is next, with its thread. Where another one comes, or one without its messages, `wrong` says so.
 */
const WATCH = `window.taken = []
window.wrong = []
let from = 0
let wanted = null
const idOf = (row) => row?.id.replace('t-', '')
const begin = (at, row) => { from = at; wanted = { id: idOf(row), subject: row?.querySelector('.subject')?.textContent } }
addEventListener('keydown', ({ key, timeStamp }) => {
  if (key === 'j') begin(timeStamp, document.querySelector('.tickets .current')?.nextElementSibling)
}, true)
addEventListener('click', ({ target, timeStamp }) => begin(timeStamp, target.closest('.tickets li')), true)
let shown = document.querySelector('[data-ticket]')?.dataset.ticket
const look = () => {
  const pane = document.querySelector('[data-ticket]')
  const ticket = pane?.dataset.ticket
  if (!ticket || ticket === shown || wanted === null) return
  shown = ticket
  const { id, subject } = wanted
  wanted = null
  requestAnimationFrame(() => setTimeout(() => {
    taken.push(performance.now() - from)
    const isWhole = pane.isConnected && pane.querySelector('.thread')?.innerText.length > 0 && pane.querySelector('.composer')
    const isRight = id === undefined || (ticket === id && pane.querySelector('h1').innerText.includes(subject))
    if (!isWhole || !isRight) wrong.push(ticket)
  }))
}
new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-ticket'] })`

interface Watched {
  taken: number[]
  wrong: string[]
}

async function watched(page: Page, name: string, act: (n: number) => Promise<void>): Promise<number[]> {
  await page.evaluate(WATCH)
  const read = () =>
    page.evaluate(() => {
      const { taken, wrong } = window as unknown as Watched
      return { taken, wrong }
    })
  for (let n = 1; n <= STEPS; n++) {
    await act(n)
    while ((await read()).taken.length < n) await Bun.sleep(10)
    await Bun.sleep(GLANCE)
  }
  const { taken, wrong } = await read()
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.length} showed another ticket, or half of it: ${wrong[0]}`)
  return taken
}

/** A row of times, with what the limit is for their p95, if there is one. */
export function show(name: string, times: readonly number[], most: number | null): void {
  const p95 = quantile(times, 0.95)
  const cells = [quantile(times, 0.5), p95, Math.max(...times)].map((time) => time.toFixed(0))
  row(name, ...cells, ...(most === null ? [] : [`< ${most}`, p95 < most ? 'kept' : 'MISSED']))
}

/** A service that runs since today has compiled what pages take, and has nothing to do. */
async function warmUp({ service, origin, cookies }: Desk): Promise<void> {
  const get = async (path: string, n: number) =>
    (await fetch(origin + path, { headers: { cookie: cookies[n % cookies.length] as string } })).text()
  const list = await get('/console/inbox', 0)
  const paths = [...new Set(list.match(/\/console\/tickets\/[0-9a-f-]+/g))]
  for (let n = 0; n < WARM_UP; n++) {
    await get('/console/inbox', n)
    await get(paths[n % paths.length] as string, n)
  }
  await settled(service)
}

/** Goes through tickets by key and by click, and on the floor. Returns what the floor has ready. */
export async function measureSteps(desk: Desk): Promise<Pages> {
  const { service, origin, folder } = desk
  await warmUp(desk)
  const { context, close } = await browserOf(desk, 0)
  const page = await openPage(context, `${origin}/console/inbox`)
  const html: string[] = []
  page.on('response', async (response) => {
    if (/\/console\/tickets\/[^/]+$/.test(response.url())) html.push(await response.text())
  })
  const rows = page.locator('.tickets a')
  await rows.first().click()
  await page.locator('[data-ticket]').waitFor()
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  const before = await busyTime(service.pid)
  const byKey = await watched(page, 'by key', () => page.keyboard.press('j'))
  const busy = (await busyTime(service.pid)) - before
  const count = await rows.count()
  const byClick = await watched(page, 'by click', (n) => rows.nth((n * 7) % count).click())
  const href = await page.locator('link[rel="stylesheet"]').getAttribute('href')
  const pages = { html, style: await (await fetch(origin + href)).text() }
  await page.close()
  const floor = await floorOf(context, pages, folder)
  await close()
  row('', 'p50 ms', 'p95 ms', 'worst ms', 'limit p95', '')
  show('from the key to the next ticket', byKey, MOST)
  show('from a click to any other, not asked for ahead', byClick, MOST)
  show('the floor: the same pages, ready and only shown', floor, null)
  print(
    `each was the right ticket, with its thread; one step by key keeps the service busy for ${(busy / STEPS).toFixed(1)} ms`,
  )
  return pages
}

async function openPage(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.setViewportSize(SIZE)
  await page.goto(url)
  return page
}

async function floorOf(context: BrowserContext, { html, style }: Pages, folder: string): Promise<number[]> {
  const pages = join(folder, 'pages')
  mkdirSync(pages)
  await Bun.write(join(pages, 'style.css'), style)
  for (const [n, text] of html.entries()) await Bun.write(join(pages, `${n}.html`), bare(text))
  const server = await start(['test/bench/desk/floor.ts', pages], /^(\d+)$/m, {})
  const page = await openPage(context, `http://127.0.0.1:${server.port}/0.html`)
  const taken = await watched(page, 'the floor', () => page.keyboard.press('j'))
  await page.close()
  await server.stop()
  return taken
}

/** A page of the service with the floor's script in place of its own. */
export function bare(text: string): string {
  return text
    .replaceAll(/<script[^>]*><\/script>/g, '')
    .replace(/<link rel="stylesheet"[^>]*>/, '<link rel="stylesheet" href="style.css">')
    .replace('</head>', '<script src="script.js" defer></script></head>')
}
