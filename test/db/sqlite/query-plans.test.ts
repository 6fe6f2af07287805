import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createApp } from '../../../src/app.ts'
import { countFailingMailboxes } from '../../../src/channels/email/mailboxes/operations.ts'
import {
  countQuarantined,
  deleteQuarantined,
  listQuarantine,
  retryQuarantined,
} from '../../../src/channels/email/quarantine.ts'
import { DATABASE_FILE } from '../../../src/db/index.ts'
import { inboxesOf } from '../../../src/inboxes/recipient.ts'
import { createPromise } from '../../../src/promises/operations.ts'
import { parsePromise } from '../../../src/promises/parse.ts'
import { ratedResponsesOf } from '../../../src/responses/rated.ts'
import { dueAsked, dueFilters } from '../../../src/tickets/inbox/due.ts'
import { rowFactsOf } from '../../../src/tickets/inbox/last-words.ts'
import {
  countClosedSince,
  countInbox,
  type InboxFilters,
  listInbox,
  ticketAfter,
  ticketsOfContact,
} from '../../../src/tickets/inbox/list.ts'
import { listViews } from '../../../src/tickets/inbox/views.ts'
import type { Ticket } from '../../../src/tickets/model.ts'
import { countUnsent } from '../../../src/tickets/replies/unsent.ts'
import { searchInbox } from '../../../src/tickets/search/search.ts'
import { newestMessageOf, readAgentsThread } from '../../../src/tickets/thread/agents-thread.ts'
import { hasRead, unreadOf } from '../../../src/tickets/thread/read-marks.ts'
import { listCannedReplies } from '../../../src/tickets/writing/canned-replies.ts'
import { listColleagues } from '../../../src/users/colleagues.ts'
import { pagedLists, wholeLists } from '../../support/api/lists.ts'
import { NOBODY, startTour } from '../../support/api/tour.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { noteStatements, type Plan, planOf, slowSteps } from '../../support/data/plans.ts'
import { begin, createPublished } from '../../support/forms/collecting.ts'
import { createMailbox } from '../../support/mail/mails.ts'
import { signedIn } from '../../support/pages/console.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const noted = noteStatements()

let app: TestApp
let acme: TestTenant
let database: Database
let tables: string[]

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' } })
  acme = await app.createTenant()
  database = new Database(join(app.dataDir, DATABASE_FILE), { readonly: true })
  tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => name)
})
afterAll(async () => {
  noted.stop()
  database.close()
  await app.close()
})

/** The plans of what `work` is the first to prepare. */
async function plansOf(work: () => Promise<unknown>): Promise<Plan[]> {
  const before = new Set(noted.statements)
  await work()
  const statements = [...noted.statements].filter((statement) => !before.has(statement))
  return statements.flatMap((statement) => planOf(database, statement) ?? [])
}

const allowedSteps: readonly [RegExp, readonly string[]][] = [
  // Search sorts what it found by how well it matches: there is no order to read that from.
  [/article_search|message_search/, ['USE TEMP B-TREE FOR GROUP BY', 'USE TEMP B-TREE FOR ORDER BY']],
  // Few edits of a form are kept.
  [/"form_edits"/, ['SEARCH form_edits USING INDEX sqlite_autoindex_form_edits_1 (tenant_id=? AND form_id=?)']],
]

function expectFast(plans: Plan[]) {
  for (const plan of plans) {
    const allowed = allowedSteps.find(([statement]) => statement.test(plan.statement))?.[1] ?? []
    const slow = slowSteps(plan, tables).filter((step) => !allowed.includes(step))
    expect(slow.length ? [plan.statement, ...slow] : []).toEqual([])
  }
}

