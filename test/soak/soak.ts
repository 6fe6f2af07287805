import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/index.ts'
import { eventNames } from '../../src/kinds/events.ts'
import { openConsoles } from '../bench/desk/staff.ts'
import { type Running, startService } from '../bench/harness/processes.ts'
import { startMailServer } from '../support/mail/server.ts'
import { until } from '../support/patience.ts'
import { faultLines } from '../support/processes/log-lines.ts'
import { Chats } from './chats.ts'
import { descriptorsOf, type Figures, figuresOf, metricsOf } from './figures.ts'
import { Ledger } from './ledger.ts'
import { compareWith, eventsIn } from './proof.ts'
import { startReceiver } from './receiver.ts'
import { furnish, type Site } from './site.ts'
import { keepWorking } from './work.ts'

const SAMPLE_EVERY = 5_000
/** Descriptors that a service may have open more than at its start: threads that read mail, connections to the database. */
const SPARE_DESCRIPTORS = 20

export interface Plan {
  readonly minutes: number
  readonly chats: number
  readonly consoles: number
  readonly subscriptions: number
}

export interface Soaked {
  /** Every five seconds, from when everybody is there. */
  readonly figures: readonly Figures[]
  /** Once all have left. */
  readonly rest: Figures
  /** Descriptors before anybody came. */
  readonly start: number
  readonly done: ReadonlyMap<string, number>
  readonly faults: readonly string[]
  readonly faultCount: number
}

/**
 * Has people and programs work with a service on a new folder for so many minutes. Then all leave, and what was
 * acknowledged is looked for. `tell` is given the figures so far, each time there are new ones.
 */
export async function soak(plan: Plan, tell: (figures: Figures[], ledger: Ledger) => void): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-soak-'))
  const dataDir = join(folder, 'data')
  const mailServer = await startMailServer()
  const receiver = startReceiver(plan.subscriptions)
  const ledger = new Ledger()
  let service: Running | undefined
  try {
    const site = await furnish(dataDir)
    service = await startService(dataDir, {
      FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000',
      FRONTDESK_TRUSTED_PROXIES: '127.0.0.1',
      FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true',
      FRONTDESK_INBOUND_SMTP_PORT: '0',
      FRONTDESK_METRICS_PORT: '0',
      FRONTDESK_SMTP_URL: mailServer.url,
    })
    const start = descriptorsOf(service.pid)
    await subscribe(service, site, receiver.urls)
    const figures = await work(service, { plan, site, dataDir, ledger, tell })
    const isThere = async () => {
      const mailed = mailServer.mails.map(({ text = '' }) => text.trim().split('\n', 1)[0] ?? '')
      return ledger.missing('answer', new Set(mailed)).length === 0 && receiver.lost(await eventsIn(dataDir)) === 0
    }
    const rest = await comeToRest(service, start, isThere)
    for (const line of faultLines(await service.output.text())) ledger.fault(`log: ${JSON.stringify(line)}`)
    await service.stop()
    await compareWith(dataDir, ledger)
    const eventIds = await eventsIn(dataDir)
    const lost = receiver.lost(eventIds)
    if (lost > 0) ledger.fault(`lost: ${lost} times an event did not come to a subscription`)
    ledger.done.set('event', eventIds.length)
    ledger.done.set('webhook delivery', receiver.deliveries())
    ledger.done.set('mail delivered', mailServer.mails.length)
    return { ...ledger, figures, rest, start }
  } finally {
    await service?.stop()
    receiver.stop()
    await mailServer.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function subscribe(service: Running, { key }: Site, urls: readonly string[]): Promise<void> {
  for (const url of urls) {
    const response = await fetch(`http://127.0.0.1:${service.port}/v1/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Soak', url, events: eventNames }),
    })
    if (!response.ok) throw new Error(await response.text())
  }
}

interface Shift {
  readonly plan: Plan
  readonly site: Site
  readonly dataDir: string
  readonly ledger: Ledger
  readonly tell: (figures: Figures[], ledger: Ledger) => void
}

/** Everybody comes, works for as long as planned, and leaves. Resolves with the figures meanwhile. */
async function work(service: Running, { plan, site, dataDir, ledger, tell }: Shift): Promise<Figures[]> {
  const url = `http://127.0.0.1:${service.port}`
  const smtpPort = Number(/takes mail on smtp:\/\/[^:]+:(\d+)/.exec(await service.output.text())?.[1])
  const metrics = await metricsOf(service)
  const chats = new Chats(`${url}/chat/${site.sourceId}`)
  await chats.fill(plan.chats)
  const consoles = await openConsoles(url, site.cookies.slice(0, plan.consoles), join(dataDir, '..'))
  const database = await openDatabase({ dataDir })
  const over = new AbortController()
  const working = keepWorking({ url, smtpPort, database, site, chats, ledger }, over.signal)
  const figures: Figures[] = []
  const began = performance.now()
  const end = began + plan.minutes * 60_000
  while (performance.now() < end) {
    await Bun.sleep(Math.min(SAMPLE_EVERY, Math.max(0, end - performance.now())))
    if (service.hasEnded()) throw new Error(`the service has ended: ${(await service.output.text()).slice(-2_000)}`)
    figures.push(await figuresOf(service, metrics, began))
    tell(figures, ledger)
  }
  over.abort()
  await working
  await database.close()
  if (consoles.hasEnded()) ledger.fault('consoles: one was refused its events')
  if (chats.cut() > 0) ledger.fault(`chats: ${chats.cut()} sockets were closed by the service`)
  await Promise.all([chats.leave(), consoles.stop()])
  return figures
}

/** The figures once nothing waits any more, all connections are closed, and what has to be sent `isThere`. */
async function comeToRest(service: Running, start: number, isThere: () => Promise<boolean>): Promise<Figures> {
  const metrics = await metricsOf(service)
  const began = performance.now()
  return until(
    async () => {
      const figures = await figuresOf(service, metrics, began)
      const isAtRest = figures.lagSeconds === 0 && figures.descriptors <= start + SPARE_DESCRIPTORS
      return isAtRest && (await isThere()) && figures
    },
    () => Bun.sleep(500),
  )
}
