import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { erasePerson } from '../../src/privacy/erasure.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { ticketOf, type Visitor, visitSite, writeInto } from '../support/chat/visitor.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { signedIn } from '../support/pages/console.ts'

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let acme: TestTenant
let chat: Awaited<ReturnType<typeof openChat>>
let token: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  // What other tests have sent and not used has gone by then.
  app.clock.advance(3 * 60 * 60 * 1000)
  await app.runDue()
  acme = await app.createTenant()
  chat = await openChat(app, acme)
  ;({ token } = await chat.visitor({ name: 'Ada' }))
})
afterAll(() => app.close())

const text = (content = 'a,b\n1,2\n', name = 'figures.csv') => new File([content], name)

function upload(file: File | null, as: string | null = token, headers: Record<string, string> = {}, path = chat.path) {
  const body = new FormData()
  if (file) body.set('file', file)
  return fetch(`${app.url}${path}/uploads`, {
    method: 'POST',
    body,
    headers: { ...headers, ...(as === null ? {} : { authorization: `Bearer ${as}` }) },
  })
}

async function uploaded(file = text(), as = token): Promise<string> {
  const answer = await upload(file, as)
  expect(answer.status).toBe(201)
  return ((await answer.json()) as { uploadId: string }).uploadId
}

const begin = (body: object, as = token) => chat.call('POST', '/conversations', as, body)

async function filesIn(kind: 'attachments' | 'uploads'): Promise<string[]> {
  const found: string[] = []
  for await (const { tenantId, files } of app.deps.files.list(kind))
    if (tenantId === acme.tenantId) found.push(...files.map(({ id }) => id))
  return found
}

