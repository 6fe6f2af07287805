import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { messages, replyDrafts } from '../../../../src/db/schema.ts'
import { mergeTickets } from '../../../../src/tickets/merging/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { openChat } from '../../../support/chat/chat.ts'
import { messagesOf } from '../../../support/chat/event-stream.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { createTicket } from '../../../support/tickets/tickets.ts'

type Browser = Awaited<ReturnType<typeof signedIn>>

let app: TestApp
let acme: TestTenant
let anna: Browser
let ben: Browser
let ticketId: string
let path: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  acme = await app.createTenant()
  ;[anna, ben] = [await signedIn(app, acme, 'agent'), await signedIn(app, acme, 'agent')]
  ticketId = (await createTicket(acme)).id
  path = `/console/tickets/${ticketId}`
  app.clock.advance(1000)
})
afterAll(() => app.close())

const drafts = () => app.database.db.select().from(replyDrafts).where(eq(replyDrafts.tenantId, acme.tenantId))
const templateOn = (text: string) => /<template data-draft>(.*?)<\/template>/s.exec(text)?.[1]

/** What the page's script sends while somebody types. */
async function write(browser: Browser, html: string, cc = '', more: object = {}) {
  const headers = { 'content-type': 'application/json', 'x-csrf-token': await browser.csrf() }
  return browser.request('POST', `${path}/draft`, JSON.stringify({ html, cc, ...more }), headers)
}

/** What the page's script says while somebody types. */
async function type(browser: Browser, body: unknown = {}, token?: string) {
  const headers = { 'content-type': 'application/json', 'x-csrf-token': token ?? (await browser.csrf()) }
  return browser.request('POST', `${path}/typing`, JSON.stringify(body), headers)
}

describe('what somebody writes', () => {
  test('is kept as they write it, and is there when the page is shown again, for them alone', async () => {
    const events = await acme.events()
    expect((await write(anna, '<p>Hello <b>Ada</b>,</p>', 'bob@acme.test, ca')).body).toEqual({ isKept: true })
    app.clock.advance(1000)
    await write(anna, '<p>Hello <b>Ada</b>, see</p>', 'bob@acme.test')
    const { text } = await anna.get(path)
    expect(templateOn(text)).toBe('<p>Hello <b>Ada</b>, see</p>')
    expect(text).toMatch(/<textarea[^>]*name="answer"[^>]*>\nHello Ada, see<\/textarea>/)
    expect(text).toMatch(/name="cc"[^>]*value="bob@acme.test"/)
    expect(await drafts()).toHaveLength(1)
    expect((await ben.get(path)).text).not.toContain('Hello <b>Ada')
    await write(ben, '<p>Mine</p>')
    expect(templateOn((await anna.get(path)).text)).toBe('<p>Hello <b>Ada</b>, see</p>')
    expect(await acme.events()).toEqual(events)
    expect((await acme.get(`/v1/tickets/${ticketId}`)).body).toMatchObject({ messageCount: 1 })
  })

  test('is gone once nothing is left of it', async () => {
    await write(anna, '<p>Hello</p>')
    expect((await write(anna, '<p><br></p>')).body).toEqual({ isKept: false })
    expect(await drafts()).toEqual([])
    expect(templateOn((await anna.get(path)).text)).toBeUndefined()
  })

  test('is sanitised, and shows images of its own files alone', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ csrf: await anna.csrf(), after: 'keep', answer: 'x' }))
      form.set(name, value)
    form.append('files', new File(['x'], 'a.png'))
    await anna.request('POST', `${path}/replies`, form)
    const [, id] = /data-file="([^"]*)"/.exec((await anna.get(path)).text) as unknown as [string, string]
    const other = crypto.randomUUID()
    await write(
      anna,
      `<p onclick="alert(1)">Hi<script>alert(1)</script><img src="/console/attachments/${id}"><img src="/console/attachments/${other}"><a href="javascript:alert(1)">x</a></p>`,
    )
    const [draft] = await drafts()
    expect(draft?.html).toBe(`<p>Hi<img src="/v1/attachments/${id}" /><a>x</a></p>`)
    expect(templateOn((await anna.get(path)).text)).toBe(`<p>Hi<img src="/console/attachments/${id}" /><a>x</a></p>`)
  })

  test('is refused where it is too long, and what was kept stays', async () => {
    await write(anna, '<p>Short</p>')
    const refused = await write(anna, `<p>${'x'.repeat(300_000)}</p>`)
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request'])
    expect((await drafts()).map(({ text }) => text)).toEqual(['Short'])
  })

  test.each<[string, object]>([
    ['another field', { html: '', cc: '', state: 'public' }],
    ['no text', { html: 1, cc: '' }],
    ['nothing', {}],
  ])('is not taken with %s', async (_, body) => {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await anna.csrf() }
    expect((await anna.request('POST', `${path}/draft`, JSON.stringify(body), headers)).status).toBe(400)
    expect(await drafts()).toEqual([])
  })

  test('is not taken from a page of another session, nor for another tenant’s ticket', async () => {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await ben.csrf() }
    const body = JSON.stringify({ html: '<p>x</p>', cc: '' })
    expect((await anna.request('POST', `${path}/draft`, body, headers)).status).toBe(403)
    const stranger = await signedIn(app, await app.createTenant())
    expect((await write(stranger, '<p>x</p>')).status).toBe(404)
    expect(await drafts()).toEqual([])
  })

  test('follows its ticket into the one that it is merged into', async () => {
    await write(anna, '<p>Hello</p>')
    const into = await createTicket(acme)
    await acme.perform((tx, caller) => mergeTickets(tx, caller, ticketId, into.id))
    const shown = async () => templateOn((await anna.get(`/console/tickets/${into.id}`)).text)
    expect(await shown()).toBe('<p>Hello</p>')
    // So does what is typed on a page that was open meanwhile, and what that sends in vain.
    await write(anna, '<p>Hello Ada</p>')
    expect(await shown()).toBe('<p>Hello Ada</p>')
    expect((await anna.post(`${path}/replies`, { newest: '', html: '<p>Hello Ada!</p>', answer: '' })).status).toBe(422)
    expect(await shown()).toBe('<p>Hello Ada!</p>')
    expect(await drafts()).toHaveLength(1)
  })

  test('is sent as HTML and as the text that a reader sees', async () => {
    const newest = /name="newest" value="([^"]*)"/.exec((await anna.get(path)).text)?.[1] as string
    const html = '<p>Hello <b>Ada</b></p><ul><li>one</li></ul>'
    expect((await anna.post(`${path}/replies`, { newest, answer: 'Hello Ada\n\none', html })).status).toBe(303)
    const [sent] = await app.database.db
      .select()
      .from(messages)
      .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.state, 'pending')))
    expect(sent).toMatchObject({ html, text: 'Hello Ada\n\n * one' })
  })
})

