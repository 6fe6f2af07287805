import { afterEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/index.ts'
import { tenants } from '../../src/db/schema.ts'
import { unwatched } from '../../src/db/watch.ts'
import { upgrade } from '../../src/http/context.ts'
import { listen } from '../../src/http/server.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { during } from '../../src/lib/loop/activity.ts'
import { STALL, watchStalls } from '../../src/lib/loop/stalls.ts'
import { createMeter } from '../../src/metrics/meter.ts'
import { Scheduler } from '../../src/work/scheduler.ts'
import { startApp, TestClock } from '../support/app.ts'
import { until } from '../support/patience.ts'

/* Who keeps everybody else waiting is named in the log. */

const lines: { message: string; during?: string; ms: number; cpuMs: number }[] = []
const log = createLog((line) => lines.push(JSON.parse(line)), false)
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  lines.length = 0
})

/** Keeps the thread to itself, as a loop over too much would. */
function hog(): void {
  const end = performance.now() + 1.5 * STALL
  while (performance.now() < end);
}

/** The line of the log that names `who`, which keeps others waiting until there is one: a line stands for all of a second. */
async function named(who: string, keepWaiting: () => unknown) {
  ends.push(watchStalls(log))
  return until(() => lines.find((line) => line.during === who), keepWaiting)
}

describe('the log names', () => {
  test('a request by its route, and never by what is in its path', async () => {
    let isArmed = false
    const clock = new TestClock()
    const { now } = clock
    clock.now = () => {
      if (isArmed) hog()
      isArmed = false
      return now()
    }
    const app = await startApp({ replace: { clock }, meter: createMeter() })
    ends.push(() => app.close())
    const tenant = await app.createTenant()
    const line = await named('GET /v1/contacts/:id', async () => {
      isArmed = true
      await tenant.get(`/v1/contacts/${crypto.randomUUID()}`)
    })
    expect(line).toMatchObject({ level: 'warn', message: expect.stringMatching(/^nobody was served for a moment/) })
    expect(line.ms).toBeGreaterThanOrEqual(STALL)
    expect(JSON.stringify(lines)).not.toMatch(/[0-9a-f]{8}-/)
  })

  test('a job, and what it goes on with after waiting', async () => {
    const app = await startApp()
    ends.push(() => app.close())
    const job = {
      name: 'hog the thread',
      nextDue: async (now: number) => now,
      run: async () => {
        await Bun.sleep(1)
        await app.database.transaction(async (tx) => {
          hog()
          await tx.select({ id: tenants.id }).from(tenants).limit(1)
        })
        return false
      },
    }
    const occasions = { begin: async () => {}, clockWentBack: async () => {} }
    const scheduler = new Scheduler({ ...app.deps, log }, [job], occasions)
    await named('the job “hog the thread”', () => scheduler.look())
  })

  test('a socket', async () => {
    const handler = { opened: () => {}, received: hog, ponged: () => {}, closed: () => {} }
    const listener = listen(loadConfig({ FRONTDESK_PORT: '0' }))
    listener.serve({
      server: null,
      fetch: (request) => (upgrade(request, handler) ? (undefined as unknown as Response) : new Response()),
    })
    ends.push(() => listener.server.stop(true))
    const socket = new WebSocket(listener.server.url.href.replace('http', 'ws'))
    await new Promise((resolve) => (socket.onopen = resolve))
    await named('a socket', () => socket.send('hello'))
    socket.close()
  })

  test('nobody who was not at work', async () => {
    ends.push(watchStalls(log))
    during({ name: 'long ago' }, () => {})
    const [line] = await until(
      () => lines.length > 0 && lines,
      async () => {
        await Bun.sleep(100)
        hog()
        await Bun.sleep(0)
      },
    )
    expect(line?.during).toBeUndefined()
  })
})

describe('a slow statement', () => {
  /** Counts to `most`, which takes the engine a while, and a statement. */
  const count = (most: number, name: string) => ({
    sum: sql`(WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${most}) SELECT count(*) FROM n WHERE ${name} <> '')`,
  })

  test('is told of by its text, without the values it is about', async () => {
    const app = await startApp()
    ends.push(() => app.close())
    await app.createTenant()
    const slow: string[] = []
    const watch = { ...unwatched, slow: (text: string, ms: number) => slow.push(`${ms >= 500} ${text}`) }
    const database = await openDatabase(app.deps.config, watch)
    ends.push(() => database.close())
    // Of a machine that stood still for a moment, any statement may be slow once.
    await until(async () => {
      slow.length = 0
      await database.db.select({ id: tenants.id }).from(tenants).limit(1)
      return slow.length === 0
    })
    let most = 1_000_000
    const told = (count: () => Promise<unknown>) =>
      until(
        () => slow.find((line) => /WITH RECURSIVE/i.test(line)),
        async () => {
          most *= 2
          await count()
        },
      )
    const line = await told(() => database.db.select(count(most, 'ada@customer.test')).from(tenants).limit(1))
    expect(line).toStartWith('true ')
    expect(line).not.toContain('ada@customer.test')
    expect(line).not.toContain(String(most))
    slow.length = 0
    const inOne = () => database.transaction((tx) => tx.select(count(most, 'ada')).from(tenants).limit(1))
    expect(await told(inOne)).toStartWith('true ')
  })
})
