import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

describe('creating a contact', () => {
  test('answers 201 with its location and shape, and records one event', async () => {
    const answer = await acme.post('/v1/contacts', { email: ' Ada@acme.test ', name: 'Ada' })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/contacts/${answer.body.id}`)
    expect(answer.body).toEqual({
      id: expect.any(String),
      email: 'Ada@acme.test',
      name: 'Ada',
      lastName: null,
      phone: null,
      organisationId: null,
      groups: [],
      customValues: [],
      unsubscribed: false,
      unsubscribedAt: null,
      source: 'api',
      createdAt: '2026-03-01T09:00:00.000Z',
      updatedAt: '2026-03-01T09:00:00.000Z',
    })
    const events = await acme.events()
    expect(events.map(({ event, payload }) => [event, payload])).toEqual([
      [
        'contact.created_or_updated',
        { id: answer.body.id, name: 'Ada', email: 'Ada@acme.test', groups: [], customValues: [] },
      ],
    ])
  })

  test('a second contact with the address is a 409 that names the first, and records nothing', async () => {
    const first = await acme.post('/v1/contacts', { email: 'twice@acme.test' })
    const before = await acme.events()
    const second = await acme.post('/v1/contacts', { email: 'TWICE@acme.test' })
    expect(second.status).toBe(409)
    expect(second.body).toEqual({ error: 'conflict', message: expect.any(String), contactId: first.body.id })
    expect(await acme.events()).toEqual(before)
  })
})
