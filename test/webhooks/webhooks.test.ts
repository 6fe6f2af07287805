import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { webhooks } from '../../src/db/schema.ts'
import { eventNames } from '../../src/kinds/events.ts'
import { openSecret } from '../../src/webhooks/body/secret.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const input = { name: 'CRM sync', url: 'https://hooks.acme.test/in', events: ['ticket.created'] }

async function create(more: object = {}, tenant = acme) {
  const answer = await tenant.post('/v1/webhooks', { ...input, ...more })
  expect(answer.status).toBe(201)
  return answer.body
}

async function stored(id: string) {
  const [row] = await app.database.db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.tenantId, acme.tenantId), eq(webhooks.id, id)))
  return row
}

describe('creating a webhook', () => {
  test('answers 201 with its location and shape', async () => {
    const answer = await acme.post('/v1/webhooks', input)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/webhooks/${answer.body.id}`)
    expect(answer.body).toEqual({ id: expect.any(String), ...input, active: true, hasSecret: false })
    expect((await acme.get(`/v1/webhooks/${answer.body.id}`)).body).toEqual(answer.body)
  })

  test('keeps the order of the events and counts a repeated one once', async () => {
    const events = ['ticket.replied', 'contact.unsubscribed', 'ticket.replied', 'response.created']
    expect((await create({ events })).events).toEqual(['ticket.replied', 'contact.unsubscribed', 'response.created'])
    expect((await create({ events: eventNames })).events).toEqual([...eventNames])
  })

  test.each([
    [{ secret: 'hush' }, true],
    [{ secret: ' ' }, true],
    [{ secret: '' }, false],
    [{ secret: null }, false],
    [{}, false],
  ])('with %j has a secret: %p', async (more, hasSecret) => {
    expect((await create(more)).hasSecret).toBe(hasSecret)
  })

  test.each([
    [{ active: false }, false],
    [{ active: null }, true],
  ])('with %j is active: %p', async (more, active) => {
    expect((await create(more)).active).toBe(active)
  })
})

const limits = [
  [{ name: undefined }, 'name: is required'],
  [{ name: null }, 'name: must be a string'],
  [{ name: '' }, 'name: must not be empty'],
  [{ name: 'x'.repeat(256) }, 'name: must be at most 255 characters'],
  [{ url: undefined }, 'url: is required'],
  [{ url: '' }, 'url: must not be empty'],
  [{ url: `https://acme.test/${'x'.repeat(2031)}` }, 'url: must be at most 2048 characters'],
  [{ url: 'http://acme.test' }, 'url: must start with https://'],
  [{ url: 'ftp://acme.test' }, 'url: must start with https://'],
  [{ url: 'acme.test' }, 'url: must start with https://'],
  [{ url: 'https://user:pass@acme.test' }, 'url: must not contain a user name or password'],
  [{ url: 'https://127.0.0.1/' }, 'url: must not point to a private or reserved address'],
  [{ url: 'https://2130706433/' }, 'url: must not point to a private or reserved address'],
  [{ url: 'https://[::ffff:10.0.0.1]/' }, 'url: must not point to a private or reserved address'],
  [{ url: 'https://169.254.169.254/' }, 'url: must not point to a private or reserved address'],
  [{ url: 'https://localhost/' }, 'url: must not point to a private or reserved address'],
  [{ events: undefined }, 'events: is required'],
  [{ events: [] }, 'events: at least 1 item is required'],
  [{ events: 'ticket.created' }, 'events: must be an array'],
  [{ events: ['ticket.created', 'ticket.exploded'] }, `events[1]: must be one of ${eventNames.join(', ')}`],
  [{ events: ['ticketXcreated'] }, `events[0]: must be one of ${eventNames.join(', ')}`],
  [{ active: 'true' }, 'active: must be true or false'],
  [{ secret: 5 }, 'secret: must be a string'],
  [{ secret: 'x'.repeat(1001) }, 'secret: must be at most 1000 characters'],
  [{ hasSecret: true }, 'hasSecret: unknown field'],
] as const

describe.each(['creating', 'updating'])('%s a webhook', (doing) => {
  test.each(limits)('refuses %j and writes nothing', async (wrong, message) => {
    const tenant = await app.createTenant()
    const before = await create({}, tenant)
    const body = { ...input, name: 'changed', ...wrong }
    const answer =
      doing === 'creating'
        ? await tenant.post('/v1/webhooks', body)
        : await tenant.put(`/v1/webhooks/${before.id}`, body)
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(answer.body.message).toStartWith(message)
    expect((await tenant.get('/v1/webhooks')).body.items).toEqual([before])
  })

  test('takes the longest name and URL', async () => {
    const { id } = await create()
    const body = { ...input, name: 'x'.repeat(255), url: `https://acme.test/${'x'.repeat(2030)}` }
    const answer =
      doing === 'creating' ? await acme.post('/v1/webhooks', body) : await acme.put(`/v1/webhooks/${id}`, body)
    expect(answer.body).toMatchObject({ name: body.name, url: body.url })
  })
})

describe('updating a webhook', () => {
  test('replaces name, URL and events, and activates it when active is left out', async () => {
    const { id } = await create({ active: false })
    const body = { name: 'New', url: 'https://new.test/', events: ['ticket.replied', 'response.created'] }
    const answer = await acme.put(`/v1/webhooks/${id}`, body)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ id, ...body, active: true, hasSecret: false })
    expect((await acme.get(`/v1/webhooks/${id}`)).body).toEqual(answer.body)
    expect((await acme.put(`/v1/webhooks/${id}`, { ...body, active: false })).body.active).toBe(false)
  })

  test.each([
    ['omitting the secret keeps it', {}, 'first'],
    ['null keeps it', { secret: null }, 'first'],
    ['an empty string clears it', { secret: '' }, null],
    ['another value replaces it', { secret: 'second' }, 'second'],
  ])('%s', async (_, more, secret) => {
    const { id } = await create({ secret: 'first' })
    const answer = await acme.put(`/v1/webhooks/${id}`, { ...input, ...more })
    expect(answer.body.hasSecret).toBe(secret !== null)
    const { sealedSecret = null, secret: clear } = (await stored(id)) ?? {}
    const opened = openSecret(app.deps.secrets, { tenantId: acme.tenantId, webhookId: id, sealedSecret })
    expect([opened, clear]).toEqual([secret, null])
  })

  test('never needs all fields less than create does', async () => {
    const { id } = await create()
    expect((await acme.put(`/v1/webhooks/${id}`, { active: false })).status).toBe(400)
  })
})

describe('a secret', () => {
  test('is in no answer and no log line', async () => {
    const secret = 'unmistakable-5ecret'
    const { id } = await create({ secret })
    const answers = [
      await acme.get('/v1/webhooks'),
      await acme.get(`/v1/webhooks/${id}`),
      await acme.put(`/v1/webhooks/${id}`, { ...input, secret }),
      await acme.post('/v1/webhooks', { ...input, secret, url: 'nonsense' }),
    ]
    for (const answer of answers) {
      expect(answer.text).not.toContain(secret)
      expect(answer.text).not.toContain('"secret"')
    }
    expect(app.logged.join('\n')).not.toContain(secret)
  })
})

describe('deleting a webhook', () => {
  test('makes it a 404 everywhere, keeps its row without the secret, and frees no one else', async () => {
    const { id } = await create({ secret: 'hush' })
    const gone = await acme.delete(`/v1/webhooks/${id}`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    const answers = [
      await acme.get(`/v1/webhooks/${id}`),
      await acme.put(`/v1/webhooks/${id}`, input),
      await acme.delete(`/v1/webhooks/${id}`),
    ]
    for (const answer of answers) expect([answer.status, answer.body.message]).toEqual([404, 'webhook not found'])
    const { items } = (await acme.get('/v1/webhooks')).body
    expect(items.map((item: { id: string }) => item.id)).not.toContain(id)
    expect(await stored(id)).toMatchObject({
      secret: null,
      sealedSecret: null,
      active: false,
      deletedAt: expect.any(String),
    })
  })
})

describe('who may', () => {
  test("another tenant's webhook is not found and stays as it is", async () => {
    const other = await app.createTenant('Other')
    const theirs = await create({}, other)
    for (const id of [theirs.id, '019ca8b6-0000-7000-8000-000000000000', 'nonsense']) {
      const answers = [
        await acme.get(`/v1/webhooks/${id}`),
        await acme.put(`/v1/webhooks/${id}`, input),
        await acme.delete(`/v1/webhooks/${id}`),
      ]
      for (const answer of answers) {
        expect([answer.status, answer.body]).toEqual([404, problem('not_found', 'webhook not found')])
      }
    }
    expect((await other.get('/v1/webhooks')).body.items).toEqual([theirs])
  })

  test('every call needs webhooks:manage', async () => {
    const { id } = await create()
    const { key } = await acme.createKey(['contacts:read', 'tickets:write'])
    const calls = [
      ['GET', ''],
      ['POST', ''],
      ['GET', `/${id}`],
      ['PUT', `/${id}`],
      ['DELETE', `/${id}`],
    ] as const
    for (const [method, path] of calls) {
      const answer = await app.request(method, `/v1/webhooks${path}`, { key })
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope'])
      expect(answer.body.message).toContain('webhooks:manage')
    }
  })
})

describe('with private addresses allowed', () => {
  test.each(['http://localhost:8080/in', 'https://10.0.0.1/', 'http://[::1]/'])('takes %p', async (url) => {
    const open = await startApp({ environment: { FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' } })
    try {
      const tenant = await open.createTenant()
      const { body } = await tenant.post('/v1/webhooks', { ...input, url })
      expect(body.url).toBe(url)
      expect((await tenant.put(`/v1/webhooks/${body.id}`, { ...input, url })).status).toBe(200)
      expect((await tenant.post('/v1/webhooks', { ...input, url: 'http://u:p@a.test' })).status).toBe(400)
    } finally {
      await open.close()
    }
  })
})
