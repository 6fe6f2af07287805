import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { mailboxes, messages } from '../../../src/db/schema.ts'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import { addNote } from '../../../src/tickets/thread/notes.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { messagesOf } from '../../support/chat/event-stream.ts'
import { createMailbox } from '../../support/mail/mails.ts'
import { type MailServer, refusal, startMailServer } from '../../support/mail/server.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Awaited<ReturnType<typeof signedIn>>
let ben: Awaited<ReturnType<typeof signedIn>>
let refuses: boolean

beforeAll(async () => {
  mailServer = await startMailServer({
    onRcptTo: (_address, _session, done) => done(refuses ? refusal(550, 'no <such> user') : null),
  })
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
  })
})
beforeEach(async () => {
  refuses = true
  acme = await app.createTenant()
  ;[anna, ben] = [await signedIn(app, acme, 'agent'), await signedIn(app, acme, 'agent')]
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

/** What the sidebar counts below its views. */
const countsOn = async (browser: ConsoleBrowser, path = '/console/inbox') => {
  const list = /<ul class="attention".*?<\/ul>/s.exec((await browser.get(path)).text)?.[0] ?? ''
  return [...list.matchAll(/<\/svg>([^<]*)<\/span><span class="count">([^<]*)</g)].map(
    ([, name, count]) => `${name} ${count}`,
  )
}
/** What is read out of it as it changes. */
const toldOn = async (browser: ConsoleBrowser) =>
  /data-views>.*<p class="sr" role="status">([^<]*)<\/p><\/div>/s.exec((await browser.get('/console/inbox')).text)?.[1]
const rowOf = async (browser: ConsoleBrowser, id: string, query = '') =>
  new RegExp(`<li id="t-${id}".*?</li>`, 's').exec((await browser.get(`/console/inbox${query}`)).text)?.[0] ?? ''
const excerptOf = async (browser: ConsoleBrowser, id: string) =>
  /class="excerpt" dir="auto">(.*?)<\/span><\/span>/s.exec(await rowOf(browser, id))?.[1]

async function answer(browser: ConsoleBrowser, id: string, text = 'Here it is.') {
  const path = `/console/tickets/${id}`
  const newest = /name="newest" value="([^"]*)"/.exec((await browser.get(path)).text)?.[1] ?? ''
  expect((await browser.post(`${path}/replies`, { newest, answer: text })).status).toBe(303)
  app.clock.advance(10_000)
  await app.runDue()
}
async function storeMailbox(state: 'failing' | 'connected') {
  const server = { host: 'mail.acme.test', port: 993, security: 'tls', user: 'help' } as const
  const { id: inboxId } = await createEmailInbox(acme)
  const at = new Date(app.clock.now()).toISOString()
  await app.database.transaction((tx) =>
    tx.insert(mailboxes).values({
      ...{ tenantId: acme.tenantId, inboxId, revision: '1', imap: server, smtp: server, sealedSecret: 'x', state },
      ...{ uidValidity: 1, lastUid: 0, lastMailAt: at, since: at, createdAt: at },
    }),
  )
}
/** The ticket's message that was written last, by its path. */
async function lastPath(ticketId: string): Promise<string> {
  const rows = await app.database.db.select({ id: messages.id }).from(messages).where(eq(messages.ticketId, ticketId))
  return `/console/tickets/${ticketId}/messages/${rows
    .map(({ id }) => id)
    .sort()
    .at(-1)}`
}

