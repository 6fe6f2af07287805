import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { rawMailPath } from '../../../src/console/inbox/message/raw-mail.ts'
import { messages } from '../../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createMailbox, deliveryReport, type Mailbox, rawMail } from '../../support/mail/mails.ts'
import { ConsoleBrowser, signedIn } from '../../support/pages/console.ts'

const DAY = 24 * 60 * 60 * 1000

let app: TestApp
let acme: TestTenant
let inbox: Mailbox
let agent: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  inbox = await createMailbox(app, acme)
  agent = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

/** What a browser saves of a path, to the byte. */
async function save(browser: ConsoleBrowser, path: string) {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const response = await fetch(app.url + path, { headers: { cookie }, redirect: 'manual' })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

/** What the page of a ticket says of one of its messages. */
async function shown(ticketId: string | null, messageId: string | null) {
  const { text } = await agent.get(`/console/tickets/${ticketId}`)
  const start = text.indexOf(`aria-labelledby="m-${messageId}"`)
  return start < 0 ? '' : text.slice(start, text.indexOf('</article>', start))
}

/** A mail of so many files. */
const manyFiles = (count: number) =>
  rawMail({
    to: inbox.address,
    body: [
      'Content-Type: multipart/mixed; boundary="b"\r\n',
      ...Array.from(
        { length: count },
        (_, i) => `--b\r\nContent-Type: application/x-part; name="${i + 1}.bin"\r\n\r\n${i}\r\n`,
      ),
      '--b--\r\n',
    ].join('\r\n'),
  })

describe('a mail of many files', () => {
  test.each([
    [100, 100, false],
    [101, 100, true],
    [995, 100, true],
    [5000, 100, true],
  ])('of %d has a message with %d, and says whether there are more: %p', async (count, kept, holdsMore) => {
    const raw = manyFiles(count)
    const { ticketId, messageId } = await inbox.receive(raw)
    const [message] = (await acme.get(`/v1/tickets/${ticketId}`)).body.messages
    expect(message.attachments.map(({ fileName }: { fileName: string }) => fileName)).toEqual(
      Array.from({ length: kept }, (_, i) => `${i + 1}.bin`),
    )
    expect((await shown(ticketId, messageId)).includes('This mail has more parts than are shown here')).toBe(holdsMore)
    const saved = await save(agent, rawMailPath(messageId as string))
    expect(saved.bytes.equals(Buffer.from(raw))).toBe(true)
  })
})

describe('the mail that a message came as', () => {
  test.each([
    ['small', 10],
    ['larger than what lies in a row', 200_000],
  ])('can be downloaded by agents, to the byte, when it is %s', async (_, length) => {
    const raw = Buffer.concat([
      rawMail({ to: inbox.address, text: '<script>alert(1)</script>'.padEnd(length, 'x') }),
      Buffer.from([0, 255, 128, 10]),
    ])
    const { ticketId, messageId } = await inbox.receive(raw)
    const path = rawMailPath(messageId as string)
    expect(await shown(ticketId, messageId)).toContain(`<a href="${path}" download>Original mail</a>`)
    const saved = await save(agent, path)
    expect(saved.status).toBe(200)
    expect(saved.bytes.equals(raw)).toBe(true)
    expect(Object.fromEntries(saved.headers)).toMatchObject({
      'content-type': 'message/rfc822',
      'content-length': String(raw.length),
      'content-disposition': `attachment; filename="${messageId}.eml"; filename*=UTF-8''${messageId}.eml`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    })
  })

  test('is nobody else’s: another tenant has no such page, and strangers are asked to sign in', async () => {
    const { messageId } = await inbox.deliver({ text: 'A secret.' })
    const path = rawMailPath(messageId as string)
    const stranger = await signedIn(app, await app.createTenant(), 'admin')
    const refused = await stranger.get(path)
    expect(refused.status).toBe(404)
    expect(refused.text).not.toContain('A secret.')
    const unknown = await new ConsoleBrowser(app).get(path)
    expect(unknown.status).toBe(303)
    expect((await app.request('GET', path, { key: acme.key })).status).toBe(303)
    for (const odd of ['x', '0', crypto.randomUUID()]) expect((await agent.get(rawMailPath(odd))).status).toBe(404)
  })

  test('goes with the message to a ticket of its own, and each mail of a thread has one', async () => {
    const first = await inbox.deliver({ text: 'First.' })
    const second = await inbox.deliver({ text: 'Second.', id: '<second@customer.test>' })
    const into = first.ticketId as string
    await agent.post(`/console/tickets/${second.ticketId}/merge`, { into, seen: into })
    expect((await save(agent, rawMailPath(second.messageId as string))).bytes.toString()).toContain('Second.')
    for (const { messageId } of [first, second])
      expect(await shown(first.ticketId, messageId)).toContain(rawMailPath(messageId as string))
  })

  test('is gone after 30 days, and says so', async () => {
    const { ticketId, messageId } = await inbox.deliver({ text: 'A week ago.' })
    const path = rawMailPath(messageId as string)
    app.clock.advance(29 * DAY)
    await app.runDue()
    agent = await signedIn(app, acme, 'agent')
    expect(await shown(ticketId, messageId)).toContain(path)
    app.clock.advance(DAY)
    agent = await signedIn(app, acme, 'agent')
    expect(await shown(ticketId, messageId)).not.toContain(path)
    await app.runDue()
    const article = await shown(ticketId, messageId)
    expect(article).toContain('A week ago.')
    expect(article).toContain('The original mail is no longer kept.')
    expect(article).not.toContain(path)
    const { status, text } = await agent.get(path)
    expect(status).toBe(404)
    expect(text).toContain('Original mails are kept for a while only')
  })

  test('is none where it came otherwise, and a delivery report is not the mail of the answer it is about', async () => {
    const { ticketId } = await inbox.deliver()
    await acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Soon.</p>' })
    const answer = (await acme.get(`/v1/tickets/${ticketId}`)).body.messages.at(-1).id
    const [sent] = await app.database.db.select().from(messages).where(eq(messages.id, answer))
    const came = await inbox.deliver(deliveryReport(sent?.mailId ?? ''))
    expect(came).toMatchObject({ outcome: 'bounce', messageId: answer })
    expect(await shown(ticketId, answer)).not.toContain('/raw')
    expect((await agent.get(rawMailPath(answer))).status).toBe(404)
  })
})
