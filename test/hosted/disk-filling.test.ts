import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { responses } from '../../src/db/schema.ts'
import { ByteLimiter } from '../../src/http/limits/byte-limit.ts'
import { clientAddresses } from '../../src/lib/network/client-address.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { createPublished, type TestForm } from '../support/forms/collecting.ts'
import { png, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'

/* What strangers can do to the disk (decisions §6 and §10). */

const KIB = 1024
const MIB = 1024 * KIB
const HOUR = 3_600_000
const from = (address: string) => ({ 'x-forwarded-for': address })

describe('JSON that an address sends to forms', () => {
  let app: TestApp
  let form: TestForm

  beforeAll(async () => {
    app = await startApp({
      environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000', FRONTDESK_TRUSTED_PROXIES: '127.0.0.1' },
    })
    form = await createPublished(await app.createTenant(), [questionBody('textbox'), questionBody('signature')])
  })
  afterAll(() => app.close())

  /** A partial response whose body is of so many bytes. */
  const body = (size: number) => {
    const json = (filler: string) => JSON.stringify({ answers: [], complete: false, filler })
    return json('x'.repeat(Math.max(0, size - json('').length)))
  }
  const send = (address: string, size = 256 * KIB, content: BodyInit = body(size)) =>
    fetch(`${app.url}/f/${form.launchCode}/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...from(address) },
      body: content,
    })

  test('is 20 MiB in an hour, whatever becomes of it, then a 429 that says when', async () => {
    // An unknown field is a 400, and has cost as much to read.
    for (let i = 0; i < 80; i++) expect((await send('203.0.113.1')).status).toBe(400)
    const refused = await send('203.0.113.1', 100)
    const wait = Number(refused.headers.get('retry-after'))
    expect([refused.status, await refused.text(), refused.headers.get('access-control-allow-origin')]).toEqual([
      429,
      '',
      '*',
    ])
    expect(wait).toBeGreaterThan(3_500)
    expect((await respondent(app, form).upload(png, 'a.png', from('203.0.113.1'))).status).toBe(201)
    expect(
      (await app.request('GET', `/f/${form.launchCode}/definition`, { headers: from('203.0.113.1') })).status,
    ).toBe(200)
    expect((await send('203.0.113.2', 100)).status).toBe(400)
    app.clock.advance((wait - 70) * 1000)
    expect((await send('203.0.113.1', 100)).status).toBe(429)
    app.clock.advance(70_000)
    expect((await send('203.0.113.1', 100)).status).toBe(400)
  })

  test('is refused before it has come', async () => {
    for (let i = 0; i < 80; i++) await send('203.0.113.3')
    const endless = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
    expect((await send('203.0.113.3', 0, endless)).status).toBe(429)
  })

  test('counts for what it is where it says no length', async () => {
    const chunked = (size: number) => new Blob([body(size)]).stream()
    for (let i = 0; i < 200; i++) expect((await send('203.0.113.4', 0, chunked(1_000))).status).toBe(400)
    for (let i = 0; i < 79; i++) expect((await send('203.0.113.4')).status).toBe(400)
    expect((await send('203.0.113.4')).status).toBe(429)
  })

  test('of IPv6 counts for a /64, and with ten times as much for a /48', () => {
    const clientOf = clientAddresses(['127.0.0.1'])
    const client = (address: string) => clientOf('127.0.0.1', address)
    const limiter = new ByteLimiter(20 * MIB)
    limiter.add(client('2001:db8:1:1::1'), 20 * MIB, 0)
    expect(limiter.wait(client('2001:db8:1:1::2'), 1, 0)).toBeGreaterThan(0)
    expect(limiter.wait(client('2001:db8:1:2::1'), 1, 0)).toBe(0)
    for (let net = 2; net <= 10; net++) limiter.add(client(`2001:db8:1:${net}::1`), 20 * MIB, 0)
    expect(limiter.wait(client('2001:db8:1:ff::1'), 1, 0)).toBeGreaterThan(0)
    expect(limiter.wait(client('2001:db8:2:1::1'), 1, 0)).toBe(0)
    expect(limiter.size).toBe(11)
    limiter.add(client('2001:db8:3:1::1'), 1, 2 * HOUR)
    expect(limiter.size).toBe(2)
  })
})

describe('where the disk has less room than it should', () => {
  let app: TestApp
  let acme: TestTenant

  const minFree = (bytes: number) => {
    Object.assign(app.deps.config, { minFree: bytes })
    app.clock.advance(1_000)
  }

  beforeAll(async () => {
    app = await startApp()
    acme = await app.createTenant()
  })
  afterAll(() => app.close())

  test('responses and uploads are a 503 that says when to come again, and nothing is kept', async () => {
    const form = await createPublished(acme, [questionBody('nps'), questionBody('signature')])
    const visitor = respondent(app, form)
    minFree(Number.MAX_SAFE_INTEGER)
    for (const answer of [await visitor.begin([9], true), await visitor.upload(png)]) {
      expect([answer.status, answer.body.error]).toEqual([503, 'unavailable'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('x-request-id')).not.toBeNull()
    }
    expect(await app.database.db.select().from(responses)).toEqual([])
    expect((await app.request('GET', `/f/${form.launchCode}`)).status).toBe(200)
    expect((await acme.post('/v1/contacts', { email: 'ada@acme.test' })).status).toBe(201)
  })

  test('a chat takes no visitors and no messages, by socket neither, and answers questions', async () => {
    minFree(0)
    const chat = await openChat(app, acme)
    const { token } = await chat.visitor()
    const { conversationId } = (await chat.start(token)).body
    const socket = await chat.connect(token)
    minFree(Number.MAX_SAFE_INTEGER)
    const written = [
      await chat.call('POST', '/visitors', null, {}),
      await chat.start(token),
      await chat.write(token, conversationId, { text: 'Hello?', clientId: 'a' }),
    ]
    expect(written.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([503, 'unavailable']))
    socket.send({ type: 'message', conversationId, message: { text: 'Hello?', clientId: 'b' } })
    expect(await socket.next(({ type }) => type === 'error')).toMatchObject({ error: 'unavailable' })
    expect((await chat.call('POST', '/ask', null, { question: 'Where is it?' })).status).toBe(200)
    expect((await chat.read(token, conversationId)).body.items).toHaveLength(1)
    minFree(0)
    expect((await chat.write(token, conversationId, { text: 'Hello?', clientId: 'a' })).status).toBe(201)
    socket.close()
  })
})
