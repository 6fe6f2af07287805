import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Answer, startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestContact } from '../support/contacts.ts'

const HOUR = 60 * 60 * 1000

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const keyed = (key: string) => ({ 'idempotency-key': key })
const create = (email: string, key = 'k', tenant = acme) => tenant.post('/v1/contacts', { email }, keyed(key))
const isReplay = (answer: Answer) => answer.headers.get('idempotent-replayed') === 'true'

async function contactsAndEvents() {
  return [(await acme.get('/v1/contacts')).body.items.length, (await acme.events()).length]
}

/** The parts of an answer that a replay repeats. */
const essence = ({ status, text, headers }: Answer) => [
  status,
  text,
  headers.get('location'),
  headers.get('content-type')?.split(';')[0],
]

describe('a POST sent again with its Idempotency-Key', () => {
  test('is answered as the first time and done once', async () => {
    const first = await create('a@acme.test')
    const again = await create('a@acme.test')
    expect([isReplay(first), isReplay(again)]).toEqual([false, true])
    expect(essence(again)).toEqual(essence(first))
    expect(await contactsAndEvents()).toEqual([1, 1])
  })

  test('twenty times at once is done once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('race@acme.test')))
    expect(new Set(answers.map((answer) => JSON.stringify(essence(answer)))).size).toBe(1)
    expect(answers.filter(isReplay)).toHaveLength(19)
    expect(await contactsAndEvents()).toEqual([1, 1])
  })

  test('repeats a call without a body, and refusals that say what is there', async () => {
    const { id } = await createTestContact(acme, { email: 'b@acme.test' })
    const calls = [
      () => acme.post(`/v1/contacts/${id}/unsubscribe`, undefined, keyed('u')),
      () => acme.post('/v1/contacts/nobody/unsubscribe', {}, keyed('n')),
      () => create('b@acme.test', 'c'),
    ]
    for (const call of calls) {
      const first = await call()
      await acme.post(`/v1/contacts/${id}/subscribe`)
      const again = await call()
      expect([isReplay(first), isReplay(again)]).toEqual([false, true])
      expect(essence(again)).toEqual(essence(first))
    }
    expect((await acme.get(`/v1/contacts/${id}`)).body.unsubscribed).toBe(false)
  })

  test('with another body, or to another place, is a 409 that does nothing', async () => {
    const first = await create('a@acme.test')
    const answers = [
      await create('other@acme.test'),
      await acme.post('/v1/contacts', { email: 'a@acme.test', name: 'A' }, keyed('k')),
      await acme.post(`/v1/contacts/${first.body.id}/unsubscribe`, {}, keyed('k')),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.body.error, isReplay(answer)]).toEqual([409, 'conflict', false])
      expect(answer.body.message).toContain('Idempotency-Key')
    }
    expect(await contactsAndEvents()).toEqual([1, 1])
    expect(isReplay(await create('a@acme.test'))).toBe(true)
  })

  test('is done again after 24 hours, but not before', async () => {
    const { id } = (await create('a@acme.test')).body
    await acme.delete(`/v1/contacts/${id}`)
    app.clock.advance(24 * HOUR - 1)
    expect((await create('a@acme.test')).body.id).toBe(id)
    app.clock.advance(1)
    const later = await create('a@acme.test')
    expect([later.status, isReplay(later), later.body.id === id]).toEqual([201, false, false])
    expect(isReplay(await create('a@acme.test'))).toBe(true)
  })

  test('by another key of the tenant is a replay, by another tenant a request of its own', async () => {
    const { id } = (await create('a@acme.test')).body
    const { key } = await acme.createKey(['contacts:write'])
    const sameTenant = await app.request('POST', '/v1/contacts', {
      key,
      body: { email: 'a@acme.test' },
      headers: keyed('k'),
    })
    expect([isReplay(sameTenant), sameTenant.body.id]).toEqual([true, id])
    const other = await app.createTenant('Other')
    const theirs = await create('a@acme.test', 'k', other)
    expect([theirs.status, isReplay(theirs), theirs.body.id === id]).toEqual([201, false, false])
  })

  test('by a key without the scope is a 403, not a replay', async () => {
    await create('a@acme.test')
    const { key } = await acme.createKey(['contacts:read'])
    const answer = await app.request('POST', '/v1/contacts', {
      key,
      body: { email: 'a@acme.test' },
      headers: keyed('k'),
    })
    expect([answer.status, isReplay(answer)]).toEqual([403, false])
  })

  test('may be corrected after a 400', async () => {
    expect((await create('nobody')).status).toBe(400)
    expect((await acme.post('/v1/contacts', { nope: 1 }, keyed('k'))).status).toBe(400)
    const answer = await create('a@acme.test')
    expect([answer.status, isReplay(answer)]).toEqual([201, false])
  })

  test('never stores a webhook secret', async () => {
    const body = { name: 'W', url: 'https://a.test', events: ['ticket.created'], secret: 'unmistakable-5ecret' }
    const first = await acme.post('/v1/webhooks', body, keyed('w'))
    const again = await acme.post('/v1/webhooks', body, keyed('w'))
    expect([first.status, essence(again)]).toEqual([201, essence(first)])
    expect(again.text).not.toContain('5ecret')
  })
})

describe('an Idempotency-Key', () => {
  test.each([['x'.repeat(256)], ['']])('of the wrong length (%#) is a 400 that does nothing', async (key) => {
    const answer = await create('a@acme.test', key)
    expect([answer.status, answer.body.message]).toEqual([400, 'Idempotency-Key: must be 1 to 255 characters'])
    expect(await contactsAndEvents()).toEqual([0, 0])
  })

  test('of 255 characters is kept whole', async () => {
    await create('a@acme.test', `${'x'.repeat(254)}a`)
    expect((await create('b@acme.test', `${'x'.repeat(254)}b`)).status).toBe(201)
  })

  test('means nothing to PUT and DELETE', async () => {
    const { id } = await createTestContact(acme)
    for (const name of ['one', 'two']) {
      const answer = await acme.put(`/v1/contacts/${id}`, { name }, keyed('k'))
      expect([answer.status, answer.body.name, isReplay(answer)]).toEqual([200, name, false])
    }
    expect((await acme.delete(`/v1/contacts/${id}`, undefined, keyed('k'))).status).toBe(204)
    expect((await acme.delete(`/v1/contacts/${id}`, undefined, keyed('k'))).status).toBe(404)
  })
})