describe('files that a visitor sends', () => {
  test('come with what they say, and are read where the ticket is', async () => {
    const id = await uploaded(text('a,b\n1,2\n', 'Übersicht 2026.csv'))
    const { status, body } = await begin({ text: 'Here it is', uploads: [id] })
    expect(status).toBe(201)
    const known = { id, fileName: 'Übersicht 2026.csv', contentType: 'text/csv', size: 8 }
    expect(body.message).toMatchObject({
      text: 'Here it is',
      attachments: [{ ...known, url: `${chat.path}/attachments/${id}` }],
    })
    const messages = (await acme.get(`/v1/tickets/${body.conversationId}/messages`)).body.items
    expect(messages[0].attachments).toEqual([known])
    const file = await fetch(`${app.url}/v1/attachments/${id}`, { headers: { authorization: `Bearer ${acme.key}` } })
    expect(await file.text()).toBe('a,b\n1,2\n')
    const own = await fetch(`${app.url}${chat.path}/attachments/${id}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(await own.text()).toBe('a,b\n1,2\n')
    const agent = await signedIn(app, acme, 'agent')
    expect((await agent.get(`/console/tickets/${body.conversationId}`)).text).toContain('Übersicht 2026.csv')
  })

  test('need no words, and then name the ticket', async () => {
    const ids = [await uploaded(text('x', 'map.txt')), await uploaded(text('y', 'route.txt'))]
    const { body } = await begin({ text: ' \u200b', uploads: ids })
    expect(body.message).toMatchObject({ text: '', html: '' })
    const ticket = (await acme.get(`/v1/tickets/${body.conversationId}`)).body
    expect(ticket).toMatchObject({ subject: 'map.txt, route.txt', excerpt: 'map.txt, route.txt' })
    const more = await uploaded(text('z', 'later.txt'))
    expect((await chat.write(token, body.conversationId, { text: '', uploads: [more] })).status).toBe(201)
    expect((await acme.get(`/v1/tickets/${body.conversationId}`)).body.excerpt).toBe('later.txt')
  })

  test('stay in the order in which a message names them, not in that in which they arrived', async () => {
    const [first, second, third] = [await uploaded(), await uploaded(), await uploaded()]
    const uploads = [third, first, second]
    const { body } = await begin({ text: 'Here they are', uploads })
    const ids = (message: { attachments: { id: string }[] }) => message.attachments.map(({ id }) => id)
    expect(ids(body.message)).toEqual(uploads)
    expect(ids((await acme.get(`/v1/tickets/${body.conversationId}/messages`)).body.items[0])).toEqual(uploads)
    expect(ids((await chat.read(token, body.conversationId)).body.items[0])).toEqual(uploads)
  })

  test('come with what is said over a socket', async () => {
    const { conversationId } = (await begin({ text: 'Hello' })).body
    const socket = await chat.connect(token)
    const id = await uploaded()
    const say = (uploads: unknown, clientId: string) =>
      socket.send({ type: 'message', conversationId, message: { text: 'Look', uploads, clientId } })
    say([id], 'one')
    const { message } = await socket.next(({ clientId }) => clientId === 'one')
    expect(message.attachments).toMatchObject([{ id, fileName: 'figures.csv' }])
    say([id], 'two')
    expect((await socket.next(({ type }) => type === 'error')).message).toContain('uploads[0]')
    socket.frames.length = 0
    say('everything', 'three')
    expect((await socket.next(({ type }) => type === 'error')).message).toContain('message.uploads')
    expect((await chat.read(token, conversationId)).body.items).toHaveLength(2)
    socket.close()
  })

  test('are used once, and the same message again is the one that is there', async () => {
    const { conversationId } = (await begin({ text: 'Hello' })).body
    const id = await uploaded()
    const said = { text: 'Look', uploads: [id], clientId: 'one' }
    const first = await chat.write(token, conversationId, said)
    expect([first.status, (await chat.write(token, conversationId, said)).status]).toEqual([201, 200])
    const again = await chat.write(token, conversationId, { ...said, clientId: 'two' })
    expect(again.status).toBe(400)
    expect(again.body.message).toContain(`there is no upload`)
    const twice = await uploaded()
    expect((await chat.write(token, conversationId, { text: '', uploads: [twice, twice] })).status).toBe(400)
    // A message that was refused takes none of its files.
    expect((await chat.write(token, conversationId, { text: '', uploads: [twice] })).status).toBe(201)
  })

  test('are nobody else’s', async () => {
    const id = await uploaded()
    const stranger = await chat.visitor()
    expect((await begin({ text: 'Mine', uploads: [id] }, stranger.token)).status).toBe(400)
    const other = await openChat(app, await app.createTenant())
    const foreign = await other.visitor()
    const taken = await other.call('POST', '/conversations', foreign.token, { text: 'Mine', uploads: [id] })
    expect(taken.status).toBe(400)
    for (const as of [token, stranger.token, acme.key]) {
      const file = await fetch(`${app.url}${chat.path}/attachments/${id}`, {
        headers: { authorization: `Bearer ${as}` },
      })
      expect(file.status).toBe(as === acme.key ? 401 : 404)
    }
    expect((await acme.get(`/v1/attachments/${id}`)).status).toBe(404)
    expect((await acme.get('/v1/tickets')).body.items).toEqual([])
    expect((await begin({ text: '', uploads: [id] })).status).toBe(201)
  })

  test('are taken from visitors alone, from sites that may', async () => {
    expect((await upload(text(), null)).status).toBe(401)
    expect((await upload(text(), acme.key)).status).toBe(401)
    expect((await upload(text(), 'vt_none')).status).toBe(401)
    expect((await upload(text(), token, {}, `/chat/${crypto.randomUUID()}`)).status).toBe(404)
    expect(await filesIn('attachments')).toEqual([])
    const preflight = await fetch(`${app.url}${chat.path}/uploads`, { method: 'OPTIONS' })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  })

  test('must be one file of at most 10 MiB', async () => {
    expect((await upload(null)).status).toBe(400)
    const wrong = new FormData()
    wrong.set('picture', text())
    const headers = { authorization: `Bearer ${token}` }
    const post = (body: FormData | string) => fetch(`${app.url}${chat.path}/uploads`, { method: 'POST', body, headers })
    expect((await post(wrong)).status).toBe(400)
    expect((await post('{}')).status).toBe(400)
    const large = await upload(new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.bin'))
    expect([large.status, ((await large.json()) as { message: string }).message]).toEqual([
      413,
      expect.stringContaining('10 MiB'),
    ])
    expect(await filesIn('attachments')).toEqual([])
  })

  test('are of the type that their content has, whatever they are called', async () => {
    const page = new File(['<script>alert(1)</script>'], '../../page.html', { type: 'text/html' })
    const id = await uploaded(page)
    const { body } = await begin({ text: 'Look', uploads: [id] })
    expect(body.message.attachments).toMatchObject([{ contentType: 'text/plain' }])
    expect(body.message.attachments[0].fileName).not.toContain('/')
  })

  test('are limited by address: 100 MiB that no message has named', async () => {
    const large = () => new File([new Uint8Array(10 * 1024 * 1024)], 'large.bin')
    const ids: string[] = []
    for (let sent = 0; sent < 10; sent++) ids.push(await uploaded(large()))
    const over = await upload(text())
    expect([over.status, Number(over.headers.get('retry-after')) > 60]).toEqual([429, true])
    expect((await begin({ text: '', uploads: ids.slice(0, 1) })).status).toBe(201)
    await uploaded(text())
  })

  test('come with a message ten at a time', async () => {
    const ids = Array.from({ length: 11 }, () => crypto.randomUUID())
    const { status, body } = await begin({ text: 'Hello', uploads: ids })
    expect([status, body.message]).toEqual([400, expect.stringContaining('uploads')])
    expect((await begin({ text: 'Hello', uploads: ['x'] })).status).toBe(400)
    expect((await begin({ text: '', uploads: [] })).status).toBe(400)
    expect((await acme.get('/v1/tickets')).body.items).toEqual([])
  })

  test('sent again under the same key are stored once', async () => {
    const headers = { 'idempotency-key': 'one' }
    const answers = [await upload(text(), token, headers), await upload(text(), token, headers)]
    const [first, again] = (await Promise.all(answers.map((answer) => answer.json()))) as { uploadId: string }[]
    expect(again).toEqual(first)
    expect(await filesIn('attachments')).toEqual([first?.uploadId as string])
  })

  test('go with the person who sent them', async () => {
    const sent = await uploaded()
    const { conversationId } = (await begin({ text: '', uploads: [sent] })).body
    const unsaid = await uploaded()
    const { contactId } = (await acme.get(`/v1/tickets/${conversationId}`)).body
    for (let isMore = true; isMore; ) {
      const erased = await acme.perform((tx, caller) => erasePerson(tx, caller, contactId))
      for (const name of erased.files) await app.deps.files.remove(name)
      isMore = erased.isMore
    }
    expect(await filesIn('attachments')).toEqual([])
    expect((await upload(text())).status).toBe(401)
    expect(unsaid).not.toBe(sent)
  })

  test('go after two hours where no message has named them', async () => {
    const [kept, unused] = [await uploaded(), await uploaded()]
    const { conversationId } = (await begin({ text: '', uploads: [kept] })).body
    app.clock.advance(2 * 60 * 60 * 1000 - 1000)
    await app.runDue()
    expect((await filesIn('attachments')).sort()).toEqual([kept, unused].sort())
    app.clock.advance(2000)
    await app.runDue()
    expect(await filesIn('attachments')).toEqual([kept])
    expect((await chat.write(token, conversationId, { text: 'Look', uploads: [unused] })).status).toBe(400)
    // Nor are they taken for files that no record knows.
    app.clock.advance(3 * 60 * 60 * 1000)
    await app.runDue()
    expect(await filesIn('attachments')).toEqual([kept])
  })
})

const submit = ({ text }: Visitor) => text.evaluate((field: HTMLTextAreaElement) => field.form?.requestSubmit())

describe.skipIf(!hasBrowser)('the visitor’s page', () => {
  const asFile = (name: string, content: string | Buffer) => ({ name, mimeType: '', buffer: Buffer.from(content) })

  test('sends what is attached with the message, and shows it there', async () => {
    const browser = await openBrowser()
    const site = await visitSite(browser.context, app, chat)
    await site.open()
    const files = site.frame.locator('#files')
    await files.setInputFiles([asFile('map.png', PNG), asFile('wrong.csv', '1,2'), asFile('figures.csv', '3,4')])
    await site.frame.getByRole('button', { name: 'Remove wrong.csv' }).click()
    // Without a word, as soon as they are there.
    await submit(site)
    const message = site.frame.locator('.message[data-state=there]')
    await message.locator('.files img:not([hidden])').waitFor()
    expect(await message.locator('.file bdi').allTextContents()).toEqual(['map.png', 'figures.csv'])
    expect(await site.frame.locator('#attached li').count()).toBe(0)
    const { id, subject } = await ticketOf(acme)
    expect(subject).toBe('map.png, figures.csv')
    const [first] = (await acme.get(`/v1/tickets/${id}/messages`)).body.items
    expect(first.attachments).toMatchObject([
      { fileName: 'map.png', contentType: 'image/png' },
      { fileName: 'figures.csv', contentType: 'text/csv' },
    ])
    await files.setInputFiles([asFile('later.csv', '5,6')])
    await site.say('And this')
    await site.frame.locator('.message[data-state=there]', { hasText: 'And this' }).getByText('later.csv').waitFor()
    // Loaded anew, they are fetched.
    await site.page.reload()
    await site.open()
    await message.locator('.files img:not([hidden])').waitFor()
    expect(site.complaints).toEqual([])
    await site.close()
    await browser.close()
  })

  test('says which file is too large, and keeps a message whose file could not be sent', async () => {
    const browser = await openBrowser()
    const site = await visitSite(browser.context, app, chat)
    await site.open()
    const files = site.frame.locator('#files')
    await files.setInputFiles([asFile('large.bin', Buffer.alloc(10 * 1024 * 1024 + 1)), asFile('map.txt', 'x')])
    await site.frame.getByRole('alert').getByText('large.bin is larger than').waitFor()
    await site.frame.getByRole('button', { name: 'Remove map.txt' }).click()
    await browser.context.route('**/uploads', (route) => route.abort())
    await files.setInputFiles([asFile('figures.csv', '1,2')])
    const again = site.frame.locator('#attached').getByRole('button', { name: 'Try again' })
    await again.waitFor()
    await writeInto(site.text, 'Here it is')
    await submit(site)
    expect(await site.text.inputValue()).toBe('Here it is')
    await browser.context.unroute('**/uploads')
    await again.click()
    await site.frame.locator('#attached li:not(.wrong) .state', { hasText: 'kB' }).waitFor()
    await submit(site)
    await site.frame.locator('.message[data-state=there]', { hasText: 'Here it is' }).getByText('figures.csv').waitFor()
    expect((await ticketOf(acme)).messageCount).toBe(1)
    await site.close()
    await browser.close()
  })
})
