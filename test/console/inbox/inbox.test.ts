import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { assignTicket, setPriority } from '../../../src/tickets/assignment.ts'
import { setStatus } from '../../../src/tickets/status.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { signedIn } from '../../support/pages/console.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'

const HOUR = 3_600_000

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let inboxId: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  app.clock.advance(HOUR)
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  inboxId = (await createEmailInbox(acme)).id
})
afterAll(() => app.close())

const open = async (subject: string, email = 'ada@acme.test') => {
  app.clock.advance(1000)
  return createTicket(acme, { inboxId, subject, email, name: email })
}
/** The subjects on a page of the list, in their order. */
async function subjectsOn(path: string): Promise<string[]> {
  const { status, text } = await agent.get(path)
  expect(status).toBe(200)
  return [...text.matchAll(/<span class="subject" dir="auto">([^<]*)</g)].map(([, subject]) => subject as string)
}

describe('the inbox', () => {
  test('has open tickets, those first in which something happened last', async () => {
    const first = await open('First')
    await open('Second')
    expect(await subjectsOn('/console/inbox')).toEqual(['Second', 'First'])
    app.clock.advance(1000)
    await acme.perform((tx, caller) => setPriority(tx, caller, first.id, 'urgent'))
    expect(await subjectsOn('/console/inbox')).toEqual(['First', 'Second'])
    const { text } = await agent.get('/console/inbox')
    expect(text).toContain(`href="/console/tickets/${first.id}"`)
    for (const shown of [first.ticketReference, 'ada@acme.test', 'I ordered a week ago.', 'Urgent'])
      expect(text).toContain(shown)
  })

  test('shows each by its status, and snoozed ones apart', async () => {
    const statuses = ['open', 'pending', 'closed', 'spam'] as const
    for (const status of statuses) {
      const { id } = await open(status)
      await acme.perform((tx, caller) => setStatus(tx, caller, id, { status }))
    }
    const { id } = await open('later')
    const snoozedUntil = new Date(app.clock.now() + HOUR).toISOString()
    await acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'open', snoozedUntil }))
    for (const status of statuses) expect(await subjectsOn(`/console/inbox?status=${status}`)).toEqual([status])
    expect(await subjectsOn('/console/inbox?status=snoozed')).toEqual(['later'])
    expect(await subjectsOn('/console/inbox?status=all')).toEqual(['later', ...statuses.toReversed()])
    expect(await subjectsOn('/console/inbox?status=no-such')).toEqual(['open'])
  })

  test('shows whose they are, nobody’s, those of an inbox, and of a priority', async () => {
    const own = await open('mine')
    const others = await open('theirs')
    await open('nobody’s')
    const { userId } = agent.person
    await acme.perform((tx, caller) => assignTicket(tx, caller, own.id, { userId: userId }))
    await acme.perform((tx, caller) => assignTicket(tx, caller, others.id, { userId: acme.userId }))
    const chat = await createChatInbox(acme)
    app.clock.advance(1000)
    const chatted = await createTicket(acme, { inboxId: chat.id, subject: 'chat' })
    await acme.perform((tx, caller) => setPriority(tx, caller, chatted.id, 'high'))
    const asked: [string, string[]][] = [
      ['assignee=me', ['mine']],
      [`assignee=${userId}`, ['mine']],
      [`assignee=${acme.userId}`, ['theirs']],
      ['assignee=nobody', ['chat', 'nobody’s']],
      [`assignee=${crypto.randomUUID()}`, []],
      [`inbox=${chat.id}`, ['chat']],
      ['priority=high', ['chat']],
      ['priority=high&assignee=me', []],
      ['status=snoozed&assignee=me', []],
      [`status=all&assignee=me&inbox=${inboxId}&priority=normal`, ['mine']],
    ]
    for (const [query, subjects] of asked) {
      expect([query, await subjectsOn(`/console/inbox?${query}`)]).toEqual([query, subjects])
    }
  })

  test('goes on to older ones, each once, and back; a cursor that is none of its is refused', async () => {
    const expected: string[] = []
    for (let count = 0; count < 53; count += 1) {
      await createTicket(acme, { inboxId, subject: `No. ${count}` })
      if (count % 10 === 0) app.clock.advance(1000)
      expected.unshift(`No. ${count}`)
    }
    const { text } = await agent.get('/console/inbox')
    const next = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') as string
    const shown = [...(await subjectsOn('/console/inbox')), ...(await subjectsOn(next))]
    expect(shown).toEqual(expected)
    expect((await agent.get(next)).text).not.toContain('rel="next"')
    for (const cursor of ['x', `${new URL(next, app.url).searchParams.get('cursor')}x`]) {
      expect((await agent.get(`/console/inbox?cursor=${cursor}`)).status).toBe(400)
    }
  })

  test('finds tickets by reference and by the beginning of an address', async () => {
    const one = await open('One', 'grace.hopper@navy.test')
    await open('Two', 'grace@acme.test')
    await open('Three', 'ada@acme.test')
    for (const text of [one.ticketReference, one.ticketReference.toLowerCase(), String(one.sequentialNumber)]) {
      expect(await subjectsOn(`/console/inbox?q=${text}`)).toEqual(['One'])
    }
    expect(await subjectsOn('/console/inbox?q=GRACE')).toEqual(['Two', 'One'])
    expect(await subjectsOn('/console/inbox?q=grace.h')).toEqual(['One'])
    for (const text of ['grace %25 x', '%25', "x' OR 1=1", 'T-99999']) {
      expect(await subjectsOn(`/console/inbox?q=${encodeURIComponent(text)}`)).toEqual([])
    }
    expect((await agent.get('/console/inbox?q=%3Cb%3Ex')).text).toContain('“&lt;b&gt;x”')
  })

  test('never has another tenant’s tickets', async () => {
    const other = await app.createTenant()
    const theirs = await createTicket(other, { subject: 'Theirs', email: 'secret@acme.test' })
    for (const query of [
      '',
      '?status=all',
      `?q=${theirs.ticketReference}`,
      '?q=secret',
      `?inbox=${theirs.teamInboxId}`,
    ])
      expect(await subjectsOn(`/console/inbox${query}`)).toEqual([])
  })

  test('says so where there is nothing, and shows what strangers wrote as text', async () => {
    expect((await agent.get('/console/inbox')).text).toContain('Nothing is waiting: no ticket is open.')
    await open('<script>alert(1)</script>')
    const { text } = await agent.get('/console/inbox')
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toContain('<script>alert')
  })
})
