import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { TestApp } from '../support/app.ts'
import { NOBODYS_PORT } from '../support/processes/ports.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import {
  closeSilently,
  endlessBody,
  gzipBomb,
  hang,
  redirect,
  reply,
  reset,
  resetMidBody,
  type Script,
} from '../support/webhooks/receiver.ts'
import {
  addContacts,
  contactsOf,
  passWindow,
  startDelivering,
  subscribe,
  WINDOW,
} from '../support/webhooks/webhooks.ts'

/** Of a service that soon gives up: stands for the 30 s that receivers have. */
const TIMEOUT = 1_500

let [patient, impatient]: TestApp[] = []

beforeAll(async () => {
  patient = await startDelivering()
  impatient = await startDelivering({ FRONTDESK_WEBHOOK_TIMEOUT_MS: String(TIMEOUT) })
})
afterAll(() => Promise.all([patient, impatient].map((app) => app?.close())))

describe('a receiver that', () => {
  const cases: [what: string, script: () => Script, statusCode: number | null, error: string | null][] = [
    ['hangs before the headers', hang, null, 'timeout'],
    ['drips the headers', () => reply(200, { dripHeadersMs: TIMEOUT / 10 }), null, 'timeout'],
    ['drips the body', () => reply(200, { body: 'slow', dripBodyMs: 200 }), 200, null],
    ['sends a body without end', endlessBody, 200, null],
    ['resets the connection', reset, null, 'reset'],
    ['closes without a word', closeSilently, null, 'reset'],
    ['resets in the middle of a 200', resetMidBody, 200, null],
    ['redirects for good', () => redirect('/elsewhere', 301), 301, 'redirect'],
    ['redirects for now', () => redirect('/elsewhere', 307), 307, 'redirect'],
    ['has nothing new to say', () => reply(304), 304, 'redirect'],
    ['answers in time', () => reply(204, { delayMs: TIMEOUT / 2 }), 204, null],
    ['answers too late', () => reply(200, { delayMs: (TIMEOUT * 4) / 3 }), null, 'timeout'],
    ['sends 10 MB', () => reply(200, { body: Buffer.alloc(10e6, 'y') }), 200, null],
    ['sends a gzip bomb', () => gzipBomb(), 200, null],
    ['is gone', () => reply(410), 410, 'status'],
    ['limits the rate', () => reply(429, { headers: { 'retry-after': '3600' } }), 429, 'status'],
  ]
  test.each(cases)('%s', async (_, script, statusCode, error) => {
    const app = (error === 'timeout' ? impatient : patient) as TestApp
    const tenant = await app.createTenant()
    const receiver = await receiving([script()])
    const id = await subscribe(tenant, receiver)
    const contacts = await addContacts(tenant)
    await passWindow(app)
    const deliveries = async () => (await tenant.get(`/v1/webhooks/${id}/deliveries`)).body.items
    const [delivery] = await deliveries()
    expect(delivery.attempts).toEqual([{ at: expect.any(String), statusCode, error, durationMs: expect.any(Number) }])
    expect(delivery.status).toBe(error === null ? 'delivered' : 'retrying')

    app.clock.advance(30_000)
    await app.runDue()
    expect(contactsOf(receiver)).toEqual(error === null ? [contacts] : [contacts, contacts])
    expect((await deliveries())[0].status).toBe('delivered')
  })

  test('does not listen is refused', async () => {
    const app = patient as TestApp
    const tenant = await app.createTenant()
    const id = await subscribe(tenant, { url: `http://127.0.0.1:${NOBODYS_PORT}` })
    await addContacts(tenant)
    await passWindow(app)
    const [{ attempts }] = (await tenant.get(`/v1/webhooks/${id}/deliveries`)).body.items
    expect(attempts).toMatchObject([{ statusCode: null, error: 'refused' }])
  })
})

describe('dead receivers', () => {
  test('hold up no live one, of their tenant or another, the first time and later', async () => {
    // Whoever waited for a dead one would wait as long as `waitFor` does.
    const app = await startDelivering()
    try {
      const [acme, other] = [await app.createTenant(), await app.createTenant('Other')]
      const [silent, mine, theirs] = [await receiving(), await receiving(), await receiving()]
      for (let i = 0; i < 600; i++) await subscribe(acme, silent)
      await subscribe(acme, mine)
      await subscribe(other, theirs)
      for (const round of [1, 2]) {
        silent.always(hang())
        await addContacts(acme)
        await addContacts(other)
        await app.runDue()
        app.clock.advance(WINDOW)
        const running = app.runDue()
        await Promise.all([mine.waitFor(round), theirs.waitFor(round)])
        silent.always(closeSilently())
        silent.hangUp()
        await running
      }
    } finally {
      await app.close()
    }
  })
})
