import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { createTeam } from '../../src/teams/operations.ts'
import { searchInbox } from '../../src/tickets/search/search.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const asked = (query: string, more = '') => acme.get(`/v1/tickets?query=${encodeURIComponent(query)}${more}`)
const found = async (query: string, more = ''): Promise<string[]> => {
  const { status, body } = await asked(query, more)
  expect(status).toBe(200)
  return body.items.map(({ id }: { id: string }) => id)
}

test('a query on tickets finds what the console finds, as the list shows it', async () => {
  const first = await createTicket(acme, { subject: 'Parrots', text: 'The café is closed' })
  const second = await createTicket(acme, { subject: 'Other', text: 'A parrot is a bird', email: 'ada@birds.test' })
  await createTicket(acme, { subject: 'Nothing', text: 'at all' })
  expect(await found('parrot')).toEqual([second.id, first.id])
  expect(await found('CAFE closed')).toEqual([first.id])
  expect(await found('ada@birds.test')).toEqual([second.id])
  expect(await found('parrots café')).toEqual([first.id])
  expect(await found('nobody')).toEqual([])
  const { items } = await searchInbox(app.database.db, acme.tenantId, 'parrot', { cursor: undefined, limit: 25 })
  expect(await found('parrot')).toEqual(items.map(({ id }) => id))
  const [shown] = (await asked('closed')).body.items
  expect(shown).toEqual((await acme.get('/v1/tickets')).body.items.find(({ id }: { id: string }) => id === first.id))
})

test('a query that is a reference finds that ticket, before others that hold the number', async () => {
  const one = await createTicket(acme, { text: 'first' })
  const other = await createTicket(acme, { text: `about ${one.sequentialNumber} of them` })
  expect(await found(one.ticketReference.toLowerCase())).toEqual([one.id])
  expect(await found(String(one.sequentialNumber))).toEqual([one.id, other.id])
  expect(await found(one.ticketReference, '&status=closed')).toEqual([])
})

test('a query goes together with each of the other filters', async () => {
  const inbox = await createEmailInbox(acme)
  const one = await createTicket(acme, { text: 'parrots' })
  const two = await createTicket(acme, { text: 'parrots', inboxId: inbox.id, email: 'two@acme.test' })
  app.clock.advance(1000)
  const since = new Date(app.clock.now()).toISOString()
  const team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Birds', memberIds: [] }))
  const path = `/v1/tickets/${two.id}`
  await acme.put(`${path}/assignee`, { userId: acme.userId, teamId: team.id })
  await acme.put(`${path}/priority`, { priority: 'high' })
  await acme.put(`${path}/tags`, { tags: ['Feathers'] })
  await acme.put(`${path}/status`, { status: 'pending' })
  for (const filter of [
    `inbox_id=${inbox.id.toUpperCase()}`,
    'status=pending',
    `since=${since}`,
    `contact_id=${two.contactId}`,
    `assignee=${acme.userId}`,
    `team=${team.id}`,
    'priority=high',
    'tag=feathers',
  ])
    expect([filter, await found('parrot', `&${filter}`)]).toEqual([filter, [two.id]])
  for (const filter of ['status=open', 'assignee=none', 'team=none', 'priority=normal'])
    expect([filter, await found('parrot', `&${filter}`)]).toEqual([filter, [one.id]])
  for (const filter of ['tag=nothing', 'due_before=2030-01-01T00:00:00Z'])
    expect([filter, await found('parrot', `&${filter}`)]).toEqual([filter, []])
})

test('a query is paged: each ticket once, and the cursor is that of this search alone', async () => {
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.push((await createTicket(acme, { text: 'parrots' })).id)
  const seen: string[] = []
  let cursor = ''
  for (let pages = 0; pages < 3; pages++) {
    const { body } = await asked('parrots', `&limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
  }
  expect([seen, cursor]).toEqual([ids.reverse(), null as unknown as string])
  const { nextCursor } = (await asked('parrots', '&limit=2')).body
  for (const other of ['query=birds', 'query=parrots&status=open', 'limit=2']) {
    const { status, body } = await acme.get(`/v1/tickets?${other}&cursor=${nextCursor}`)
    expect([status, body]).toEqual([400, problem('invalid_request', 'cursor: is not a cursor of this list')])
  }
})

test('a query finds no ticket of another tenant, neither by its words nor by its number', async () => {
  const other = await app.createTenant('Other')
  await createTicket(other, { text: 'parrots' })
  const theirs = await createTicket(other, { text: 'parrots' })
  expect(await found('parrots')).toEqual([])
  expect(await found(theirs.ticketReference)).toEqual([])
})

test.each(['x'.repeat(201), '', '   '])('a query of %p is refused', async (text) => {
  const { status, body } = await asked(text)
  expect([status, body.param]).toEqual([400, 'query'])
})

test.each([
  '"',
  '*',
  'AND',
  'NEAR(a b)',
  'a* OR b',
  "'; DROP",
  '-',
  '()',
  ':',
  '💥',
  'x '.repeat(100),
  'T-999999999',
  '&|!<->',
])('a query of %p is taken as what it is', async (text) => {
  await createTicket(acme, { text: 'parrots' })
  expect(await found(text)).toEqual([])
})
