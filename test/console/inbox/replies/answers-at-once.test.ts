import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq, ne } from 'drizzle-orm'
import { attachments, messages, replyDrafts } from '../../../../src/db/schema.ts'
import { getTicket } from '../../../../src/tickets/read.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { openChat } from '../../../support/chat/chat.ts'
import { type MailServer, startMailServer } from '../../../support/mail/server.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { createTicket } from '../../../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Awaited<ReturnType<typeof signedIn>>
let csrf: string
let ticketId: string
let newest: string

beforeAll(async () => {
  mailServer = await startMailServer({})
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
  })
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  await app.runDue()
  mailServer.mails.length = 0
  acme = await app.createTenant()
  anna = await signedIn(app, acme, 'agent')
  csrf = await anna.csrf()
  ticketId = (await createTicket(acme)).id
  app.clock.advance(1000)
  newest = await newestNow()
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

async function newestNow(): Promise<string> {
  const { text } = await anna.get(`/console/tickets/${ticketId}`)
  return /name="newest" value="([^"]*)"/.exec(text)?.[1] ?? ''
}

/** Sends the form of one of several tabs, which all were opened before. */
function send(fields: Record<string, string>, files: readonly File[] = []) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ newest, csrf, ...fields })) form.set(name, value)
  for (const file of files) form.append('files', file)
  return anna.request('POST', `/console/tickets/${ticketId}/replies`, form)
}

const replies = () =>
  app.database.db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.tenantId, acme.tenantId),
        eq(messages.ticketId, ticketId),
        eq(messages.direction, 'outbound'),
        ne(messages.state, 'note'),
      ),
    )
const drafts = () => app.database.db.select().from(replyDrafts).where(eq(replyDrafts.tenantId, acme.tenantId))
const texts = async () => (await replies()).map(({ text }) => text.trim()).sort()

async function waitUntilSent() {
  app.clock.advance(10_000)
  await app.runDue()
}

describe('answers that one person sends from two tabs at the same moment', () => {
  test('are both sent, each once, with the files of its own', async () => {
    const said = Array.from({ length: 8 }, (_, index) => `Answer ${index}`)
    const answers = await Promise.all(said.map((answer) => send({ answer }, [new File([answer], `${answer}.txt`)])))
    expect(answers.map(({ status }) => status)).toEqual(said.map(() => 303))
    expect(await texts()).toEqual(said)
    await waitUntilSent()
    expect(mailServer.mails.map(({ text }) => text?.trim()).sort()).toEqual(said)
    for (const mail of mailServer.mails)
      expect(mail.attachments.map(({ filename }) => filename)).toEqual([`${mail.text?.trim()}.txt`])
    expect(await drafts()).toEqual([])
  })

  test('are both said in a chat, each once', async () => {
    const chat = await openChat(app, acme)
    const visitor = await chat.visitor({ name: 'Ada' })
    ticketId = (await chat.start(visitor.token)).body.conversationId
    newest = await newestNow()
    const said = Array.from({ length: 8 }, (_, index) => `Answer ${index}`)
    const answers = await Promise.all(said.map((answer) => send({ answer })))
    expect(answers.map(({ status }) => status)).toEqual(said.map(() => 303))
    expect(await texts()).toEqual(said)
    expect(await drafts()).toEqual([])
  })

  test('leave to its tab the one that is refused', async () => {
    const [sent, refused] = await Promise.all([send({ answer: 'Good' }), send({ answer: 'Bad', cc: 'carl' })])
    expect([sent?.status, refused?.status]).toEqual([303, 400])
    expect(refused?.text).toContain('Bad</textarea>')
    await waitUntilSent()
    expect(mailServer.mails.map(({ text }) => text?.trim())).toEqual(['Good'])
  })
})

describe('an answer that is sent a second time before it has gone out', () => {
  test.each([
    ['at the same moment', true],
    ['a little later', false],
  ])('is one mail: %s', async (_, atOnce) => {
    const file = () => [new File(['1'], '1.txt')]
    const again = () => send({ answer: 'On its way.', cc: 'bob@acme.test' }, file())
    const answers = atOnce ? await Promise.all([again(), again(), again()]) : [await again(), await again()]
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(1)
    expect(mailServer.mails[0]?.attachments).toHaveLength(1)
    expect([await texts(), await drafts()]).toEqual([['On its way.'], []])
    // What came with the others is nobody's.
    const kept = await app.database.db.select().from(attachments).where(eq(attachments.tenantId, acme.tenantId))
    expect(kept).toHaveLength(1)
  })

  test('closes the ticket where the second says so', async () => {
    await send({ answer: 'Done.' })
    await send({ answer: 'Done.', after: 'close' })
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(1)
    expect((await getTicket(app.database.db, acme.tenantId, ticketId)).status).toBe('closed')
  })

  test.each<[string, Record<string, string>, readonly File[]]>([
    ['to somebody else too', { cc: 'carl@acme.test' }, []],
    ['with another file', { cc: '' }, [new File(['2'], '1.txt')]],
  ])('is another one %s', async (_, fields, files) => {
    await send({ answer: 'See this.', cc: '' }, [new File(['1'], '1.txt')])
    await send({ answer: 'See this.', ...fields }, files)
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(2)
  })

  test('is sent where the first was taken back, and where it has gone out', async () => {
    await send({ answer: 'Yes.' })
    const [pending] = await replies()
    await anna.post(`/console/tickets/${ticketId}/messages/${pending?.id}/undo`)
    await send({ answer: 'Yes.' })
    await waitUntilSent()
    await send({ answer: 'Yes.' })
    await waitUntilSent()
    expect(mailServer.mails.map(({ text }) => text?.trim())).toEqual(['Yes.', 'Yes.'])
  })
})
