import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createTestContact } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const now = () => new Date(app.clock.now()).toISOString()
const eventsSince = async (count: number) => (await acme.events()).slice(count).map(({ event }) => event)

describe('unsubscribing and subscribing a contact', () => {
  test('changes it and records an event the first time only', async () => {
    const contact = await createTestContact(acme, { name: 'Ada' })
    const path = `/v1/contacts/${contact.id}`
    const before = (await acme.events()).length
    const steps = [
      ['subscribe', false, []],
      ['unsubscribe', true, ['contact.unsubscribed']],
      ['unsubscribe', true, ['contact.unsubscribed']],
      ['subscribe', false, ['contact.unsubscribed', 'contact.created_or_updated']],
      ['subscribe', false, ['contact.unsubscribed', 'contact.created_or_updated']],
    ] as const
    let { updatedAt, unsubscribedAt } = contact
    let recorded = 0
    for (const [call, unsubscribed, events] of steps) {
      app.clock.advance(1000)
      if (events.length > recorded) {
        recorded = events.length
        updatedAt = now()
        unsubscribedAt = unsubscribed ? now() : null
      }
      const answer = await acme.post(`${path}/${call}`)
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ...contact, unsubscribed, unsubscribedAt, updatedAt })
      expect((await acme.get(path)).body).toEqual(answer.body)
      expect(await eventsSince(before)).toEqual([...events])
    }
    const { payload } = (await acme.events()).at(-1) as { payload: object }
    expect(payload).toEqual({ id: contact.id, name: 'Ada', email: contact.email, groups: [], customValues: [] })
  })

  test.each([
    [undefined, 200],
    [{}, 200],
    ['{', 400],
    ['[]', 400],
    [{ unsubscribed: true }, 400],
  ])('with the body %j answers %p', async (body, status) => {
    const { id } = await createTestContact(acme)
    const answers = [
      await acme.post(`/v1/contacts/${id}/unsubscribe`, body),
      await acme.post(`/v1/contacts/${id}/subscribe`, body),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([status, status])
    expect((await acme.get(`/v1/contacts/${id}`)).body.unsubscribed).toBe(false)
  })
})
