import { afterAll, beforeAll, expect, test } from 'bun:test'
import { publishForm } from '../../src/forms/publishing.ts'
import { clientLibrary } from '../support/api/client.ts'
import { settled } from '../support/api/event-log.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { png } from '../support/forms/hosted.ts'
import {
  closeSilently,
  hang,
  type Receiver,
  reply,
  reset,
  resetMidBody,
  type Script,
  startReceiver,
} from '../support/webhooks/receiver.ts'

const { createClient, FrontdeskError } = await clientLibrary()

let app: TestApp
let acme: TestTenant
beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** A service that answers as scripted, and what was asked of it. */
async function scripted<T>(scripts: Script[], use: (url: string, receiver: Receiver) => Promise<T>): Promise<T> {
  const receiver = await startReceiver()
  receiver.next(...scripts)
  try {
    return await use(receiver.url, receiver)
  } finally {
    await receiver.close()
  }
}

const answering = (status: number, body = '', headers: Record<string, string> = {}) => reply(status, { body, headers })
const busy = (status: number, retryAfter = '0') => answering(status, '', { 'retry-after': retryAfter })
const done = answering(201, '{"id":"one"}')
const thrown = (call: Promise<unknown>) => call.then(() => null).catch((error) => error)

test('every way of being asked reaches the service: path, body, query, form and file', async () => {
  const client = createClient({ baseUrl: `${app.url}/`, key: acme.key })
  const form = await client.createForm({
    title: 'Lunch?',
    questions: [{ type: 'file_upload', fileUploadSlots: ['A'] }],
  })
  expect((await client.getForm(form.id)).title).toBe('Lunch?')
  await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
  const { uploadId } = await client.uploadFile(form.launchCode, { file: new File([png], 'a.png') })
  const answers = [{ questionId: form.pages[0].questions[0].id, value: [{ slot: 0, uploadId }] }]
  await client.beginResponse(form.launchCode, { answers, complete: true })
  const file = await client.downloadUpload(uploadId)
  expect(file.headers.get('content-disposition')).toContain('a.png')
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(png)
  expect((await client.listForms({ updated_since: '2099-01-01T00:00:00+02:00' })).items).toEqual([])
  const missing = await thrown(client.getTicket(Bun.randomUUIDv7()))
  expect([missing.code, missing.status, missing.message]).toEqual(['not_found', 404, 'ticket not found'])
  const { id } = await client.createContact({ email: 'gone@acme.test' })
  expect(await client.deleteContact(id)).toBeUndefined()
  expect((await thrown(client.getContact(id))).status).toBe(404)
})

test('what a path is given stays within its place', async () => {
  const client = createClient({ baseUrl: app.url, key: acme.key })
  expect((await thrown(client.getContact('../forms?limit=1'))).code).toBe('not_found')
  for (const id of ['', '.', '..', undefined, null, {}]) {
    expect(() => client.getContact(id)).toThrow(TypeError)
  }
})

test('lists go on through all pages, in their order, and as often as they are asked', async () => {
  const tenant = await app.createTenant()
  for (let at = 0; at < 7; at += 1) await tenant.post('/v1/contacts', { email: `c${at}@acme.test` })
  const client = createClient({ baseUrl: app.url, key: tenant.key })
  const all = client.listContacts({ limit: 3 })
  for (const _ of [1, 2]) {
    const emails: string[] = []
    for await (const { email } of all) emails.push(email)
    expect(emails).toEqual([6, 5, 4, 3, 2, 1, 0].map((at) => `c${at}@acme.test`))
  }
})

test('a log without an end is followed for as long as there is something, and on and on where it is waited for', async () => {
  const page = (items: number[], nextCursor: string) => answering(200, JSON.stringify({ items, nextCursor }))
  const pages = [page([1, 2], 'a'), page([3], 'b'), page([], 'c'), page([4], 'd')]
  const read = async (query: object) =>
    scripted(pages, async (baseUrl, { requests }) => {
      const seen: number[] = []
      for await (const item of createClient({ baseUrl }).listContacts(query)) {
        seen.push(item)
        if (item === 4) break
      }
      return [seen, requests.map(({ path }) => path.split('?')[1] ?? '')]
    })
  expect(await read({})).toEqual([
    [1, 2, 3],
    ['', 'cursor=a', 'cursor=b'],
  ])
  expect(await read({ wait: 30 })).toEqual([
    [1, 2, 3, 4],
    ['wait=30', 'wait=30&cursor=a', 'wait=30&cursor=b', 'wait=30&cursor=c'],
  ])
})

test('the log of events is read to its end, and read on by its cursor', async () => {
  const tenant = await app.createTenant()
  const client = createClient({ baseUrl: app.url, key: tenant.key })
  for (const name of ['a', 'b', 'c']) await client.createContact({ email: `${name}@acme.test` })
  await settled(app, tenant)
  const all: string[] = []
  for await (const { event, payload } of client.listEvents({ limit: 2 })) all.push(`${event} ${payload.email}`)
  expect(all).toEqual(['a', 'b', 'c'].map((name) => `contact.created_or_updated ${name}@acme.test`))
  const { nextCursor } = await client.listEvents()
  await client.createContact({ email: 'd@acme.test' })
  for await (const { payload } of client.listEvents({ cursor: nextCursor, wait: 30 })) {
    expect(payload.email).toBe('d@acme.test')
    break
  }
})

