import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eventNames } from '../../src/kinds/events.ts'
import { samples } from '../../src/webhooks/body/samples.ts'
import { sign } from '../../src/webhooks/body/signature.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { countByClockOf } from '../support/processes/nodes.ts'
import { NOBODYS_PORT } from '../support/processes/ports.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { hang, redirect, reply } from '../support/webhooks/receiver.ts'
import {
  addContacts,
  contactsOf,
  envelopeOf,
  passWindow,
  startDelivering,
  subscribe,
} from '../support/webhooks/webhooks.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startDelivering()
  countByClockOf(app)
  acme = await app.createTenant()
})
afterAll(() => app.close())

describe('a test delivery', () => {
  test.each(eventNames)('of %s is a signed sample of the first kind subscribed, and in no history', async (event) => {
    const receiver = await receiving([reply(202, { body: 'thanks' })])
    const id = await subscribe(acme, receiver, { events: [event, 'ticket.created'], secret: 'hush', active: false })
    const outbox = (await acme.events()).length
    const answer = await acme.post(`/v1/webhooks/${id}/test`)
    expect([answer.status, answer.body]).toEqual([200, { success: true, statusCode: 202, responseBody: 'thanks' }])
    const [request] = receiver.requests
    const envelope = envelopeOf(request)
    expect(envelope).toMatchObject({ batchId: expect.any(String), subscriberId: id, timestamp: expect.any(String) })
    expect(envelope.events).toMatchObject([{ event, payload: samples[event] }])
    expect(request?.headers).toMatchObject({
      'x-signature': sign('hush', request?.body as Uint8Array),
      'x-webhook-batch': envelope.batchId,
      'x-webhook-attempt': '1',
    })
    expect((await acme.get(`/v1/webhooks/${id}/deliveries`)).body.items).toEqual([])
    expect(await acme.events()).toHaveLength(outbox)
  })

  const answers = [
    ['a failing status', () => reply(500, { body: 'oops' }), { statusCode: 500, responseBody: 'oops' }],
    ['a redirect', () => redirect('/elsewhere'), { statusCode: 302, responseBody: '' }],
    [
      'a long answer',
      () => reply(400, { body: 'x'.repeat(99_999) }),
      { statusCode: 400, responseBody: 'x'.repeat(16_384) },
    ],
  ] as const
  test.each(answers)('says what came of it: %s, and is not repeated', async (_, script, result) => {
    const receiver = await receiving([script()])
    const id = await subscribe(acme, receiver)
    expect((await acme.post(`/v1/webhooks/${id}/test`)).body).toEqual({ success: false, ...result })
    app.clock.advance(3_600_000)
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
  })

  test('has status code 0 when no answer comes in time', async () => {
    const impatient = await startDelivering({ FRONTDESK_WEBHOOK_TIMEOUT_MS: '1500' })
    const tenant = await impatient.createTenant()
    const receiver = await receiving([hang()])
    const id = await subscribe(tenant, receiver)
    expect((await tenant.post(`/v1/webhooks/${id}/test`)).body).toEqual({
      success: false,
      statusCode: 0,
      responseBody: '',
    })
    impatient.clock.advance(3_600_000)
    await impatient.runDue()
    expect(receiver.requests).toHaveLength(1)
    await impatient.close()
  })

  test('has status code 0 when nobody listens', async () => {
    const id = await subscribe(acme, { url: `http://127.0.0.1:${NOBODYS_PORT}` })
    const { status, body } = await acme.post(`/v1/webhooks/${id}/test`, {})
    expect([status, body]).toEqual([200, { success: false, statusCode: 0, responseBody: '' }])
  })

  test('is made once in 5 s for a subscription; sooner is a 429 that says when', async () => {
    const receiver = await receiving()
    const id = await subscribe(acme, receiver)
    const other = await subscribe(acme, receiver)
    const send = (webhookId = id) => acme.post(`/v1/webhooks/${webhookId}/test`)
    expect((await send()).status).toBe(200)
    app.clock.advance(1_500)
    const soon = await send()
    expect([soon.status, soon.text, soon.headers.get('retry-after')]).toEqual([429, '', '4'])
    expect((await send(other)).status).toBe(200)
    app.clock.advance(3_499)
    expect((await send()).headers.get('retry-after')).toBe('1')
    app.clock.advance(1)
    expect((await send()).status).toBe(200)
    expect(receiver.requests).toHaveLength(3)
  })

  test('with an Idempotency-Key is made once', async () => {
    const receiver = await receiving()
    const id = await subscribe(acme, receiver)
    const send = () => acme.post(`/v1/webhooks/${id}/test`, {}, { 'idempotency-key': `test-${id}` })
    const first = await send()
    const second = await send()
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(receiver.requests).toHaveLength(1)
  })
})

describe('the list of deliveries', () => {
  test('pages newest first, by status, and of this subscription alone', async () => {
    const receiver = await receiving()
    const id = await subscribe(acme, receiver)
    const other = await subscribe(acme, receiver, { name: 'other' })
    for (let i = 0; i < 3; i++) {
      if (i === 1) receiver.next(reply(500), reply(500))
      await addContacts(acme)
      await passWindow(app)
    }
    const list = async (query: string, webhookId = id) =>
      (await acme.get(`/v1/webhooks/${webhookId}/deliveries${query}`)).body
    const all = (await list('')).items
    expect(all.map(({ status }: { status: string }) => status)).toEqual(['pending', 'retrying', 'delivered'])
    const first = await list('?limit=2')
    expect(first.items).toEqual(all.slice(0, 2))
    expect(await list(`?limit=2&cursor=${first.nextCursor}`)).toEqual({ items: all.slice(2), nextCursor: null })
    expect((await list('?status=delivered')).items).toEqual(all.slice(2))
    expect((await acme.get(`/v1/webhooks/${other}/deliveries?cursor=${first.nextCursor}`)).status).toBe(400)
    expect((await acme.get(`/v1/webhooks/${id}/deliveries?status=lost`)).body.message).toStartWith(
      'status: must be one of',
    )
    const theirs = (await list('', other)).items.map(({ id }: { id: string }) => id)
    expect(all.filter((item: { id: string }) => theirs.includes(item.id))).toEqual([])
  })
})

