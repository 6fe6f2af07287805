import { afterAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { messages } from '../../src/db/schema.ts'
import { createPromise } from '../../src/promises/operations.ts'
import { parsePromise } from '../../src/promises/parse.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { refusalOf } from '../support/refusal.ts'
import { rulesOf } from '../support/tickets/rules.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const MINUTE = 60_000

const app = await startApp()
let acme: TestTenant
let rules: ReturnType<typeof rulesOf>
beforeEach(async () => {
  acme = await app.createTenant()
  rules = rulesOf(app, acme)
  await acme.perform((tx, caller) =>
    createPromise(tx, caller, parsePromise({ name: 'All', targets: { normal: { firstAnswer: '2h', close: '2h' } } })),
  )
})
afterAll(() => app.close())

const notesOf = async (ticketId: string) =>
  (await app.database.db.select().from(messages).where(eq(messages.ticketId, ticketId)))
    .filter(({ state }) => state === 'note')
    .map(({ text }) => text)
    .sort()

test('a rule is told once that a ticket is due soon, and once that it is overdue', async () => {
  await rules.create({ on: 'ticket.due_soon', before: '30m', then: [{ do: 'note', text: 'soon' }] })
  await rules.create({ on: 'ticket.overdue', then: [{ do: 'note', text: 'late' }] })
  const [ticket, answered] = [await createTicket(acme), await createTicket(acme)]
  await acme.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['a'] })
  await app.runDue()
  app.clock.advance(90 * MINUTE - 1)
  await app.runDue()
  expect(await notesOf(ticket.id)).toEqual([])
  await acme.post(`/v1/tickets/${answered.id}/replies`, { html: 'x' })
  app.clock.advance(1)
  await app.runDue()
  await app.runDue()
  expect(await notesOf(ticket.id)).toEqual(['soon'])
  app.clock.advance(31 * MINUTE)
  await app.runDue()
  app.clock.advance(24 * 60 * MINUTE)
  await app.runDue()
  expect(await notesOf(ticket.id)).toEqual(['late', 'soon'])
})

test('nobody is told of what is overdue already when a rule is made', async () => {
  const ticket = await createTicket(acme)
  app.clock.advance(180 * MINUTE)
  await app.runDue()
  await rules.create({ on: 'ticket.due_soon', before: '30m', then: [{ do: 'note', text: 'soon' }] })
  await rules.create({ on: 'ticket.overdue', then: [{ do: 'note', text: 'late' }] })
  await app.runDue()
  expect(await notesOf(ticket.id)).toEqual([])
})

test('how long before is said', async () => {
  const then = [{ do: 'note', text: 'soon' }]
  expect(await refusalOf(rules.create({ on: 'ticket.due_soon', then }))).toBe('before: is required')
  expect(await refusalOf(rules.create({ on: 'ticket.due_soon', after: '1h', then }))).toBe('after: unknown field')
  expect(await refusalOf(rules.create({ on: 'ticket.overdue', before: '1h', then }))).toBe('before: unknown field')
})