describe('who is at a ticket', () => {
  const presenceOn = (text: string) => /data-presence>([^<]*)</.exec(text)?.[1]

  /** A page that is open, and what it was told last of who else is there. */
  async function open(browser: Browser) {
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const { upTo, close } = messagesOf(await fetch(`${app.url}${path}/events`, { headers: { cookie } }))
    return { until: (said: string) => upTo(({ data }) => data.text === said), close }
  }
  const nameOf = ({ person }: Browser) => person.email.split('@')[0]

  test('is told to whoever has it open: who looks, who writes, and that they have left', async () => {
    const page = await open(anna)
    expect(presenceOn((await anna.get(path)).text)).toBe('')
    const other = await open(ben)
    await page.until(`${nameOf(ben)} is looking at this ticket, too.`)
    await type(ben)
    await page.until(`${nameOf(ben)} is writing an answer.`)
    // A page says so without a script, too.
    expect(presenceOn((await anna.get(path)).text)).toBe(`${nameOf(ben)} is writing an answer.`)
    app.clock.advance(8_000)
    expect(presenceOn((await anna.get(path)).text)).toBe(`${nameOf(ben)} is looking at this ticket, too.`)
    await other.close()
    await page.until('')
    expect(presenceOn((await anna.get(path)).text)).toBe('')
    await page.close()
  })

  test('is nobody who has not been heard of for a while, and never oneself', async () => {
    const [first, second] = [await open(anna), await open(anna)]
    await first.until('')
    await type(anna)
    expect(presenceOn((await anna.get(path)).text)).toBe('')
    expect(presenceOn((await ben.get(path)).text)).toBe(`${nameOf(anna)} is writing an answer.`)
    app.clock.advance(50_000)
    expect(presenceOn((await ben.get(path)).text)).toBe('')
    await Promise.all([first.close(), second.close()])
  })

  test('is told of this ticket alone', async () => {
    const page = await open(anna)
    await page.until('')
    const other = await createTicket(acme)
    expect(presenceOn((await ben.get(`/console/tickets/${other.id}`)).text)).toBe('')
    expect(presenceOn((await ben.get(path)).text)).toBe(`${nameOf(anna)} is looking at this ticket, too.`)
    await page.close()
  })

  test('reaches the visitor of a chat as typing', async () => {
    const chat = await openChat(app, acme)
    const visitor = await chat.visitor({ name: 'Ada' })
    ticketId = (await chat.start(visitor.token)).body.conversationId
    path = `/console/tickets/${ticketId}`
    const socket = await chat.connect(visitor.token)
    await socket.listening()
    await type(anna)
    expect(await socket.next(({ type }) => type === 'typing')).toEqual({ type: 'typing', conversationId: ticketId })
    expect(await drafts()).toEqual([])
    socket.close()
  })

  test('is not said by a draft that is kept, nor from a page of another session or tenant, nor with more', async () => {
    const stranger = await signedIn(app, await app.createTenant())
    expect((await type(anna, {}, await ben.csrf())).status).toBe(403)
    expect((await type(stranger)).status).toBe(404)
    expect((await type(anna, { text: 'Hello' })).status).toBe(400)
    // It may be kept long after its writer has stopped.
    await write(anna, '<p>Hello</p>')
    expect(presenceOn((await ben.get(path)).text)).toBe('')
    await type(anna)
    expect(presenceOn((await ben.get(path)).text)).toBe(`${nameOf(anna)} is writing an answer.`)
  })
})