describe('redelivering', () => {
  const redeliver = (id: string, batchId: string, tenant = acme) =>
    tenant.post(`/v1/webhooks/${id}/deliveries/${batchId}/redeliver`)

  test('sends the same bytes again, with a fresh set of attempts', async () => {
    const receiver = await receiving([reply(500)])
    const id = await subscribe(acme, receiver)
    await addContacts(acme)
    await passWindow(app)
    app.clock.advance(30_000)
    await app.runDue()
    const batchId = receiver.requests[0]?.headers['x-webhook-batch'] as string
    const answer = await redeliver(id, batchId)
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ id: batchId, status: 'pending', deliveredAt: null, attempts: [{}, {}] })
    receiver.next(...Array(5).fill(reply(500)))
    for (let i = 0; i < 6; i++) {
      await app.runDue()
      app.clock.advance(1_800_000)
    }
    expect(receiver.requests).toHaveLength(8)
    const [first, ...others] = receiver.requests
    for (const { body } of others) expect(body).toEqual(first?.body as Uint8Array)
    expect(receiver.requests.map(({ headers }) => headers['x-webhook-attempt']).join('')).toBe('12123456')
    const [delivery] = (await acme.get(`/v1/webhooks/${id}/deliveries`)).body.items
    expect([delivery.status, delivery.attempts.length]).toEqual(['delivered', 8])
  })

  test('goes behind what waits', async () => {
    const receiver = await receiving()
    const id = await subscribe(acme, receiver)
    const one = await addContacts(acme)
    await passWindow(app)
    receiver.next(reply(500))
    const two = await addContacts(acme)
    await passWindow(app)
    const three = await addContacts(acme)
    await app.runDue()
    await redeliver(id, receiver.requests[0]?.headers['x-webhook-batch'] as string)
    app.clock.advance(30_000)
    await app.runDue()
    expect(contactsOf(receiver)).toEqual([one, two, two, three, one])
  })

  test('waits while the subscription is not active', async () => {
    const receiver = await receiving()
    const id = await subscribe(acme, receiver)
    await addContacts(acme)
    await passWindow(app)
    const update = { name: 'x', url: receiver.url, events: ['ticket.created'] }
    await acme.put(`/v1/webhooks/${id}`, { ...update, active: false })
    const answer = await redeliver(id, receiver.requests[0]?.headers['x-webhook-batch'] as string)
    expect([answer.status, answer.body.nextAttemptAt]).toEqual([202, null])
    await passWindow(app)
    expect(receiver.requests).toHaveLength(1)
    await acme.put(`/v1/webhooks/${id}`, update)
    await app.runDue()
    expect(receiver.requests).toHaveLength(2)
  })

  test('is a 409 while the batch is on its way, a 404 for what is not there', async () => {
    const receiver = await receiving([reply(500)])
    const id = await subscribe(acme, receiver)
    await addContacts(acme)
    await app.runDue()
    const batches = async () => (await acme.get(`/v1/webhooks/${id}/deliveries`)).body.items
    const [{ id: batchId }] = await batches()
    const refused = async (word: string) => {
      const answer = await redeliver(id, batchId)
      expect([answer.status, answer.body.error]).toEqual([409, 'conflict'])
      expect(answer.body.message).toContain(word)
    }
    await refused('collecting')
    await passWindow(app)
    await refused('retrying')
    const other = await subscribe(acme, receiver)
    for (const [webhookId, wrong] of [
      [id, 'nonsense'],
      [id, id],
      [other, batchId],
      ['nonsense', batchId],
    ]) {
      expect((await redeliver(webhookId as string, wrong as string)).status).toBe(404)
    }
    await acme.delete(`/v1/webhooks/${id}`)
    expect((await redeliver(id, batchId)).body.message).toBe('webhook not found')
    expect(await batches()).toMatchObject([{ id: batchId, status: 'failed' }])
  })
})

describe('who may', () => {
  test("another tenant's deliveries are not found, and every call needs webhooks:manage", async () => {
    const receiver = await receiving()
    const id = await subscribe(acme, receiver)
    await addContacts(acme)
    await passWindow(app)
    const batchId = receiver.requests[0]?.headers['x-webhook-batch']
    const other = await app.createTenant('Other')
    const { key } = await acme.createKey(['contacts:read'])
    for (const [method, path] of [
      ['GET', 'deliveries'],
      ['POST', 'test'],
      ['POST', `deliveries/${batchId}/redeliver`],
    ] as const) {
      expect((await app.request(method, `/v1/webhooks/${id}/${path}`, { key: other.key })).status).toBe(404)
      expect((await app.request(method, `/v1/webhooks/${id}/${path}`, { key })).status).toBe(403)
    }
    await app.runDue()
    expect(receiver.requests).toHaveLength(1)
  })
})
