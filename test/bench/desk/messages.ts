import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { busyTime, start } from '../harness/processes.ts'
import { print } from '../harness/report.ts'
import { browserOf, type Desk } from './staff.ts'
import { bare, type Pages, SIZE, show } from './steps.ts'

/** A thread shows the newest thirty: the first is to be seen still with the last. */
const MESSAGES = 25
/** Between two messages, in milliseconds: all lists have asked for the last one. */
const PAUSE = 1500
/** From what is said to another's screen, in milliseconds at p95. */
const MOST = 300

const textOf = (n: number) => `Message ${n} of the bench.`
const SAID = /Message (\d+) of the bench\./g

/** Notes when each of the messages is painted within a part of the page, by the clock that the sender has too. */
const watch = (part: string) => `window.painted = {}
const look = () => {
  for (const [text] of (document.querySelector('${part}')?.textContent ?? '').matchAll(${SAID})) {
    if (text in painted) continue
    painted[text] = null
    requestAnimationFrame(() => setTimeout(() => { painted[text] = performance.timeOrigin + performance.now() }))
  }
}
new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })`

const paintedOn = (page: Page, text: string) =>
  page.evaluate((text) => (window as unknown as { painted: Record<string, number | null> }).painted[text], text)

/** From what a visitor says until it is on the screens of one agent who has the chat open and another who has the list. */
export async function measureMessages(desk: Desk, pages: Pages): Promise<void> {
  const { service, origin, sourceId, folder } = desk
  const chat = `${origin}/chat/${sourceId}`
  const { token } = await send(`${chat}/visitors`, {})
  const { conversationId } = await send(`${chat}/conversations`, { text: 'Hello' }, token)
  const [one, other] = [await browserOf(desk, 0), await browserOf(desk, 1)]
  const [ticket, list] = [await one.context.newPage(), await other.context.newPage()]
  await ticket.setViewportSize(SIZE)
  await list.setViewportSize(SIZE)
  const written: string[] = []
  ticket.on('response', async (response) => {
    if (/\/console\/tickets\/[^/]+$/.test(response.url())) written.push(await response.text())
  })
  await ticket.goto(`${origin}/console/tickets/${conversationId}`)
  await list.goto(`${origin}/console/inbox`)
  await ticket.evaluate(watch('.thread'))
  await list.evaluate(watch('.tickets'))
  const before = await busyTime(service.pid)
  const said = await sayAll([ticket, list], (text) =>
    send(`${chat}/conversations/${conversationId}/messages`, { text }, token),
  )
  const busy = (await busyTime(service.pid)) - before
  await list.close()
  const floor = await floorOf(ticket, { ...pages, html: written }, folder)
  await one.close()
  await other.close()
  show('from a message to the screen of who has the chat', said[0] as number[], MOST)
  show('the floor: the same page, ready and only shown', floor, null)
  show('to the row of who has the list: waits half a second', said[1] as number[], null)
  print(
    `one message keeps the service busy for ${(busy / MESSAGES).toFixed(0)} ms, all that open lists ask for then included`,
  )
}

/** How long each message takes to each page. */
async function sayAll(pages: readonly Page[], say: (text: string) => Promise<unknown>): Promise<number[][]> {
  const times: number[][] = pages.map(() => [])
  for (let n = 0; n < MESSAGES; n++) {
    const at = performance.timeOrigin + performance.now()
    await say(textOf(n))
    for (const [index, page] of pages.entries()) {
      let painted: number | null | undefined
      while (!painted) {
        painted = await paintedOn(page, textOf(n))
        if (!painted) await Bun.sleep(20)
      }
      times[index]?.push(painted - at)
    }
    await Bun.sleep(PAUSE)
  }
  return times
}

/** The pages that the service wrote one after the other, shown as soon as somebody says something. */
async function floorOf(page: Page, { html, style }: Pages, folder: string): Promise<number[]> {
  const pages = join(folder, 'pages')
  await Bun.write(join(pages, 'style.css'), style)
  const last = html.findLast((text) => text.includes(textOf(MESSAGES - 1))) ?? ''
  for (let n = 0; n <= MESSAGES; n++) {
    const saidBefore = last.replaceAll(SAID, (text, at) => (Number(at) < n ? text : 'Hello'))
    await Bun.write(join(pages, `${n}.html`), bare(saidBefore))
  }
  const server = await start(['test/bench/desk/floor.ts', pages], /^(\d+)$/m, {})
  const origin = `http://127.0.0.1:${server.port}`
  await page.goto(`${origin}/0.html`)
  await page.locator('[data-listens]').waitFor()
  await page.evaluate(watch('.thread'))
  const [times = []] = await sayAll([page], () => fetch(`${origin}/say`, { method: 'POST' }))
  await server.stop()
  return times
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