test.each([
  ['429', busy(429)],
  ['503', busy(503)],
  ['503 of what stands in between', answering(503, '<html>')],
  ['connection that is lost', reset()],
  ['connection that is closed', closeSilently()],
  ['connection that is lost in the middle of an answer', resetMidBody(0)],
])('after a %s a request is made again, under the same key', async (_, script) => {
  await scripted([script, script, done], async (baseUrl, { requests }) => {
    const client = createClient({ baseUrl, key: 'sk_x' })
    expect(await client.createContact({ email: 'ada@acme.test' })).toEqual({ id: 'one' })
    expect(requests.length).toBe(3)
    const [first] = requests
    for (const request of requests) {
      expect(request.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
      expect(request.headers['idempotency-key']).toBe(first?.headers['idempotency-key'] as string)
      expect(request.headers.authorization).toBe('Bearer sk_x')
      expect(Buffer.from(request.body).toString()).toBe('{"email":"ada@acme.test"}')
    }
  })
})

test('a contact whose first answer was lost is there once', async () => {
  const tenant = await app.createTenant()
  let lost = 0
  const losing = async (url: string, init: RequestInit) => {
    const answer = await fetch(url, init)
    if (lost++ > 0) return answer
    await answer.text()
    throw new TypeError('the connection was lost')
  }
  const client = createClient({ baseUrl: app.url, key: tenant.key, fetch: losing })
  const { id } = await client.createContact({ email: 'once@acme.test' })
  expect((await client.listContacts()).items.map((contact: { id: string }) => contact.id)).toEqual([id])
  expect(lost).toBe(3)
})

test('a key of the caller’s own is sent as it is, and two calls have two of them', async () => {
  await scripted([done, done, done], async (baseUrl, { requests }) => {
    const client = createClient({ baseUrl })
    await client.createContact({}, { idempotencyKey: 'mine' })
    await client.createContact({})
    await client.createContact({})
    const [mine, second, third] = requests.map(({ headers }) => headers['idempotency-key'])
    expect(mine).toBe('mine')
    expect(second).not.toBe(third as string)
    expect(requests[0]?.headers.authorization).toBeUndefined()
  })
})

test('it waits for as long as Retry-After says', async () => {
  await scripted([busy(429, '1'), done], async (baseUrl) => {
    const began = performance.now()
    await createClient({ baseUrl }).createContact({})
    expect(performance.now() - began).toBeGreaterThanOrEqual(990)
  })
})

test.each([
  ['500', answering(500, '{"error":"internal_error","message":"x"}'), 'internal_error', 500],
  ['502', answering(502, '{"error":"delivery_failed","message":"x"}'), 'delivery_failed', 502],
  ['503 that says to come back in an hour', busy(503, '3600'), 'unexpected_answer', 503],
  ['429 for long', busy(429, '600'), 'too_many_requests', 429],
  ['401', answering(401), 'unauthorized', 401],
  ['redirect', answering(301, '', { location: 'https://other.test/' }), 'unexpected_answer', 301],
  ['page in place of JSON', answering(200, '<html>'), 'unexpected_answer', 200],
])('a %s is not repeated', async (_, script, code, status) => {
  await scripted([script, done], async (baseUrl, { requests }) => {
    const error = await thrown(createClient({ baseUrl, key: 'sk_x' }).createContact({}))
    expect(error).toBeInstanceOf(FrontdeskError)
    expect([error.code, error.status]).toEqual([code, status])
    expect(requests.length).toBe(1)
  })
})

test('after as many tries as it was told, the error is that of the last', async () => {
  await scripted([busy(429), busy(429), busy(503), done], async (baseUrl, { requests }) => {
    const error = await thrown(createClient({ baseUrl, retries: 2 }).createContact({}))
    expect([error.status, requests.length]).toEqual([503, 3])
  })
  const nobody = await thrown(createClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 }).getMe())
  expect([nobody.code, nobody.status, nobody.requestId]).toEqual(['connection_lost', 0, null])
  expect(nobody.message).toStartWith('GET /v1/me: ')
  expect(nobody.cause).toBeInstanceOf(Error)
})

test('an answer that never comes counts as lost', async () => {
  await scripted([hang(), done], async (baseUrl, { requests }) => {
    expect(await createClient({ timeout: 2_000, baseUrl }).createContact({})).toEqual({ id: 'one' })
    expect(requests.length).toBe(2)
  })
})

test('a call ends at once when its signal says so, whether it waits for an answer or to ask again', async () => {
  for (const script of [hang(), busy(429, '100')]) {
    await scripted([script], async (baseUrl, receiver) => {
      const end = new AbortController()
      const call = thrown(createClient({ baseUrl }).createContact({}, { signal: end.signal }))
      await receiver.waitFor(1)
      end.abort(new Error('enough'))
      expect((await call).message).toBe('enough')
      expect(receiver.requests.length).toBe(1)
    })
  }
  const ended = await thrown(
    createClient({ baseUrl: app.url }).getMe({ signal: AbortSignal.abort(new Error('before')) }),
  )
  expect(ended.message).toBe('before')
})

test('an error says all that the service says', async () => {
  const client = createClient({ baseUrl: app.url, key: acme.key })
  const { id } = await client.createContact({ email: 'twice@acme.test' })
  const conflict = await thrown(client.createContact({ email: 'twice@acme.test' }))
  expect([conflict.code, conflict.status, conflict.body.contactId]).toEqual(['conflict', 409, id])
  const told = answering(400, '{"error":"invalid_request","message":"m","param":"name","requestId":"r1"}')
  const error = await scripted([told], (baseUrl) => thrown(createClient({ baseUrl }).createContact({})))
  expect([error.message, error.param, error.requestId]).toEqual(['m', 'name', 'r1'])
  const wrong = await thrown(createClient({ baseUrl: app.url, key: 'sk_wrong' }).getMe())
  expect([wrong.message, wrong.requestId]).toEqual([
    'GET /v1/me was answered with 401',
    expect.stringMatching(/^[\w-]{8,}$/),
  ])
})
