import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eventQueue } from '../../src/db/schema.ts'
import { trashForm } from '../../src/forms/publishing.ts'
import { setRetention } from '../../src/retention/operations.ts'
import { settled } from '../support/api/event-log.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { begin, createPublished, resume, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { signedIn } from '../support/pages/console.ts'
import { startReceiver } from '../support/webhooks/receiver.ts'
import { envelopeOf, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const questions = [
  { type: 'textbox', text: 'Why?' },
  { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
]

let app: TestApp
let acme: TestTenant
let form: TestForm

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, questions)
})
afterAll(() => app.close())

/** Lets time pass, with what is due meanwhile. */
async function pass(ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.runDue()
}

/** What the log says of responses. */
async function told(tenant = acme) {
  await settled(app, tenant)
  const { items } = (await tenant.get('/v1/events?types=response.partial,response.created&limit=100')).body
  return items.map(
    ({ event, payload }: { event: string; payload: { response: { answers: { value: unknown }[] } } }) => [
      event,
      payload.response.answers[0]?.value,
    ],
  )
}

describe('a partial response', () => {
  test('is told of once it was left alone for five minutes, as reading it shows it', async () => {
    const { response } = await begin(acme, form, ['Because'])
    await pass(5 * MINUTE - 1)
    expect(await told()).toEqual([])
    await pass(1)
    await settled(app, acme)
    const { items } = (await acme.get('/v1/events?types=response.partial')).body
    const read = (await acme.get(`/v1/forms/${form.id}/responses/${response.id}`)).body
    const timestamp = new Date(app.clock.now()).toISOString()
    expect(items).toEqual([
      { eventId: expect.any(String), event: 'response.partial', eventType: 7, timestamp, payload: { response: read } },
    ])
    expect(read.status).toBe('partial')
    await pass(DAY)
    expect(await told()).toHaveLength(1)
  })

  test('is told of once, with what was answered last, however often a stranger saves it', async () => {
    const begun = await begin(acme, form, ['0'])
    for (let i = 1; i <= 30; i++) {
      await pass(4 * MINUTE)
      await resume(acme, form, begun, [String(i)])
    }
    expect(await told()).toEqual([])
    await pass(DAY)
    expect(await told()).toEqual([['response.partial', '30']])
  })

  test('that is finished in time is told of as complete alone', async () => {
    const begun = await begin(acme, form, ['Well'])
    await pass(4 * MINUTE)
    await resume(acme, form, begun, ['Done'], true)
    await pass(DAY)
    expect(await told()).toEqual([['response.created', 'Done']])
  })

  test('that is gone on with and left again is told of again, the later the older it is', async () => {
    const begun = await begin(acme, form, ['First'])
    await pass(10 * MINUTE)
    await resume(acme, form, begun, ['Second'])
    await pass(5 * MINUTE)
    expect(await told()).toEqual([
      ['response.partial', 'First'],
      ['response.partial', 'Second'],
    ])
    await pass(5 * MINUTE)
    await resume(acme, form, begun, ['Third'])
    await pass(10 * MINUTE - 1)
    expect(await told()).toHaveLength(2)
    await pass(1)
    expect((await told()).at(-1)).toEqual(['response.partial', 'Third'])
  })

  test('that is saved without end is told of two dozen times in a month', async () => {
    const begunAt = app.clock.now()
    const begun = await begin(acme, form, ['x'])
    let count = 0
    for (; app.clock.now() < begunAt + 20 * DAY; count++) {
      await pass(Math.max(5 * MINUTE, Math.ceil((app.clock.now() - begunAt) / 2)))
      expect(await told()).toHaveLength(count + 1)
      await resume(acme, form, begun, ['x'])
    }
    expect(count).toBeLessThan(25)
  })

  test('to a form in the trash is told of to nobody', async () => {
    await begin(acme, form, ['Because'])
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    await pass(DAY)
    expect(await told()).toEqual([])
  })

  test('is read in the log by keys that read responses alone', async () => {
    await begin(acme, form, ['Because'])
    await pass(5 * MINUTE)
    const { key } = await acme.createKey(['forms:read', 'contacts:read'])
    const refused = await app.request('GET', '/v1/events?types=response.partial', { key })
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
    expect((await app.request('GET', '/v1/events', { key })).text).not.toContain('response.partial')
  })
})

test('a subscription is told of partial responses if it names them', async () => {
  const delivering = await startDelivering()
  const tenant = await delivering.createTenant()
  const [six, partial] = [await startReceiver(), await startReceiver()]
  await subscribe(tenant, six, { events: ['response.created'] })
  await subscribe(tenant, partial, { events: ['response.partial'] })
  const its = await createPublished(tenant, questions)
  const begun = await begin(tenant, its, ['Because'])
  delivering.clock.advance(5 * MINUTE)
  await delivering.runDue()
  await passWindow(delivering)
  const [told] = envelopeOf((await partial.waitFor(1))[0]).events
  expect(told).toMatchObject({ event: 'response.partial', eventType: 7, payload: { response: begun.response } })
  expect(six.requests).toEqual([])
  await resume(tenant, its, begun, ['Because'], true)
  await passWindow(delivering)
  const [completed] = envelopeOf((await six.waitFor(1))[0]).events
  expect(completed.event).toBe('response.created')
  expect(partial.requests).toHaveLength(1)
  for (const receiver of [six, partial]) await receiver.close()
  await delivering.close()
})

