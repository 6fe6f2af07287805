import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { receiveMessage } from '../../../../src/tickets/incoming/receiving.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { openChat } from '../../../support/chat/chat.ts'
import { type MailServer, startMailServer } from '../../../support/mail/server.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../../../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Awaited<ReturnType<typeof signedIn>>
/** Of the list, from its top. */
let ids: string[]

beforeAll(async () => {
  mailServer = await startMailServer({})
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  await app.runDue()
  acme = await app.createTenant()
  anna = await signedIn(app, acme, 'agent')
  const inboxId = (await createEmailInbox(acme)).id
  ids = []
  for (const subject of ['Third', 'Second', 'First']) {
    app.clock.advance(1000)
    ids.unshift((await createTicket(acme, { inboxId, subject })).id)
  }
  app.clock.advance(1000)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const pathOf = (id: string | undefined) => `/console/tickets/${id}`
// biome-ignore lint/suspicious/noExplicitAny: a ticket as the API shows it
const ticket = async (id = ids[0]): Promise<any> => (await acme.get(`/v1/tickets/${id}`)).body
const choose = (afterDone: string) => anna.post('/console/account/after-done', { afterDone })
const leadsTo = (answer: { headers: Headers }) => answer.headers.get('location')
const close = async (id: string | undefined, fields: Record<string, string> = {}) =>
  leadsTo(await anna.post(`${pathOf(id)}/status`, { status: 'closed', ...fields }))
const newestOn = (text: string) => /name="newest" value="([^"]*)"/.exec(text)?.[1] ?? ''

async function send(fields: Record<string, string> = {}, id = ids[0]) {
  const newest = newestOn((await anna.get(pathOf(id))).text)
  return anna.post(`${pathOf(id)}/replies`, { answer: 'Here you are.', newest, ...fields })
}
async function waitUntilSent() {
  app.clock.advance(10_000)
  await app.runDue()
}

describe('whoever is done with a ticket', () => {
  test('goes on to the next one of the list, and after the last to the list', async () => {
    expect(await close(ids[0])).toBe(pathOf(ids[1]))
    expect(leadsTo(await send({}, ids[1]))).toBe(pathOf(ids[2]))
    expect(await close(ids[2])).toBe('/console/inbox')
    expect(leadsTo(await anna.post(`${pathOf(ids[2])}/status`, { status: 'open' }))).toBe(pathOf(ids[2]))
  })

  test('goes on in the list that they came from, whose next one the page may name', async () => {
    await acme.put(`/v1/tickets/${ids[0]}/priority`, { priority: 'urgent' })
    await acme.put(`/v1/tickets/${ids[2]}/priority`, { priority: 'urgent' })
    expect(await close(ids[0], { list: '?priority=urgent' })).toBe(pathOf(ids[2]))
    expect(await close(ids[0], { list: '?priority=urgent', next: '' })).toBe('/console/inbox?priority=urgent')
    expect(await close(ids[0], { list: '?q=First' })).toBe('/console/inbox?q=First')
    expect(await close(ids[0], { list: '?q=First', next: ids[1] as string })).toBe(pathOf(ids[1]))
  })

  test('gets nowhere but to a ticket or a list of their own', async () => {
    const { id: theirs } = await createTicket(await app.createTenant())
    for (const next of [theirs, ids[0] as string, '../../sign-out', 'https://evil.test', 'x'.repeat(5000)])
      expect(await close(ids[0], { next, list: 'https://evil.test' })).toBe('/console/inbox')
  })

  test.each([
    ['list', () => '/console/inbox'],
    ['ticket', () => pathOf(ids[0])],
    ['next', () => pathOf(ids[1])],
  ] as [string, () => string][])('goes where they chose: %s', async (chosen, path) => {
    await choose(chosen)
    expect((await anna.get('/console/account')).text).toContain(`<option value="${chosen}" selected>`)
    expect(leadsTo(await send())?.replace('#undo', '')).toBe(path())
    expect(await close(ids[0])).toBe(path())
  })

  test('chooses one of these', async () => {
    expect((await choose('elsewhere')).status).toBe(400)
    expect((await anna.get('/console/account')).text).toContain('<option value="next" selected>')
  })

  test('stays in a chat that goes on', async () => {
    const chat = await openChat(app, acme)
    const visitor = await chat.visitor({ name: 'Vera' })
    const { conversationId } = (await chat.start(visitor.token)).body
    expect(leadsTo(await send({}, conversationId))).toBe(pathOf(conversationId))
    expect(leadsTo(await send({ after: 'wait' }, conversationId))).toBe(pathOf(ids[0]))
    expect((await ticket(conversationId)).status).toBe('pending')
  })

  test('takes an answer back from there, and its ticket has not changed', async () => {
    const page = await anna.follow(await send({ after: 'close' }))
    const [, action] = /data-said data-seconds="10">.*?<form method="post" action="([^"]*)"/s.exec(page.text) ?? []
    expect(leadsTo(await anna.post(action as string))).toBe(`${pathOf(ids[0])}#answer`)
    await waitUntilSent()
    expect(await ticket()).toMatchObject({ status: 'open', messageCount: 1 })
    expect((await anna.get(pathOf(ids[0]))).text).toContain('Here you are.</textarea>')
  })
})