describe('an answer that has not arrived', () => {
  test('is counted beside the list for everybody, marked in its row, and leads to a list of such tickets', async () => {
    const inboxId = (await createEmailInbox(acme)).id
    const failed = (await createTicket(acme, { inboxId })).id
    const other = (await createTicket(acme, { inboxId })).id
    expect([await countsOn(ben), await toldOn(ben)]).toEqual([[], ''])
    await answer(anna, failed)
    expect([await countsOn(ben), await toldOn(ben)]).toEqual([['Not sent 1'], 'Not sent: 1'])
    expect(await countsOn(ben, `/console/tickets/${other}`)).toEqual(['Not sent 1'])
    expect(await rowOf(ben, failed)).toContain('title="An answer in this ticket has not arrived.">')
    expect(await rowOf(ben, failed)).toContain('</svg>Not sent</span>')
    expect(await rowOf(ben, other)).not.toContain('Not sent')
    const { text } = await ben.get('/console/inbox?answers=unsent')
    expect(text).toContain(`id="t-${failed}"`)
    expect(text).not.toContain(`id="t-${other}"`)
    expect(text).toMatch(/<option value="unsent" selected>/)
    // Wherever it is by then, and in what is searched for, too.
    await ben.post(`/console/tickets/${failed}/status`, { status: 'closed' })
    expect((await ben.get('/console/inbox?answers=unsent')).text).toContain(`id="t-${failed}"`)
    expect((await ben.get('/console/inbox?answers=unsent&q=ordered')).text).not.toContain(`id="t-${other}"`)
    const stranger = await signedIn(app, await app.createTenant())
    expect(await countsOn(stranger)).toEqual([])
  })

  test('is told of at once wherever the list is open', async () => {
    const { id } = await createTicket(acme)
    const cookie = [...ben.cookies].map((pair) => pair.join('=')).join('; ')
    const stream = messagesOf(await fetch(`${app.url}/console/inbox/events`, { headers: { cookie } }))
    await stream.untilBegun()
    await answer(anna, id)
    expect(await stream.next()).toMatchObject({ event: 'changed' })
    await stream.close()
  })

  test('is none any more once it is sent again', async () => {
    const { id } = await createTicket(acme)
    await answer(anna, id)
    refuses = false
    await ben.post(`${await lastPath(id)}/resend`)
    expect([await countsOn(anna), await rowOf(anna, id)]).toEqual([[], expect.not.stringContaining('Not sent')])
  })

  test('can be dismissed, which can be undone, and counts anew when it fails again', async () => {
    const { id } = await createTicket(acme)
    await answer(anna, id)
    const path = await lastPath(id)
    const dismissed = await anna.follow(await anna.post(`${path}/dismiss`))
    expect(dismissed.text).toContain('Dismissed: the ticket is no longer listed as not sent.')
    expect(dismissed.text).toContain('name="undo" value="1"')
    // It stays what it is, and can be sent again.
    expect(dismissed.text).toContain('This answer has not reached the customer: ')
    expect(dismissed.text).toContain('no &lt;such&gt; user')
    expect(dismissed.text).toContain(`action="${path}/resend"`)
    expect(dismissed.text).not.toContain('has not arrived.')
    expect([await countsOn(anna), await rowOf(anna, id)]).toEqual([[], expect.not.stringContaining('Not sent')])
    expect((await anna.get('/console/inbox?answers=unsent')).text).toContain('Every answer has arrived.')
    await anna.post(`${path}/dismiss`, { undo: '1' })
    expect(await countsOn(anna)).toEqual(['Not sent 1'])
    await anna.post(`${path}/dismiss`)
    await anna.post(`${path}/resend`)
    expect(await countsOn(anna)).toEqual(['Not sent 1'])
  })

  test('alone can be dismissed, by those whose ticket it is', async () => {
    const { id } = await createTicket(acme)
    expect((await anna.post(`${await lastPath(id)}/dismiss`)).status).toBe(409)
    await answer(anna, id)
    const stranger = await signedIn(app, await app.createTenant())
    expect((await stranger.post(`${await lastPath(id)}/dismiss`)).status).toBe(404)
    expect(await countsOn(anna)).toEqual(['Not sent 1'])
  })
})

test('mail in quarantine is counted for everybody, mailboxes that cannot be reached for admins', async () => {
  const inbox = await createMailbox(app, acme)
  await inbox.deliver({ headers: { From: null } })
  await storeMailbox('failing')
  await storeMailbox('connected')
  const admin = await signedIn(app, acme)
  expect(await countsOn(anna)).toEqual(['Quarantined mail 1'])
  expect(await countsOn(admin)).toEqual(['Quarantined mail 1', 'Mailboxes not reached 1'])
  const { text } = await admin.get('/console/inbox')
  for (const path of ['/console/quarantine', '/console/settings/inboxes'])
    expect(text).toContain(`<li><a href="${path}">`)
})

describe('the excerpt of a row', () => {
  beforeEach(() => {
    refuses = false
  })

  test('says who of us spoke last, and shows a note that came after everything else', async () => {
    const { id } = await createTicket(acme)
    expect(await excerptOf(anna, id)).toBe('I ordered a week ago.')
    await answer(anna, id)
    const [name] = anna.person.email.split('@')
    expect(await excerptOf(anna, id)).toBe('<bdi class="by-us">You:</bdi> Here it is.')
    expect(await excerptOf(ben, id)).toBe(`<bdi class="by-us"><bdi>${name}</bdi>:</bdi> Here it is.`)
    app.clock.advance(1000)
    await acme.perform((tx, caller) => addNote(tx, caller, id, { text: 'Ask <b>them</b>.' }))
    expect(await excerptOf(anna, id)).toBe('<bdi class="by-us">Note:</bdi> Ask &lt;b&gt;them&lt;/b&gt;.')
    // It is internal: programs read the conversation.
    expect((await acme.get(`/v1/tickets/${id}`)).body.excerpt).toBe('Here it is.')
    app.clock.advance(1000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'Thank you.' }))
    expect(await excerptOf(anna, id)).toBe('Thank you.')
  })

  test('is unread for nobody by what they wrote themselves, in whatever tab', async () => {
    const { id } = await createTicket(acme)
    const isUnread = async (browser: ConsoleBrowser) => (await rowOf(browser, id)).includes('class="unread"')
    const read = async (browser: ConsoleBrowser) =>
      browser.request('POST', `/console/tickets/${id}/read`, '{}', {
        'content-type': 'application/json',
        'x-csrf-token': await browser.csrf(),
      })
    for (const browser of [anna, ben]) expect((await read(browser)).status).toBe(200)
    // It goes out once its writer is elsewhere, and nothing says that they look at it again.
    await answer(anna, id)
    expect([await isUnread(anna), await isUnread(ben)]).toEqual([false, true])
    await anna.post(`/console/tickets/${id}/notes`, { note: 'They phoned.' })
    await anna.post(`/console/tickets/${id}/assignee`, { assigneeId: ben.person.userId })
    expect(await isUnread(anna)).toBe(false)
    // What the customer wrote in between is news all the same.
    app.clock.advance(1000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'One more thing.' }))
    await answer(anna, id, 'And this.')
    expect(await isUnread(anna)).toBe(true)
  })
})
