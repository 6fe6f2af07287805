import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { messages } from '../../src/db/schema.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type MailServer, startMailServer } from '../support/mail/server.ts'
import { refusal } from '../support/refusal.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  mailServer = await startMailServer()
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
  acme = await app.createTenant()
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const countMessages = async () => (await app.database.db.select({ id: messages.id }).from(messages)).length

describe('a message that is too long', () => {
  const KIB = 1024
  const most = 'x'.repeat(256 * KIB)
  const tags = (count: number) => `${'<br>'.repeat(count - 1)}<p>x`
  const sends = (input: { html?: string; text?: string }) => createTicket(acme, { text: undefined, ...input })

  test.each([
    ['html of 256 KiB', { html: most }],
    ['text of 256 KiB', { html: 'x', text: most }],
    ['html of 5,000 tags', { html: tags(5000) }],
    ['html that has 512 KiB once it is sanitised', { html: `${'&'.repeat(104_857)}xxx`, text: 'x' }],
  ])('is not one with %s', async (_, reply) => {
    const { id } = await createTicket(acme)
    expect((await acme.post(`/v1/tickets/${id}/replies`, reply)).status).toBe(201)
  })

  const tooLong: [string, { html: string; text?: string }, string][] = [
    ['html of more', { html: `${most}x` }, 'html: must be at most 256 KiB'],
    ['html of more bytes, if not characters', { html: `${'é'.repeat(128 * KIB)}x` }, 'html: must be at most 256 KiB'],
    ['text of more', { html: 'x', text: `${most}x` }, 'text: must be at most 256 KiB'],
    ['html of more tags', { html: tags(5001) }, 'html: must hold at most 5000 tags (<)'],
    ['html that grows', { html: '&'.repeat(104_858) }, 'html: must be at most 512 KiB once it is sanitised'],
    [
      'html that grows as text',
      { html: '<blockquote>'.repeat(39) + '<p>x'.repeat(4900) },
      'html: must be at most 512 KiB once it is written as text',
    ],
  ]

  test.each(tooLong)('is a 400 for a reply with %s, and is not stored or sent', async (_, reply, message) => {
    mailServer.mails.length = 0
    const { id } = await createTicket(acme)
    const before = await countMessages()
    const refused = await acme.post(`/v1/tickets/${id}/replies`, reply)
    expect([refused.status, refused.body]).toEqual([400, problem('invalid_request', message)])
    // What the request itself says is looked at before the ticket.
    const elsewhere = await acme.post(`/v1/tickets/${crypto.randomUUID()}/replies`, reply)
    expect([elsewhere.status, elsewhere.body]).toEqual([400, problem('invalid_request', message)])
    expect(mailServer.mails).toEqual([])
    expect(await countMessages()).toBe(before)
  })

  test.each(tooLong)('is refused of a customer and in a note too: %s', async (_, input, message) => {
    const ticket = await createTicket(acme)
    expect(await refusal(sends(input))).toEqual(['invalid_request', message])
    const note = acme.perform((tx, caller) => addNote(tx, caller, ticket.id, input))
    expect(await refusal(note)).toEqual(['invalid_request', message])
  })

  test('is refused where its text grows as HTML', async () => {
    const refused = sends({ text: '"'.repeat(100_000) })
    expect(await refusal(refused)).toEqual([
      'invalid_request',
      'text: must be at most 512 KiB once it is written as HTML',
    ])
    expect((await sends({ text: '"'.repeat(80_000) })).messageCount).toBe(1)
  })
})