describe('an answer that says what becomes of its ticket', () => {
  test.each([
    ['close', { status: 'closed', snoozedUntil: null }],
    ['wait', { status: 'pending', snoozedUntil: null }],
    ['later', { status: 'open', snoozedUntil: expect.any(String) }],
  ])('has that happen once it is sent, and not before: %s', async (after, becomes) => {
    await send({ after })
    expect(await ticket()).toMatchObject({ status: 'open', snoozedUntil: null })
    await waitUntilSent()
    expect(await ticket()).toMatchObject({ ...becomes, messageCount: 2 })
  })

  test('snoozes it until any time, in the zone of who sends it', async () => {
    await send({ after: 'snooze', sendUntil: '2099-12-01T09:30', zone: 'Asia/Tokyo' })
    await waitUntilSent()
    expect((await ticket()).snoozedUntil).toBe('2099-12-01T00:30:00.000Z')
  })

  test('is not sent, and is kept, with a time that is over', async () => {
    const refused = await send({ after: 'snooze', sendUntil: '2020-01-01T09:30' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('id="field-sendUntil-error"')
    expect(refused.text).toContain('Here you are.</textarea>')
    expect((await anna.get(pathOf(ids[0]))).text).toContain('Here you are.</textarea>')
    await waitUntilSent()
    expect((await ticket()).messageCount).toBe(1)
  })

  test('leaves it where the customer has written meanwhile', async () => {
    await send({ after: 'later' })
    app.clock.advance(1000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, ids[0] as string, { text: 'Wait!' }))
    await waitUntilSent()
    expect(await ticket()).toMatchObject({ status: 'open', snoozedUntil: null, messageCount: 3 })
  })
})

test('an own answer is no news for its writer, what the customer writes is', async () => {
  const isUnread = async () => (await anna.get('/console/inbox')).text.includes(`id="t-${ids[0]}" class="unread"`)
  const headers = { 'content-type': 'application/json', 'x-csrf-token': await anna.csrf() }
  expect(await isUnread()).toBe(true)
  await anna.request('POST', `${pathOf(ids[0])}/read`, '{}', headers)
  await send()
  await waitUntilSent()
  expect(await isUnread()).toBe(false)
  await send({ answer: 'And this.' })
  app.clock.advance(1000)
  await acme.perform((tx, caller) => receiveMessage(tx, caller, ids[0] as string, { text: 'Wait!' }))
  await waitUntilSent()
  expect(await isUnread()).toBe(true)
})
