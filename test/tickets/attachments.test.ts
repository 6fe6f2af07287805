import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { attachments, messages } from '../../src/db/schema.ts'
import { openTicket } from '../../src/tickets/incoming/opening.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { png } from '../support/forms/hosted.ts'
import { refusalOf } from '../support/refusal.ts'
import { createEmailInbox, createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const download = (id: string, key: string | null = acme.key) =>
  fetch(`${app.url}/v1/attachments/${id}`, { headers: key === null ? {} : { authorization: `Bearer ${key}` } })

describe('an attachment', () => {
  test('is shown with its message and saved from there, never opened in place', async () => {
    const attachment = await createTestAttachment(acme, { fileName: 'bild.txt', contentType: 'text/html' }, png)
    const { id } = await createTicket(acme, { attachments: [attachment] })
    const { messages: thread } = (await acme.get(`/v1/tickets/${id}`)).body
    expect(thread[0].attachments).toEqual([
      { id: attachment.id, fileName: 'bild.txt', contentType: 'image/png', size: png.length },
    ])
    const answer = await download(attachment.id)
    expect(await answer.bytes()).toEqual(png)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="bild.txt"; filename*=UTF-8''bild.txt`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    })
  })

  test('of a later message is served too, by an id in capitals as well', async () => {
    const { id } = await createTicket(acme)
    const attachment = await createTestAttachment(acme)
    const message = await acme.perform((tx, caller) =>
      receiveMessage(tx, caller, id, { text: 'Here it is.', attachments: [attachment] }),
    )
    expect(message.attachments.map(({ id }) => id)).toEqual([attachment.id])
    expect((await download(attachment.id.toUpperCase())).status).toBe(200)
  })

  test.each([
    ['text/csv; charset=utf-8', 'text/csv'],
    ['TEXT/PLAIN', 'text/plain'],
    ['text/html', 'application/octet-stream'],
    ['application/pdf', 'application/octet-stream'],
    [undefined, 'application/octet-stream'],
  ])('of text that its sender calls %p is %s', async (named, contentType) => {
    expect(await createTestAttachment(acme, named ? { contentType: named } : {})).toMatchObject({ contentType })
  })

  test('whose message is not part of the conversation is a 404', async () => {
    const attachment = await createTestAttachment(acme)
    await createTicket(acme, { attachments: [attachment] })
    const { db } = app.database
    const [row] = await db.select().from(attachments).where(eq(attachments.id, attachment.id))
    for (const state of ['note', 'sending', 'failed'] as const) {
      const ofMessage = eq(messages.id, row?.messageId ?? '')
      await app.database.transaction(async (tx) => void (await tx.update(messages).set({ state }).where(ofMessage)))
      expect((await download(attachment.id)).status).toBe(404)
    }
  })

  test('needs a key of the scope tickets:read', async () => {
    const attachment = await createTestAttachment(acme)
    await createTicket(acme, { attachments: [attachment] })
    expect((await download(attachment.id, null)).status).toBe(401)
    const { key } = await acme.createKey(['responses:read'])
    const refused = await download(attachment.id, key)
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([403, 'insufficient_scope'])
  })

  test('of a message that is refused has no record', async () => {
    const attachment = await createTestAttachment(acme)
    const { id: inboxId } = await createEmailInbox(acme)
    const refused = acme.perform((tx, caller) =>
      openTicket(tx, caller, { inboxId, email: 'nobody', subject: 'x', text: 'x', attachments: [attachment] }),
    )
    expect(await refusalOf(refused)).toContain('email')
    expect(await app.database.db.select().from(attachments).where(eq(attachments.id, attachment.id))).toEqual([])
    expect((await download(attachment.id)).status).toBe(404)
  })
})
