import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { attachments, messages, pendingReplies, replyDrafts } from '../../../../src/db/schema.ts'
import { ORPHANS_EVERY } from '../../../../src/installation/orphans.ts'
import { receiveMessage } from '../../../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../../../src/tickets/merging/operations.ts'
import { getTicket } from '../../../../src/tickets/read.ts'
import { failInterruptedReplies } from '../../../../src/tickets/replies/interrupted-replies.ts'
import { addNote } from '../../../../src/tickets/thread/notes.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { openChat } from '../../../support/chat/chat.ts'
import { dropDatabaseOf } from '../../../support/data/postgres.ts'
import { type MailServer, refusal, startMailServer } from '../../../support/mail/server.ts'
import { signedIn, stayAtTickets } from '../../../support/pages/console.ts'
import { problemOn } from '../../../support/pages/problem.ts'
import { createTicket } from '../../../support/tickets/tickets.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Browser
let ben: Browser
let ticketId: string
let path: string
/** What the mail server does before it hears whom a mail is for, and before it takes one that it has. */
let beforeMail: () => Promise<void>
let beforeTaken: () => Promise<void>

beforeAll(async () => {
  mailServer = await startMailServer({
    beforeTaken: () => beforeTaken(),
    onMailFrom: (_address, _session, done) => void beforeMail().then(() => done(), done),
    onRcptTo: ({ address }, _session, done) => done(address === 'gone@acme.test' ? refusal(550, 'no such user') : null),
  })
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
  })
})
beforeEach(async () => {
  beforeMail = async () => {}
  beforeTaken = async () => {}
  // What an earlier test has left waiting goes out now.
  app.clock.advance(3_600_000)
  await app.runDue()
  mailServer.mails.length = 0
  acme = await app.createTenant()
  ;[anna, ben] = [await signedIn(app, acme, 'agent'), await signedIn(app, acme, 'agent')]
  await stayAtTickets(acme, anna.person)
  ticketId = (await createTicket(acme)).id
  path = `/console/tickets/${ticketId}`
  app.clock.advance(1000)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const ticket = () => getTicket(app.database.db, acme.tenantId, ticketId)
const stored = () =>
  app.database.db
    .select()
    .from(messages)
    .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.ticketId, ticketId)))
    .orderBy(messages.id)
const states = async () => (await stored()).map(({ state }) => state)
const eventsOf = async () => (await acme.events()).map(({ event }) => event)
const newestOn = (text: string) => /name="newest" value="([^"]*)"/.exec(text)?.[1] ?? ''
const written = (text: string) => /<textarea[^>]*name="answer"[^>]*>\n([^<]*)</.exec(text)?.[1]
const filesOn = (text: string) => [...text.matchAll(/<li data-file="([^"]*)"><a [^>]*>([^<]*)</g)]
const customerWrites = (text: string) => {
  app.clock.advance(1000)
  return acme.perform((tx, caller) => receiveMessage(tx, caller, ticketId, { text }))
}

/** Sends the form of an answer as the page that is read now would, with files. */
async function send(browser: Browser, fields: Record<string, string>, files: readonly File[] = []) {
  const form = new FormData()
  const given = { newest: newestOn((await browser.get(path)).text), csrf: await browser.csrf(), ...fields }
  for (const [name, value] of Object.entries(given)) form.set(name, value)
  for (const file of files) form.append('files', file)
  return browser.request('POST', `${path}/replies`, form)
}
async function waitUntilSent() {
  app.clock.advance(10_000)
  await app.runDue()
}
async function undo(browser: Browser) {
  const [pending] = (await stored()).filter(({ state }) => state !== 'public')
  return browser.post(`${path}/messages/${pending?.id}/undo`)
}

