import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { createContact, updateContact } from '../../../src/contacts/operations.ts'
import { findContactId, getContact } from '../../../src/contacts/read.ts'
import type { Answer, TestTenant } from '../../support/app.ts'
import { until } from '../../support/patience.ts'
import { startFragile } from '../../support/processes/nodes.ts'

let fragile: Awaited<ReturnType<typeof startFragile>>
let tenant: TestTenant
beforeAll(async () => {
  fragile = await startFragile()
  tenant = await fragile.app.createTenant()
})
afterAll(() => fragile.close())

let emails = 0
const create = () => tenant.post('/v1/contacts', { email: `c${++emails}@acme.test` })

/** Writes from ten clients until `fault` has passed, and some more. */
async function writeDuring(fault: () => Promise<void>): Promise<Answer[]> {
  const answers: Answer[] = []
  let over = false
  const clients = Array.from({ length: 10 }, async () => {
    while (!over) answers.push(await create())
  })
  await fault()
  over = true
  await Promise.all(clients)
  return answers
}

/** Every write was done or refused, what was acknowledged is there with its event, and nothing is half done. */
async function expectWhole(answers: readonly Answer[]): Promise<void> {
  expect(new Set(answers.map(({ status }) => status)).difference(new Set([201, 503]))).toEqual(new Set())
  for (const { status, body, headers } of answers) {
    if (status !== 503) continue
    expect(body.error).toBe('unavailable')
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  const events = (await tenant.events()).map(({ payload }) => payload.id)
  const told = new Set(events)
  expect(events.length).toBe(told.size)
  for (const { status, body } of answers) if (status === 201) expect(told.has(body.id)).toBeTrue()
  const [count] = await Promise.all([countContacts()])
  expect(count).toBe(told.size)
}

async function countContacts(): Promise<number> {
  let count = 0
  let cursor = ''
  do {
    const { body } = await tenant.get(`/v1/contacts?limit=100${cursor}`)
    count += body.items.length
    cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : ''
  } while (cursor)
  return count
}

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

async function recovers(): Promise<void> {
  await until(async () => (await create()).status === 201)
}

describe('the service outlives', () => {
  test('a server that is stopped and started again', async () => {
    const answers = await writeDuring(async () => {
      await Bun.sleep(300)
      await fragile.server.halt()
      const away = await tenant.get('/v1/contacts')
      expect([away.status, away.body.error]).toEqual([503, 'unavailable'])
      expect((await fragile.app.request('GET', '/healthz')).status).toBe(503)
      await fragile.server.start()
      await Bun.sleep(300)
    })
    await recovers()
    await expectWhole(answers)
  })

  test('connections that are cut', async () => {
    const admin = postgres(fragile.server.url, { max: 1, onnotice: () => {} })
    const answers = await writeDuring(async () => {
      for (let i = 0; i < 10; i++) {
        await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND application_name = 'frontdesk'`
        await Bun.sleep(50)
      }
    })
    await admin.end()
    await recovers()
    await expectWhole(answers)
  })

  test('a connection that is cut right before a commit: what it was to store is stored by another', async () => {
    const tenant = await fragile.app.createTenant()
    const { id } = (await tenant.post('/v1/contacts', { email: 'cut@acme.test' })).body
    const admin = postgres(fragile.server.url, { max: 1, onnotice: () => {} })
    let attempts = 0
    await tenant.perform(async (tx, caller) => {
      attempts++
      await updateContact(tx, caller, id, { lastName: 'Kept' })
      if (attempts > 1) return
      const cut = await admin<{ pid: number }[]>`
        SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE state = 'idle in transaction' AND application_name = 'frontdesk'`
      await until(() => cut.every(({ pid }) => hasEnded(pid)))
      // What came before these answers has been read, and whoever waits to hear of it has been told.
      for (let turn = 0; turn < 10; turn++) await admin`SELECT 1`
    })
    await admin.end()
    expect((await tenant.get(`/v1/contacts/${id}`)).body.lastName).toBe('Kept')
    expect(attempts).toBe(2)
  })

  test('a connection that is cut amid a commit: the change is not made again, and what is said of it is true', async () => {
    const { tenantId, perform } = await fragile.app.createTenant()
    const admin = postgres(fragile.server.url, { max: 1, onnotice: () => {} })
    await admin.unsafe(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER waits AFTER INSERT ON contacts DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.email = 'amid@acme.test') EXECUTE FUNCTION wait();`)
    let attempts = 0
    const written = perform((tx, caller) => {
      attempts++
      return createContact(tx, caller, { email: 'amid@acme.test' }, 'api')
    })
    const outcome = Promise.allSettled([written])
    const cut = () => admin`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'COMMIT' AND wait_event = 'PgSleep'`
    await until(async () => (await cut()).length > 0)
    expect(await outcome).toMatchObject([
      {
        status: 'rejected',
        reason: {
          code: 'unavailable',
          cause: { message: expect.stringContaining('whether a change was stored is not known') },
        },
      },
    ])
    expect(attempts).toBe(1)
    await admin.unsafe('DROP TRIGGER waits ON contacts; DROP FUNCTION wait()')
    await admin.end()
    expect(await findContactId(fragile.app.database.db, tenantId, 'amid@acme.test')).toBeNull()
  })

  test('a table that an administrator keeps locked: what needs it is a 503, and all else goes on', async () => {
    const admin = postgres(fragile.server.url, { max: 1, onnotice: () => {} })
    await admin.unsafe('BEGIN; LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE')
    // More than there are connections to read on.
    const refused = await Promise.all(Array.from({ length: 10 }, () => tenant.get('/v1/contacts')))
    const others = await tenant.get('/v1/forms')
    await admin.unsafe('COMMIT')
    await admin.end()
    for (const { status, body, headers } of refused) {
      expect([status, body.error, headers.get('retry-after')]).toEqual([503, 'unavailable', '2'])
    }
    expect(others.status).toBe(200)
    expect((await tenant.get('/v1/contacts')).status).toBe(200)
  })

  test('a server that stands still for a while', async () => {
    const answers = await writeDuring(async () => {
      fragile.server.signalAll('SIGSTOP')
      await Bun.sleep(10_000)
      fragile.server.signalAll('SIGCONT')
    })
    await recovers()
    await expectWhole(answers)
  })

  test('a server that stands still for long: what it leaves unanswered is given up', async () => {
    const { database } = fragile.app
    // More than there are connections.
    const asked = Array.from({ length: 20 })
    fragile.server.signalAll('SIGSTOP')
    try {
      const reads = asked.map(() => getContact(database.db, tenant.tenantId, 'none'))
      const writes = asked.map(() => tenant.perform((tx) => getContact(tx, tenant.tenantId, 'none')))
      for (const answer of await Promise.allSettled([...reads, ...writes])) {
        expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
      }
    } finally {
      fragile.server.signalAll('SIGCONT')
    }
    await recovers()
  })
})
