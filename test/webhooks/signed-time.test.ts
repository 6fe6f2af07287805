import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { TestApp } from '../support/app.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { reply } from '../support/webhooks/receiver.ts'
import { addContacts, passWindow, startDelivering, subscribe } from '../support/webhooks/webhooks.ts'

let app: TestApp
beforeAll(async () => {
  app = await startDelivering()
})
afterAll(() => app.close())

test('each attempt is signed for its own moment, under the id of its batch', async () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const tenant = await app.createTenant()
  const receiver = await receiving([reply(500)])
  const id = await subscribe(tenant, receiver, { secret })
  await addContacts(tenant)
  app.clock.advance(700)
  await passWindow(app)
  const first = Math.floor(app.clock.now() / 1000)
  app.clock.advance(30_000)
  await app.runDue()
  const [batch] = (await tenant.get(`/v1/webhooks/${id}/deliveries`)).body.items
  expect(receiver.requests.map(({ headers }) => [headers['webhook-id'], headers['webhook-timestamp']])).toEqual([
    [batch.id, String(first)],
    [batch.id, String(first + 30)],
  ])
  for (const { headers, body } of receiver.requests) {
    // The reference verifier, without its own clock.
    const signed = new Date(Number(headers['webhook-timestamp']) * 1000)
    const expected = new Webhook(secret).sign(headers['webhook-id'] as string, signed, Buffer.from(body).toString())
    expect(headers['webhook-signature']).toBe(expected)
  }
})