describe('no statement reads a whole table or sorts', () => {
  const lists = Object.entries(pagedLists)

  test.each(lists)('for %s with any filters, on any page', async (_, list) => {
    const opened = await list.open(acme)
    expectFast(await plansOf(() => Promise.all([1, 2, 3].map(() => opened.add()))))
    const asked = new URL(opened.path, app.url).searchParams
    for (const filters of combinations(filtersOf(list.route).filter(({ name }) => !asked.has(name)))) {
      const query = filters.map(({ name, sample }) => `${name}=${encodeURIComponent(sample)}`).join('&')
      const path = `${opened.path}${opened.path.includes('?') ? '&' : '?'}${query}`
      const plans = await plansOf(() => expectPage(path))
      expectFast(plans)
      // What is searched for is looked at in the order of what it begins with, whenever it changed.
      const isSearch = filters.some(({ kind }) => kind === 'search')
      const times = isSearch ? [] : filters.filter(({ kind }) => kind === 'time').map(({ name }) => name)
      if (plans.length > 0 && times.some((name) => name !== 'due_before')) expectTimeIndexed(plans)
      if (plans.length > 0 && filters.length === 1 && times[0] === 'due_before') expectDueIndexed(plans)
      expectFast(await plansOf(() => expectNextPage(opened.path, query)))
    }
  })

  test.each(Object.entries(wholeLists))('for all %s', async (_, list) => {
    await list.add(acme)
    expectFast(await plansOf(() => expectPage(list.route)))
  })

  test('on any other route', async () => {
    let visited = new Set<string>()
    const plans = await plansOf(async () => {
      visited = await startTour(app, acme)
    })
    expectFast(plans)
    const isList = new Set(
      [...Object.values(pagedLists), ...Object.values(wholeLists)].map(({ route }) => `GET ${route}`),
    )
    const routes = createApp(app.deps)
      .routes.filter(({ path }) => path.startsWith('/v1/'))
      .map(({ method, path }) => `${method} ${path}`)
    expect(routes.filter((route) => !visited.has(route) && !isList.has(route))).toEqual([])
  })

  test('when mail comes in', async () => {
    const inbox = await createMailbox(app, acme)
    const plans = await plansOf(async () => {
      const { ticketId } = await inbox.deliver({ id: '<first@customer.test>' })
      await acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Soon.</p>' })
      const headers = { References: '<first@customer.test>', 'Auto-Submitted': 'auto-replied', 'X-Frontdesk': 'other' }
      for (const from of ['ada@customer.test', 'boss@customer.test']) await inbox.deliver({ from, headers })
      await inbox.deliver({ to: inbox.address.replace('@', '+t.1aaaaaaaaaaaaaaaa@') })
      await inboxesOf(app.database.db, inbox.address)
      const { quarantineId } = await inbox.deliver({ headers: { From: null } })
      await listQuarantine(app.database.db, acme.tenantId)
      await retryQuarantined(app.deps, acme.caller(), quarantineId as string)
      await deleteQuarantined(app.deps, acme.caller(), quarantineId as string)
    })
    expect(plans.length).toBeGreaterThan(10)
    expectFast(plans)
  })

  test('for pages of webhooks in the console', async () => {
    const { body } = await acme.post('/v1/webhooks', { name: 'x', url: NOBODY, events: ['contact.created_or_updated'] })
    await acme.post('/v1/contacts', { email: 'plans@acme.test' })
    await app.runDue()
    const { items } = (await acme.get(`/v1/webhooks/${body.id}/deliveries`)).body
    const admin = await signedIn(app, acme)
    const paths = ['', `/${body.id}`, `/${body.id}/deliveries/${items[0].id}`]
    const plans = await plansOf(async () => {
      for (const path of paths) expect((await admin.get(`/console/webhooks${path}`)).status).toBe(200)
      expect((await admin.post(`/console/webhooks/${body.id}/deliveries/${items[0].id}/retry`)).status).toBe(409)
    })
    expect(plans.length).toBeGreaterThan(3)
    expectFast(plans)
  })

  test('in the console’s inbox, with any filters, on any page', async () => {
    const { db } = app.database
    const { tenantId, userId } = acme
    const [first] = await Promise.all([1, 2].map(() => createTicket(acme)))
    const { id, teamInboxId, contactId } = first as Ticket
    const given = {
      status: ['open', 'closed', 'snoozed'],
      assigneeId: [userId, null],
      inboxId: [teamInboxId],
      channel: ['livechat'],
      priority: ['high'],
      hasUnsent: [true],
    }
    const filters = combinations(Object.keys(given) as (keyof typeof given)[]).flatMap((names) =>
      names.reduce<object[]>(
        (all, name) => all.flatMap((one) => given[name].map((value) => ({ ...one, [name]: value }))),
        [{}],
      ),
    ) as InboxFilters[]
    const plans = await plansOf(async () => {
      const { nextCursor } = await listInbox(db, tenantId, { cursor: undefined, limit: 1 }, {})
      const second = await listInbox(db, tenantId, { cursor: nextCursor as string, limit: 1 }, {})
      for (const filter of filters) {
        for (const cursor of [undefined, nextCursor as string, second.previousCursor as string])
          await listInbox(db, tenantId, { cursor, limit: 1 }, filter)
      }
      const top = { cursor: undefined, limit: 1 }
      for (const text of ['T-1', '1', 'ada']) await searchInbox(db, tenantId, text, top)
      for (const filter of filters) await searchInbox(db, tenantId, 'ordered', top, filter)
      await ticketsOfContact(db, tenantId, contactId as string, 5)
      await ratedResponsesOf(db, tenantId, contactId as string, 5)
      await readAgentsThread(db, tenantId, id)
      await newestMessageOf(db, tenantId, id)
      await listColleagues(db, tenantId)
      await rowFactsOf(db, tenantId, second.items)
      await countUnsent(db, tenantId, 100)
      await countClosedSince(db, tenantId, 0, 100)
      await countQuarantined(db, tenantId, 100)
      await countFailingMailboxes(db, tenantId, 100)
      await unreadOf(db, { tenantId, userId }, second.items)
      await hasRead(db, { tenantId, userId }, first as Ticket)
      for (const owner of [userId, null]) {
        await listViews(db, tenantId, owner)
        await listCannedReplies(db, tenantId, owner)
      }
    })
    expect(plans.length).toBeGreaterThan(50)
    expectFast(plans)
  })

  test('in the console’s inbox of what is due, with any filters, on any page', async () => {
    const { db } = app.database
    const tenant = await app.createTenant()
    const { tenantId, userId } = tenant
    const targets = { normal: { firstAnswer: '30m' } }
    await tenant.perform((tx, caller) => createPromise(tx, caller, parsePromise({ name: 'All', targets })))
    const [first] = await Promise.all([1, 2].map(() => createTicket(tenant)))
    const also: InboxFilters[] = [
      {},
      { status: 'open' },
      { status: 'snoozed' },
      { assigneeId: userId },
      { assigneeId: null, status: 'pending' },
      { inboxId: (first as Ticket).teamInboxId, priority: 'high', channel: 'email', hasUnsent: true },
    ]
    const plans = await plansOf(async () => {
      for (const due of dueFilters) {
        for (const one of also) {
          const filters = { ...one, due: dueAsked(due, app.clock.now()) }
          const page = await listInbox(db, tenantId, { cursor: undefined, limit: 1 }, { due: dueAsked('any', 0) })
          const second = await listInbox(
            db,
            tenantId,
            { cursor: page.nextCursor as string, limit: 1 },
            { due: dueAsked('any', 0) },
          )
          for (const cursor of [undefined, page.nextCursor as string, second.previousCursor as string])
            await listInbox(db, tenantId, { cursor, limit: 1 }, filters)
          await countInbox(db, tenantId, [filters], 100)
          await ticketAfter(db, tenantId, first as Ticket, filters)
        }
      }
    })
    expect(plans.length).toBeGreaterThan(10)
    expectFast(plans)
  })

  test('when time passes', async () => {
    await acme.post('/v1/webhooks', { name: 'Sync', url: NOBODY, events: ['contact.created_or_updated'] })
    await acme.post('/v1/contacts', { email: 'event@acme.test' })
    await begin(acme, await createPublished(acme, [{ type: 'nps' }]), [9])
    const plans = await plansOf(async () => {
      for (const hours of [0, 1, 24, 24 * 365]) {
        app.clock.advance(hours * 3_600_000)
        await app.runDue()
      }
    })
    expectFast(plans)
  })
})