describe('an answer by mail', () => {
  test('waits for ten seconds, in which nobody is told of it, and goes out then by itself', async () => {
    const before = await eventsOf()
    const sent = await send(anna, { answer: 'On its way.' })
    const page = await anna.follow(sent)
    expect(page.text).toContain('Your answer goes out in a moment.')
    expect(page.text).toContain('Goes out in 10 seconds.')
    expect(page.text).toContain('id="undo"')
    app.clock.advance(9_999)
    await app.runDue()
    expect(await states()).toEqual(['public', 'pending'])
    expect((await anna.get(path)).text).toContain('Goes out in 1 second.')
    expect([mailServer.mails.length, await eventsOf()]).toEqual([0, before])
    expect((await acme.get(`/v1/tickets/${ticketId}`)).body).toMatchObject({ messageCount: 1 })
    app.clock.advance(1)
    await app.runDue()
    expect(await states()).toEqual(['public', 'public'])
    expect(mailServer.mails).toHaveLength(1)
    expect(await eventsOf()).toEqual([...before, 'ticket.replied'])
    expect(await app.database.db.select().from(pendingReplies)).toEqual([])
    expect(mailServer.mails[0]?.messageId).toContain((await stored()).at(-1)?.mailId as string)
  })

  test('that is taken back was never sent, and stands in its field again', async () => {
    const before = await eventsOf()
    await send(anna, { answer: 'Too soon', cc: 'bob@acme.test' }, [new File(['x'], 'a.txt')])
    const back = await undo(anna)
    expect([back.status, back.headers.get('location')]).toEqual([303, `${path}#answer`])
    const { text } = await anna.follow(back)
    expect(text).toContain('Nothing was sent. Your answer is below again.')
    expect(written(text)).toBe('Too soon')
    expect(text).toMatch(/name="cc"[^>]*value="bob@acme.test"/)
    expect(filesOn(text).map(([, , name]) => name)).toEqual(['a.txt'])
    await waitUntilSent()
    expect([mailServer.mails.length, await eventsOf()]).toEqual([0, before])
    expect(await states()).toEqual(['public'])
    // It can be sent then.
    await send(anna, { answer: 'Now' })
    await waitUntilSent()
    expect(mailServer.mails.map(({ text }) => text?.trim())).toEqual(['Now'])
    expect(mailServer.mails[0]?.attachments).toMatchObject([{ filename: 'a.txt' }])
  })

  test('that waits behind another is the one that “Undo” means, and either can be taken back', async () => {
    await send(anna, { answer: 'First.' })
    app.clock.advance(1000)
    await send(anna, { answer: 'Second.' })
    const [first, second] = (await stored()).filter(({ state }) => state === 'pending')
    const { text } = await anna.get(path)
    const buttons = [
      ...text.matchAll(/action="[^"]*\/messages\/([^/"]+)\/undo".*?<button class="secondary"( id="undo")?>/gs),
    ]
    expect(buttons.map(([, id, meant]) => [id, meant !== undefined])).toEqual([
      [first?.id, false],
      [second?.id, true],
    ])
  })

  test('that is taken back comes before what was begun since', async () => {
    await send(anna, { answer: 'First.' }, [new File(['1'], '1.txt')])
    await send(anna, { answer: 'Second.', after: 'keep' }, [new File(['2'], '2.txt')])
    const { text } = await anna.follow(await undo(anna))
    expect(written(text)).toBe('First.\n\nSecond.')
    expect(filesOn(text).map(([, , name]) => name)).toEqual(['1.txt', '2.txt'])
  })

  test('is taken back by its writer alone, and not once it is on its way', async () => {
    await send(anna, { answer: 'On its way.' })
    const [, reply] = await stored()
    expect((await ben.get(path)).text).not.toContain('id="undo"')
    expect((await ben.post(`${path}/messages/${reply?.id}/undo`)).status).toBe(409)
    const stranger = await signedIn(app, await app.createTenant())
    expect((await stranger.post(`${path}/messages/${reply?.id}/undo`)).status).toBe(404)
    await waitUntilSent()
    const late = await anna.post(`${path}/messages/${(await stored())[1]?.id}/undo`)
    expect(late.status).toBe(409)
    expect(late.text).toContain('This answer is on its way already.')
    expect(await states()).toEqual(['public', 'public'])
  })

  test('closes its ticket once it is sent, unless the customer writes meanwhile or it does not reach everybody', async () => {
    await send(anna, { answer: 'Done.', after: 'close' })
    expect((await ticket()).status).toBe('open')
    await waitUntilSent()
    expect((await ticket()).status).toBe('closed')
    await send(anna, { answer: 'Done again.', after: 'close' })
    await customerWrites('Wait!')
    await waitUntilSent()
    expect(await ticket()).toMatchObject({ status: 'open', messageCount: 4 })
    await send(anna, { answer: 'Done at last.', cc: 'gone@acme.test', after: 'close' })
    await waitUntilSent()
    expect(await ticket()).toMatchObject({ status: 'open', messageCount: 5 })
    expect((await anna.get(path)).text).toContain(
      'This answer bounced: gone@acme.test was not reached: 550 no such user',
    )
  })

  test('that waits is not taken for one that was interrupted, and is not taken back while it is being sent', async () => {
    await send(anna, { answer: 'On its way.' })
    expect(await failInterruptedReplies(app.database, app.clock.now())).toBe(0)
    expect(await states()).toEqual(['public', 'pending'])
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    beforeTaken = async () => {
      reached.resolve()
      await goOn.promise
      throw refusal(554, 'gone')
    }
    app.clock.advance(10_000)
    const due = app.runDue()
    await reached.promise
    expect(await states()).toEqual(['public', 'sending'])
    expect((await undo(anna)).status).toBe(409)
    // What the mail server says then is in the thread.
    goOn.resolve()
    await due
    expect(await states()).toEqual(['public', 'failed'])
    expect((await anna.get(path)).text).toContain('This answer has not reached the customer:')
  })

  test('can be taken back until the mail server is about to get it, and does not leave then', async () => {
    await send(anna, { answer: 'Too soon' })
    const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    beforeMail = async () => {
      reached.resolve()
      await goOn.promise
    }
    app.clock.advance(10_000)
    const due = app.runDue()
    await reached.promise
    expect(await states()).toEqual(['public', 'pending'])
    expect((await undo(anna)).status).toBe(303)
    goOn.resolve()
    await due
    expect([mailServer.mails.length, await states()]).toEqual([0, ['public']])
    expect(written((await anna.get(path)).text)).toBe('Too soon')
    await send(anna, { answer: 'Now' })
    await waitUntilSent()
    expect(mailServer.mails.map(({ text }) => text?.trim())).toEqual(['Now'])
  })

  test('that was about to be sent, by a process that is no more, is sent once nobody can be at it', async () => {
    await send(anna, { answer: 'On its way.' })
    const lease = new Date(app.clock.now() + 55_000).toISOString()
    await app.database.transaction((tx) => tx.update(pendingReplies).set({ dueAt: lease }))
    await waitUntilSent()
    expect(await states()).toEqual(['public', 'pending'])
    app.clock.advance(45_000)
    await app.runDue()
    expect(await states()).toEqual(['public', 'public'])
    expect(mailServer.mails).toHaveLength(1)
  })

  test('goes out though the service was ended meanwhile, once it is there again', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
    const environment = { FRONTDESK_SMTP_URL: mailServer.url }
    const first = await startApp({ dataDir, environment })
    const tenant = await first.createTenant()
    const browser = await signedIn(first, tenant, 'agent')
    const { id } = await createTicket(tenant)
    const newest = newestOn((await browser.get(`/console/tickets/${id}`)).text)
    expect((await browser.post(`/console/tickets/${id}/replies`, { newest, answer: 'Still here.' })).status).toBe(303)
    await first.close()
    expect(mailServer.mails).toEqual([])
    const second = await startApp({ dataDir, environment })
    second.clock.advance(10_000)
    await second.runDue()
    await second.runDue()
    expect(mailServer.mails.map(({ text }) => text?.trim())).toEqual(['Still here.'])
    await second.close()
    await dropDatabaseOf(dataDir)
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('that the mail server refuses for now says when it is tried again, and closes its ticket then', async () => {
    await send(anna, { answer: 'Done.', after: 'close' })
    beforeMail = () => Promise.reject(refusal(451, 'try later'))
    await waitUntilSent()
    const { text } = await ben.get(path)
    expect(text).toContain('Not sent yet')
    expect(text).toContain('the mail server refused it for now: 451 try later. It is tried again at:')
    expect(text).toContain(`datetime="${new Date(app.clock.now() + 60_000).toISOString()}"`)
    expect([text.includes('/undo'), (await ticket()).status]).toEqual([false, 'open'])
    beforeMail = async () => {}
    app.clock.advance(60_000)
    await app.runDue()
    expect([await states(), (await ticket()).status]).toEqual([['public', 'public'], 'closed'])
  })

  test('that was put off can be taken back by its writer', async () => {
    await send(anna, { answer: 'Too soon' })
    beforeMail = () => Promise.reject(refusal(451, 'try later'))
    await waitUntilSent()
    expect((await anna.follow(await undo(anna))).text).toContain('Nothing was sent.')
    beforeMail = async () => {}
    app.clock.advance(3_600_000)
    await app.runDue()
    expect([mailServer.mails.length, await states()]).toEqual([0, ['public']])
  })

  test('has failed when nobody knows any more what became of it, and is sent again at will', async () => {
    await send(anna, { answer: 'On its way.' })
    const [, reply] = await stored()
    const own = eq(messages.id, reply?.id as string)
    await app.database.transaction((tx) => tx.update(messages).set({ state: 'sending' }).where(own))
    await waitUntilSent()
    expect((await stored())[1]).toMatchObject({ state: 'failed', error: expect.stringContaining('may have arrived') })
    expect(await app.database.db.select().from(pendingReplies)).toEqual([])
    await anna.post(`${path}/messages/${reply?.id}/resend`)
    expect(await states()).toEqual(['public', 'public'])
  })
})

describe('files', () => {
  test('go with a mail as they are, and are in the thread', async () => {
    const csv = 'a;b\r\nü;2\r\n'
    await send(anna, { answer: 'See the files.' }, [
      new File([csv], 'Übersicht 1.csv', { type: 'text/csv' }),
      new File([PNG], 'plan.png', { type: 'image/png' }),
    ])
    const [pending] = (await stored()).slice(-1)
    const waiting = await app.database.db
      .select()
      .from(attachments)
      .where(eq(attachments.messageId, pending?.id as string))
      .orderBy(attachments.id)
    // Whoever works on the ticket can look at them, and nobody else.
    expect((await ben.get(`/console/attachments/${waiting[0]?.id}`)).text).toBe(csv)
    expect((await acme.get(`/v1/attachments/${waiting[0]?.id}`)).status).toBe(404)
    await waitUntilSent()
    const [mail] = mailServer.mails
    expect(mail?.attachments.map(({ filename, mimeType, disposition }) => [filename, mimeType, disposition])).toEqual([
      ['Übersicht 1.csv', 'text/csv', 'attachment'],
      ['plan.png', 'image/png', 'attachment'],
    ])
    expect(Buffer.from(mail?.attachments[0]?.content as ArrayBuffer).toString()).toBe(csv)
    expect((await anna.get(path)).text).toContain('download>Übersicht 1.csv</a>')
    expect((await acme.get(`/v1/attachments/${waiting[0]?.id}`)).status).toBe(200)
  })

  test('are none where none was chosen, as browsers say it', async () => {
    const newest = newestOn((await anna.get(path)).text)
    const part = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const file = '--b\r\nContent-Disposition: form-data; name="files"; filename=""\r\n\r\n\r\n--b--\r\n'
    const body = part('csrf', await anna.csrf()) + part('newest', newest) + part('answer', 'Hello') + file
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    expect((await anna.request('POST', `${path}/replies`, body, headers)).status).toBe(303)
    await waitUntilSent()
    expect(mailServer.mails[0]?.attachments).toEqual([])
  })

  test('are kept when the answer is refused, can be taken out, and are swept then', async () => {
    const refused = await send(anna, { answer: ' ' }, [new File(['one'], 'one.txt'), new File(['two'], 'two.txt')])
    expect(refused.status).toBe(400)
    const [one, two] = filesOn(refused.text)
    expect([one?.[2], two?.[2]]).toEqual(['one.txt', 'two.txt'])
    const removed = await send(anna, { answer: 'Half', remove: one?.[1] as string })
    const { text } = await anna.follow(removed)
    expect([written(text), filesOn(text).map(([, , name]) => name)]).toEqual(['Half', ['two.txt']])
    expect((await anna.get(`/console/attachments/${one?.[1]}`)).status).toBe(404)
    expect((await anna.get(`/console/attachments/${two?.[1]}`)).text).toBe('two')
    // What somebody is writing is theirs.
    expect((await ben.get(`/console/attachments/${two?.[1]}`)).status).toBe(404)
    app.clock.advance(ORPHANS_EVERY)
    await app.runDue()
    expect((await anna.get(`/console/attachments/${two?.[1]}`)).text).toBe('two')
  })

  test('are at most 25 MiB together, and what was written stays', async () => {
    const large = new File([new Uint8Array(13 * 1024 * 1024)], 'large.bin')
    expect((await send(anna, { answer: 'Large', after: 'keep' }, [large])).status).toBe(303)
    const refused = await send(anna, { answer: 'Larger' }, [large])
    expect(refused.status).toBe(413)
    // In the unit that the limit is in, which is how the form says it too.
    expect(problemOn(refused.text)).toEqual([
      'field-files',
      expect.stringContaining(': These files are too large for one mail: at most 25 MB together'),
    ])
    expect(refused.text).toContain('id="field-files-help">At most 25 MB together.')
    expect(written(refused.text)).toBe('Larger')
    expect(filesOn((await anna.get(path)).text)).toHaveLength(1)
    // What is far too large is not read at all.
    const huge = await send(anna, { answer: 'Huge' }, [large, large, large])
    expect(huge.status).toBe(413)
    expect(await states()).toEqual(['public'])
  })

  test('go with a chat, whose visitor can open them', async () => {
    const chat = await openChat(app, acme)
    const visitor = await chat.visitor({ name: 'Ada' })
    ticketId = (await chat.start(visitor.token)).body.conversationId
    path = `/console/tickets/${ticketId}`
    expect((await anna.get(path)).text).toContain('type="file"')
    const sent = await send(anna, { answer: 'Here' }, [new File(['x'], 'a.txt')])
    expect((await anna.follow(sent)).text).toContain('Your answer was sent.')
    const { text, attachments } = (await chat.read(visitor.token, ticketId)).body.items.at(-1)
    expect([text, attachments.map(({ fileName }: { fileName: string }) => fileName)]).toEqual(['Here', ['a.txt']])
  })
})

describe('copies', () => {
  test('go to those who had them before, unless the writer says otherwise, and all are seen', async () => {
    await acme.perform((tx, caller) =>
      receiveMessage(tx, caller, ticketId, { text: 'With Bob', cc: ['bob@acme.test'] }),
    )
    expect((await anna.get(path)).text).toMatch(/name="cc"[^>]*value="bob@acme.test"/)
    app.clock.advance(1000)
    await send(anna, { answer: 'Hello both', cc: 'Carl <carl@acme.test>; "Lovelace, Eve" <eve@acme.test>' })
    await waitUntilSent()
    const [mail] = mailServer.mails
    expect(mail?.cc?.map(({ address }) => address)).toEqual(['carl@acme.test', 'eve@acme.test'])
    expect(mail?.envelope.to).toEqual(['ada@acme.test', 'carl@acme.test', 'eve@acme.test'])
    expect(mail?.bcc).toBeUndefined()
    expect((await anna.get(path)).text).toContain('Copy to: carl@acme.test, eve@acme.test')
    app.clock.advance(1000)
    await send(anna, { answer: 'To you alone', cc: '' })
    await waitUntilSent()
    expect(mailServer.mails.at(-1)?.envelope.to).toEqual(['ada@acme.test'])
  })

  test('to what is no address are refused by name, and nothing is lost', async () => {
    const refused = await send(anna, { answer: 'Hello', cc: 'bob@acme.test, carl' }, [new File(['x'], 'a.txt')])
    expect(refused.status).toBe(400)
    expect(problemOn(refused.text)).toEqual(['field-cc', 'Cc: “carl” is not an email address.'])
    expect(refused.text).toMatch(/name="cc"[^>]*value="bob@acme.test, carl"/)
    expect([written(refused.text), filesOn(refused.text).length]).toEqual(['Hello', 1])
    expect(await states()).toEqual(['public'])
  })
})

describe('whom an answer goes to', () => {
  const fieldOn = (text: string, name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(text)?.[1]
  const shown = async () => {
    const { text } = await anna.get(path)
    return [fieldOn(text, 'to'), fieldOn(text, 'cc')]
  }
  const bobWrites = () => {
    app.clock.advance(1000)
    return acme.perform((tx, caller) =>
      receiveMessage(tx, caller, ticketId, { text: 'Bob here', email: 'bob@acme.test', cc: ['carl@acme.test'] }),
    )
  }
  const form = async () => {
    const { text } = await anna.get(path)
    const names = ['to', 'cc', 'offered', 'newest']
    return Object.fromEntries(names.map((name) => [name, fieldOn(text, name) ?? '']))
  }

  test('stands there in full, and it goes to them', async () => {
    await send(anna, { ...(await form()), answer: 'Hello' })
    await waitUntilSent()
    await bobWrites()
    expect(await shown()).toEqual(['ada@acme.test, bob@acme.test', 'carl@acme.test'])
    await send(anna, { ...(await form()), answer: 'Hello all' })
    await waitUntilSent()
    const all = ['ada@acme.test', 'bob@acme.test', 'carl@acme.test']
    expect(mailServer.mails.at(-1)?.envelope.to).toEqual(all)
  })

  test('can be changed: everybody is removable, and the choice is kept with what is written', async () => {
    await bobWrites()
    const chosen = { ...(await form()), to: 'bob@acme.test', cc: '', answer: 'Between us' }
    await send(anna, { ...chosen, after: 'keep' })
    expect(await shown()).toEqual(['bob@acme.test', ''])
    await send(anna, { ...(await form()), answer: 'Between us' })
    expect((await anna.follow(await undo(anna))).text).toContain('Between us')
    expect(await shown()).toEqual(['bob@acme.test', ''])
    await send(anna, { ...(await form()), answer: 'Between us' })
    await waitUntilSent()
    expect(mailServer.mails.at(-1)?.envelope.to).toEqual(['bob@acme.test'])
  })

  test('is not nobody: that is refused beside its field, and nothing is lost', async () => {
    const refused = await send(anna, { ...(await form()), to: ' ', answer: 'Hello' })
    expect(refused.status).toBe(400)
    expect(problemOn(refused.text)).toEqual(['field-to', 'To: Say who gets the answer.'])
    const wrong = await send(anna, { ...(await form()), to: 'ada@acme.test, bob', answer: 'Hello' })
    expect(problemOn(wrong.text)).toEqual(['field-to', 'To: “bob” is not an email address.'])
    expect(written(wrong.text)).toBe('Hello')
    expect(await states()).toEqual(['public'])
  })

  test('is everybody who has written by then, unless its writer has chosen them', async () => {
    const before = await form()
    await send(anna, { ...before, answer: 'Half', after: 'keep' })
    await bobWrites()
    expect(await shown()).toEqual(['ada@acme.test, bob@acme.test', 'carl@acme.test'])
    const held = await send(anna, { ...before, answer: 'Whole' })
    expect(held.status).toBe(409)
    expect(fieldOn(held.text, 'to')).toBe('ada@acme.test, bob@acme.test')
    const chosen = await send(anna, { ...before, to: 'ada@acme.test, dora@acme.test', answer: 'Whole' })
    expect(fieldOn(chosen.text, 'to')).toBe('ada@acme.test, dora@acme.test')
  })
})

describe('what somebody has written since', () => {
  const older = async () => newestOn((await anna.get(path)).text)

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ['the customer', () => customerWrites('Hello?'), /: Ada Lovelace wrote 2 minutes ago\. Nothing was sent/],
    ['a colleague who answered', () => send(ben, { answer: 'Mine' }), /: agent-\w+ answered 2 minutes ago\./],
    [
      'a colleague who noted something',
      () => ben.post(`${path}/notes`, { note: 'Careful' }),
      /: agent-\w+ left a note 2 minutes ago\./,
    ],
  ])('holds an answer back, and says so: %s', async (_, happens, said) => {
    const newest = await older()
    app.clock.advance(1000)
    await happens()
    await waitUntilSent()
    app.clock.advance(120_000)
    const before = mailServer.mails.length
    const held = await send(anna, { newest, answer: 'Hello' })
    expect(held.status).toBe(409)
    expect(problemOn(held.text)).toEqual(['field-answer', expect.stringMatching(said)])
    expect(held.text).toContain('>Send anyway</button>')
    expect(written(held.text)).toBe('Hello')
    await waitUntilSent()
    expect(mailServer.mails).toHaveLength(before)
    const sent = await send(anna, { newest: newestOn(held.text), answer: 'Hello' })
    expect(sent.status).toBe(303)
  })

  test('holds back an answer to a colleague’s that has not gone out yet', async () => {
    const newest = await older()
    await send(ben, { answer: 'Mine' })
    expect((await send(anna, { newest, answer: 'Hello' })).status).toBe(409)
  })

  test('is not what the writer has added, nor what they have sent in the meantime', async () => {
    const newest = await older()
    app.clock.advance(1000)
    await anna.post(`${path}/notes`, { note: 'Mine' })
    await send(anna, { newest, answer: 'One' })
    await waitUntilSent()
    expect((await send(anna, { newest, answer: 'Two' })).status).toBe(303)
  })
})

test('what waits follows its ticket into another, and can be taken back there', async () => {
  const into = await createTicket(acme)
  await send(anna, { answer: 'On its way.' })
  await acme.perform((tx, caller) => mergeTickets(tx, caller, ticketId, into.id))
  ticketId = into.id
  path = `/console/tickets/${into.id}`
  expect((await anna.get(path)).text).toContain('id="undo"')
  expect(written((await anna.follow(await undo(anna))).text)).toBe('On its way.')
  await send(anna, { answer: 'On its way.', after: 'close' })
  await waitUntilSent()
  expect(mailServer.mails).toHaveLength(1)
  expect((await ticket()).status).toBe('closed')
})

test('what is written and what waits goes with its ticket, and what is written with its writer', async () => {
  const admin = await signedIn(app, acme, 'admin')
  await send(ben, { answer: 'Mine', after: 'keep' }, [new File(['x'], 'b.txt')])
  expect((await admin.post(`/console/users/${ben.person.userId}/remove`)).status).toBe(303)
  const left = () => app.database.db.select().from(replyDrafts).where(eq(replyDrafts.tenantId, acme.tenantId))
  expect(await left()).toEqual([])
  await send(anna, { answer: 'Waiting' }, [new File(['x'], 'a.txt')])
  await send(anna, { answer: 'A draft', after: 'keep' }, [new File(['x'], 'b.txt')])
  expect(await left()).toHaveLength(1)
  expect((await admin.post(`${path}/delete`)).status).toBe(303)
  expect(await left()).toEqual([])
  expect(await app.database.db.select().from(pendingReplies)).toEqual([])
  await waitUntilSent()
  expect(mailServer.mails).toEqual([])
  const files = app.database.db.select().from(attachments).where(eq(attachments.tenantId, acme.tenantId))
  expect(await files).toEqual([])
})

test('notes, drafts and what waits are nothing that the API shows', async () => {
  await send(anna, { answer: 'A draft', after: 'keep' })
  await send(ben, { answer: 'Waiting' })
  await acme.perform((tx, caller) => addNote(tx, caller, ticketId, { text: 'A note' }))
  const { text } = await acme.get(`/v1/tickets/${ticketId}`)
  for (const hidden of ['A draft', 'Waiting', 'A note']) expect(text).not.toContain(hidden)
  // A draft is its writer's alone.
  expect((await ben.get(path)).text).not.toContain('A draft')
})
