import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Kept } from '../../src/backup/make.ts'
import { mailboxes } from '../../src/db/schema.ts'
import { catalogue } from '../../src/metrics/catalogue.ts'
import { createMeter } from '../../src/metrics/meter.ts'
import { listenForScrapes, type Metrics } from '../../src/metrics/server.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { deleteTeam } from '../../src/tickets/assignment.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { serverUrl } from '../support/data/postgres.ts'
import { createMailInbox } from '../support/mail/mailboxes.ts'
import { createMailbox } from '../support/mail/mails.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail/server.ts'
import { until } from '../support/patience.ts'
import { rulesOf } from '../support/tickets/rules.ts'
import { createTicket } from '../support/tickets/tickets.ts'
import { type Receiver, reply, startReceiver } from '../support/webhooks/receiver.ts'
import { addContacts, passWindow, subscribe } from '../support/webhooks/webhooks.ts'

/* Every metric of decisions §22, by work that has to show in it. */

const isOnPostgres = serverUrl !== null
let app: TestApp
let acme: TestTenant
let metrics: Metrics
let receiver: Receiver
let mail: MailServer
/** What comes of the next backup. */
let nextBackup = async (): Promise<Kept> => {
  throw new Error('not yet')
}

beforeAll(async () => {
  mail = await startMailServer({
    onRcptTo: ({ address }, _, done) => done(address.startsWith('gone@') ? refusal(550, 'no such mailbox') : null),
  })
  receiver = await startReceiver()
  const meter = createMeter()
  app = await startApp({
    meter,
    environment: {
      FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true',
      FRONTDESK_SMTP_URL: mail.url,
      FRONTDESK_RATE_LIMIT: '200',
      FRONTDESK_PUBLIC_RATE_LIMIT: '1',
      FRONTDESK_BACKUP_TO: '/nowhere',
      FRONTDESK_BACKUP_EVERY: '2h',
    },
    replace: { startBackup: () => ({ done: nextBackup(), kill: () => {} }) },
  })
  acme = await app.createTenant()
  metrics = listenForScrapes({ host: '127.0.0.1', port: 0 }, meter, { ...app.deps, openSockets: app.openSockets })
})
afterAll(async () => {
  await metrics.stop()
  await app.close()
  await receiver.close()
  await mail.close()
})

/** What a scrape says, line by line: `name{labels}` and the number. */
async function scrape(): Promise<Map<string, number>> {
  // What was gathered stands for a second.
  app.clock.advance(1_001)
  const text = await (await fetch(metrics.url)).text()
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => /^(.*) (\S+)$/.exec(line)?.slice(1) as [string, string]).map(([of, n]) => [of, +n]),
  )
}

/** How much more each line says once `work` is done; what says the same is left out. */
async function changed(work: () => Promise<unknown>, about: RegExp): Promise<Record<string, number>> {
  const before = await scrape()
  await work()
  const after = await scrape()
  const more = [...after].map(([line, n]) => [line, n - (before.get(line) ?? 0)] as const)
  return Object.fromEntries(more.filter(([line, n]) => n !== 0 && about.test(line)))
}

/** The lines of a histogram's count. */
const countOf = (name: string) => new RegExp(`^${name}_count`)

describe('requests', () => {
  test('are counted and timed by the pattern of their route, which nobody can choose', async () => {
    const { body } = await acme.post('/v1/contacts', { email: 'ada@acme.test' })
    const counted = await changed(async () => {
      await acme.get('/v1/contacts')
      await acme.get('/v1/contacts?limit=1')
      await acme.get(`/v1/contacts/${body.id}`)
      await acme.get(`/v1/contacts/${crypto.randomUUID()}`)
      await app.request('GET', '/ada@customer.test/secret', {})
      await app.request('GET', '/v1/contacts', {})
    }, /^frontdesk_http_requests_total|^frontdesk_http_request_duration_seconds_count/)
    const lines = {
      '{route="/v1/contacts",method="GET",status="200"}': 2,
      '{route="/v1/contacts/:id",method="GET",status="200"}': 1,
      '{route="/v1/contacts/:id",method="GET",status="404"}': 1,
      '{route="unknown",method="GET",status="404"}': 1,
      '{route="unknown",method="GET",status="401"}': 1,
    }
    const both = Object.entries(lines).flatMap(([labels, n]) => [
      [`frontdesk_http_requests_total${labels}`, n],
      [`frontdesk_http_request_duration_seconds_count${labels}`, n],
    ])
    expect(counted).toEqual(Object.fromEntries(both))
  })

  test('that are refused are counted by the reason', async () => {
    const poor = await acme.createKey(['forms:read'])
    const other = await app.createTenant()
    const chat = await openChat(app, other)
    const counted = await changed(async () => {
      await app.request('GET', '/v1/contacts', {})
      await app.request('GET', '/v1/contacts', { key: poor.key })
      await acme.get(`/v1/contacts/${crypto.randomUUID()}`)
      await acme.post('/v1/contacts', { email: 'nobody' })
      await acme.post('/v1/contacts', { name: 'x'.repeat(3_000_000) })
      // One write a minute is let in from an address without a key.
      await chat.call('POST', '/visitors', null, {})
      await chat.call('POST', '/visitors', null, {})
      for (let i = 0; i < 201; i++) await app.request('GET', '/v1/me', { key: poor.key })
    }, /^frontdesk_refused_total/)
    const reasons = Object.entries(counted).map(([line, n]) => [/reason="(\w+)"/.exec(line)?.[1], n])
    expect(Object.fromEntries(reasons)).toMatchObject({
      unauthorized: 1,
      forbidden: 1,
      not_found: 1,
      invalid_request: 1,
      too_large: 1,
      address_limit: 1,
      // The request above counted for that key too.
      key_limit: 2,
    })
  })

  test('of sockets are counted while these are open', async () => {
    app.clock.advance(61_000)
    const chat = await openChat(app, acme)
    const { token } = await chat.visitor()
    const socket = await chat.connect(token)
    await until(async () => (await scrape()).get('frontdesk_sockets') === 1)
    socket.close()
    await until(async () => (await scrape()).get('frontdesk_sockets') === 0)
  })
})