/** What the first start of a version that seals secrets goes through, once; and who works here, once a day. */
const ONCE = [
  /"users"."recovery_codes" is not null$/,
  /"webhooks"\."secret" is not null$/,
  /"idempotency_keys"\."body" LIKE/,
]

test('nor does any that was prepared before', () => {
  const statements = [...noted.statements].filter((statement) => !ONCE.some((pattern) => pattern.test(statement)))
  expectFast(statements.flatMap((statement) => planOf(database, statement) ?? []))
})

interface Filter {
  name: string
  sample: string
  kind: 'equality' | 'time' | 'search'
}

/** The filters a list declares, each with a value of its form. */
function filtersOf(route: string): Filter[] {
  const found = createApp(app.deps).routes.find(({ method, path }) => method === 'GET' && path === route)
  const query = found?.hooks.query as { properties: Record<string, { format?: string; pattern?: string }> }
  return Object.entries(query.properties)
    .filter(([name]) => name !== 'cursor' && name !== 'limit')
    .map(([name, { format, pattern }]) => {
      if (name === 'query') return { name, sample: 'parrots', kind: 'search' }
      if (format === 'date-time') return { name, sample: '2026-01-01T00:00:00Z', kind: 'time' }
      if (format === 'uuid') return { name, sample: '019ca8b6-0000-7000-8000-000000000000', kind: 'equality' }
      return { name, sample: /\(\??:?(\w+)/.exec(pattern ?? '(x')?.[1] as string, kind: 'equality' }
    })
}

function combinations<T>(items: readonly T[]): T[][] {
  return items.reduce<T[][]>((all, item) => all.concat(all.map((some) => some.concat(item))), [[]])
}

/** What is due is looked for among the tickets of which something is, not among all. */
function expectDueIndexed(plans: Plan[]) {
  expect(plans.flatMap(({ steps }) => steps).filter((step) => /INDEX tickets_due \(/.test(step))).not.toBeEmpty()
}

/** What changed at a time is found by an index, in one of the ways such a list can be read. */
function expectTimeIndexed(plans: Plan[]) {
  expect(plans.flatMap(({ steps }) => steps).filter((step) => /updated_at[<>]\?/.test(step))).not.toBeEmpty()
}

async function expectPage(path: string) {
  const { status, text } = await acme.get(path)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
}

/** Whatever a filter leaves of a list, its cursor may be sent along. */
async function expectNextPage(path: string, query: string) {
  const join = path.includes('?') ? '&' : '?'
  const isSearch = query.includes('query=')
  const { body } = await acme.get(`${path}${join}limit=1${isSearch ? `&${query}` : ''}`)
  // A search has a cursor where it found more.
  if (isSearch && body.nextCursor === null) return
  await expectPage(`${path}${join}cursor=${body.nextCursor}&${query}`)
}