test('a batch of which nothing is left is not sent', async () => {
  const delivering = await startDelivering()
  const tenant = await delivering.createTenant()
  const receiver = await startReceiver()
  const id = await subscribe(tenant, receiver, { events: ['response.created'] })
  const its = await createPublished(tenant, questions)
  const { response } = await begin(tenant, its, ['Because', undefined], true)
  await delivering.runDue()
  await tenant.delete(`/v1/forms/${its.id}/responses/${response.id}`)
  await passWindow(delivering)
  await begin(tenant, its, ['And this', undefined], true)
  await passWindow(delivering)
  const batches = (await receiver.waitFor(1)).map((request) => envelopeOf(request).events)
  expect(batches).toMatchObject([[{ payload: { response: { answers: [{ value: 'And this' }] } } }]])
  expect((await tenant.get(`/v1/webhooks/${id}/deliveries`)).body.items).toHaveLength(1)
  await receiver.close()
  await delivering.close()
})

describe('with a response go the events that hold it', () => {
  /** Two partial responses that were told of, and one of somebody else. */
  async function leaveTwo() {
    const other = await app.createTenant('Other')
    await begin(other, await createPublished(other, questions), ['Theirs'])
    const first = await begin(acme, form, ['First'])
    const second = await begin(acme, form, ['Second'])
    await pass(5 * MINUTE)
    expect(await told()).toHaveLength(2)
    return { first, second, other }
  }

  /** All that is stored of events names the response no more. */
  async function expectForgotten(id: string): Promise<void> {
    expect(JSON.stringify(await acme.events())).not.toContain(id)
  }

  test('when a program deletes it', async () => {
    const { first, other } = await leaveTwo()
    await acme.delete(`/v1/forms/${form.id}/responses/${first.response.id}`)
    expect(await told()).toEqual([['response.partial', 'Second']])
    expect(await told(other)).toEqual([['response.partial', 'Theirs']])
    await expectForgotten(first.response.id)
  })

  test('when it was completed since', async () => {
    const { first } = await leaveTwo()
    await resume(acme, form, first, ['First', undefined], true)
    expect(await told()).toHaveLength(3)
    await acme.delete(`/v1/forms/${form.id}/responses/${first.response.id}`)
    expect(await told()).toEqual([['response.partial', 'Second']])
    await expectForgotten(first.response.id)
  })

  test('when it is kept no longer', async () => {
    const { first, second, other } = await leaveTwo()
    await pass(DAY)
    await resume(acme, form, second, ['Second'])
    await acme.perform((tx, caller) => setRetention(tx, caller, { rule: 'partial_responses', days: 2 }))
    await pass(2 * DAY - MINUTE)
    for (let i = 0; i < 3; i++) await pass(60 * MINUTE)
    expect((await acme.get(`/v1/responses?status=all`)).body.items).toMatchObject([])
    await expectForgotten(first.response.id)
    await expectForgotten(second.response.id)
    expect(await told(other)).toEqual([['response.partial', 'Theirs']])
  })

  test('when the person is erased whose it turned out to be', async () => {
    const { first } = await leaveTwo()
    const { contactId } = await resume(acme, form, first, ['First', { email: 'ada@acme.test' }], true)
    expect(contactId).toBeString()
    const admin = await signedIn(app, acme)
    expect((await admin.post(`/console/contacts/${contactId}/erase`, { sure: 'on' })).status).toBe(303)
    expect(await told()).toEqual([['response.partial', 'Second']])
    await expectForgotten(first.response.id)
    expect(JSON.stringify(await acme.events())).not.toContain('ada@acme.test')
  })

  test('and nobody is given one that waited to be', async () => {
    const { first } = await leaveTwo()
    const webhook = { name: 'Sync', url: 'https://acme.test', events: ['response.created'] }
    expect((await acme.post('/v1/webhooks', webhook)).status).toBe(201)
    await resume(acme, form, first, ['First', undefined], true)
    const queued = async () => (await app.database.db.select().from(eventQueue)).length
    expect(await queued()).toBe(1)
    await acme.delete(`/v1/forms/${form.id}/responses/${first.response.id}`)
    expect(await queued()).toBe(0)
  })
})

test('whoever answers on the page is told of as whoever answers by program', async () => {
  const visitor = respondent(app, form)
  const begun = (await visitor.begin(['Because'], false)).body
  await pass(5 * MINUTE)
  expect(await told()).toEqual([['response.partial', 'Because']])
  expect((await acme.get(`/v1/responses?status=partial`)).body.items).toMatchObject([{ id: begun.id }])
})