test('backups that are made by themselves tell when the last good one was begun, of what failed, and of damaged ones', async () => {
  await app.runDue()
  const before = await scrape()
  expect(before.get('frontdesk_backups_total{outcome="failed"}')).toBeGreaterThan(0)
  expect(before.get('frontdesk_backup_period_seconds')).toBe(7200)
  expect(before.has('frontdesk_last_backup_timestamp_seconds')).toBe(false)
  const kept = { name: 'frontdesk-2026-03-01T09-00-00Z.tar', place: '/nowhere', missing: [], removed: [] }
  const writtenAt = app.clock.now()
  const doubtful = (['damaged', null] as const).map((verdict) => ({ name: `${verdict}`, size: 1, writtenAt, verdict }))
  nextBackup = async () => ({ ...kept, at: app.clock.now(), size: 12_345, doubtful })
  app.clock.advance(900_000)
  const at = app.clock.now()
  await app.runDue()
  const after = await scrape()
  expect(after.get('frontdesk_backups_total{outcome="made"}')).toBe(1)
  expect(after.get('frontdesk_last_backup_timestamp_seconds')).toBe(at / 1000)
  expect(after.get('frontdesk_last_backup_bytes')).toBe(12_345)
  expect(after.get('frontdesk_damaged_backups')).toBe(1)
})

describe('the database', () => {
  test('tells of its commits, and of what it takes', async () => {
    const counted = await changed(() => addContacts(acme, 2), countOf('frontdesk_commit_duration_seconds'))
    expect(Object.values(counted)).toEqual([expect.any(Number)])
    const found = await scrape()
    expect(found.get('frontdesk_database_bytes')).toBeGreaterThan(100_000)
    expect(found.has('frontdesk_wal_bytes')).toBe(!isOnPostgres)
    expect(found.get('frontdesk_disk_free_bytes')).toBeGreaterThan(0)
  })

  test('tells how many writers wait or are at work', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const writers = [1, 2, 3].map(() => app.database.transaction(() => gate))
    await until(async () => (await scrape()).get('frontdesk_write_queue') === 3)
    open()
    await Promise.all(writers)
    expect((await scrape()).get('frontdesk_write_queue')).toBe(0)
  })
})

describe('events', () => {
  test('wait until they are given to subscriptions, and the oldest has an age', async () => {
    await app.runDue()
    await subscribe(acme, receiver)
    await addContacts(acme, 2)
    app.clock.advance(90_000)
    const waiting = await scrape()
    expect(waiting.get('frontdesk_events_waiting')).toBe(2)
    expect(waiting.get('frontdesk_oldest_event_seconds')).toBeGreaterThanOrEqual(90)
    await app.runDue()
    const after = await scrape()
    expect([after.get('frontdesk_events_waiting'), after.get('frontdesk_oldest_event_seconds')]).toEqual([0, 0])
  })

  test('are delivered or not, attempt by attempt', async () => {
    await passWindow(app)
    const counted = await changed(async () => {
      receiver.next(reply(500))
      await addContacts(acme)
      await passWindow(app)
      app.clock.advance(60_000)
      await app.runDue()
    }, /^frontdesk_deliveries_total/)
    expect(counted).toEqual({
      'frontdesk_deliveries_total{outcome="status"}': 1,
      'frontdesk_deliveries_total{outcome="delivered"}': 1,
    })
  })
})

describe('mails', () => {
  test('that come in are counted by what becomes of them, and quarantine tells how many lie there', async () => {
    const inbox = await createMailbox(app, acme)
    const counted = await changed(async () => {
      await inbox.deliver({ id: '<twice@customer.test>' })
      await inbox.deliver({ id: '<twice@customer.test>' })
      await inbox.deliver({ from: 'nobody' })
    }, /^frontdesk_(mails_total|quarantined_mails)/)
    expect(counted).toEqual({
      'frontdesk_mails_total{outcome="created"}': 1,
      'frontdesk_mails_total{outcome="duplicate"}': 1,
      'frontdesk_mails_total{outcome="quarantined"}': 1,
      frontdesk_quarantined_mails: 1,
    })
  })

  test('that go out are counted, whether they are sent or refused', async () => {
    const [ticket, lost] = [await createTicket(acme), await createTicket(acme, { email: 'gone@acme.test' })]
    const counted = await changed(async () => {
      for (const { id } of [ticket, lost])
        await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>It is on its way.</p>' })
      app.clock.advance(60_000)
      await app.runDue()
    }, /^frontdesk_mails_total/)
    expect(counted).toEqual({
      'frontdesk_mails_total{outcome="sent"}': 1,
      'frontdesk_mails_total{outcome="refused"}': 1,
    })
  })

  test('are fetched from mailboxes, of which each has a state', async () => {
    const at = new Date(app.clock.now()).toISOString()
    const server = { host: 'mail.test', port: 993, security: 'tls' as const, user: 'ada' }
    const { id: inboxId } = await createMailInbox(acme)
    await acme.perform((tx) =>
      tx.insert(mailboxes).values({
        ...{ tenantId: acme.tenantId, inboxId, revision: 'one', imap: server, smtp: server, sealedSecret: '-' },
        ...{ uidValidity: 1, lastUid: 0, lastMailAt: at, state: 'failing', since: at, createdAt: at },
      }),
    )
    const states = [...(await scrape())].filter(([line]) => line.startsWith('frontdesk_mailboxes'))
    expect(states).toEqual([
      ['frontdesk_mailboxes{state="connecting"}', 0],
      ['frontdesk_mailboxes{state="connected"}', 0],
      ['frontdesk_mailboxes{state="failing"}', 1],
    ])
    await acme.perform((tx) => tx.delete(mailboxes))
  })
})

describe('what happens by itself', () => {
  test('rules are counted by what came of them', async () => {
    const own = await app.createTenant()
    const team = await own.perform((tx, caller) => createTeam(tx, caller, { name: 'Gone', memberIds: [] }))
    const rules = rulesOf(app, own)
    const tag = { do: 'add_tags', tags: ['seen'] }
    await rules.create({ then: [tag] })
    await rules.create({ when: { all: [{ field: 'subject', contains: 'invoice' }] }, then: [tag] })
    await rules.create({ then: [{ do: 'assign', team: team.id }] })
    await own.perform((tx, caller) => deleteTeam(tx, caller, team.id))
    const counted = await changed(async () => {
      await createTicket(own)
      await app.runDue()
    }, /^frontdesk_rule_runs_total/)
    expect(counted).toEqual({
      'frontdesk_rule_runs_total{outcome="done"}': 1,
      'frontdesk_rule_runs_total{outcome="not_matched"}': 1,
      'frontdesk_rule_runs_total{outcome="failed"}': 1,
    })
  })

  test('a job that begins after its time is late by as much', async () => {
    const job = '{job="wake snoozed tickets"}'
    const ticket = await createTicket(acme)
    await app.runDue()
    const until = new Date(app.clock.now() + 60_000).toISOString()
    await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: 'closed', snoozedUntil: until }))
    await app.runDue()
    app.clock.advance(180_000)
    const late = await changed(() => app.runDue(), /^frontdesk_job_lateness_seconds_(sum|count){job="wake/)
    expect(late).toEqual({
      [`frontdesk_job_lateness_seconds_sum${job}`]: expect.any(Number),
      [`frontdesk_job_lateness_seconds_count${job}`]: 1,
    })
    const [seconds = 0] = Object.values(late)
    expect(Math.round(seconds)).toBeGreaterThanOrEqual(120)
    expect(seconds).toBeLessThan(130)
  })
})

test('every metric of the catalogue is there after all that, and no other, with what it means', async () => {
  const text = await (await fetch(metrics.url)).text()
  const told = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => `${name} ${type}`)
  const ofReplica = ['frontdesk_replica_lag_seconds', 'frontdesk_list_reads_total']
  const notHere = [...(isOnPostgres ? ['frontdesk_wal_bytes'] : []), ...ofReplica, 'frontdesk_loop_stall_seconds']
  const expected = Object.entries(catalogue).filter(([name]) => !notHere.includes(name))
  expect(told.filter((line) => !line.startsWith('frontdesk_loop_stall'))).toEqual(
    expected.map(([name, { type }]) => `${name} ${type}`),
  )
  for (const [name, { help }] of expected) expect(text).toContain(`# HELP ${name} ${help}\n`)
})

test('no line tells of a tenant, a key or a person', async () => {
  const text = await (await fetch(metrics.url)).text()
  for (const word of [acme.tenantId, acme.key, acme.keyId, acme.userId, 'ada', 'acme.test']) {
    expect([word, text.includes(word)]).toEqual([word, false])
  }
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/)
})
