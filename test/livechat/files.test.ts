import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { beginConversation, ticketOf, visitSite } from '../support/chat/visitor.ts'
import { hasBrowser, openBrowser } from '../support/pages/browser.ts'
import { signedIn } from '../support/pages/console.ts'
import { createEmailInbox } from '../support/tickets/tickets.ts'

/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let chat: Awaited<ReturnType<typeof openChat>>
let token: string
let id: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  app.clock.advance(60_000)
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  chat = await openChat(app, acme)
  ;({ token } = await chat.visitor({ name: 'Ada', email: 'ada@acme.test' }))
  id = (await chat.start(token)).body.conversationId
})
afterAll(() => app.close())

/** Answers as the form of the page does, with files. */
async function answer(ticketId: string, text: string, ...files: File[]) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ csrf: await agent.csrf(), answer: text })) form.set(name, value)
  for (const file of files) form.append('files', file)
  const sent = await agent.request('POST', `/console/tickets/${ticketId}/replies`, form)
  expect(sent.status).toBe(303)
}

const newest = async () => (await chat.read(token, id)).body.items.at(-1)
const get = (path: string, as: string | null, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { headers: { ...headers, ...(as === null ? {} : { authorization: `Bearer ${as}` }) } })

describe('files that an agent adds to what they say in a chat', () => {
  test('reach its visitor, exact to the byte, to be saved and never shown by themselves', async () => {
    const socket = await chat.connect(token)
    await socket.listening()
    await answer(id, 'Here it is', new File(['<script>alert(1)</script>'], 'Übersicht.html', { type: 'text/html' }))
    const { attachments, text } = await newest()
    expect(text).toBe('Here it is')
    expect(attachments).toEqual([
      {
        id: attachments[0].id,
        fileName: 'Übersicht.html',
        contentType: expect.any(String),
        size: 25,
        url: `${chat.path}/attachments/${attachments[0].id}`,
      },
    ])
    const { message } = await socket.next(({ message }) => message?.text === 'Here it is')
    expect(message.attachments).toEqual(attachments)
    const file = await get(attachments[0].url, token)
    expect([file.status, await file.text()]).toEqual([200, '<script>alert(1)</script>'])
    const { headers } = file
    expect(headers.get('content-disposition')).toStartWith('attachment; ')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('access-control-allow-origin')).toBe('*')
    socket.close()
  })

  test('are nobody else’s', async () => {
    await answer(id, 'Yours', new File(['secret'], 'secret.txt'))
    const [{ url }] = (await newest()).attachments
    const stranger = await chat.visitor()
    const elsewhere = await openChat(app, await app.createTenant())
    const { token: foreign } = await elsewhere.visitor()
    expect((await get(url, null)).status).toBe(401)
    expect((await get(url, acme.key)).status).toBe(401)
    expect((await get(url, stranger.token)).status).toBe(404)
    expect((await get(url, foreign)).status).toBe(401)
    expect((await get(url.replace(chat.path, elsewhere.path), foreign)).status).toBe(404)
    expect((await get(`${chat.path}/attachments/x`, token)).status).toBe(404)
    const preflight = await fetch(app.url + url, { method: 'OPTIONS', headers: { origin: 'https://shop.test' } })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization')
  })

  test('need no words, and name what was said in the list', async () => {
    await answer(id, '', new File([PNG], 'map.png'))
    expect(await newest()).toMatchObject({ text: '', attachments: [{ fileName: 'map.png', contentType: 'image/png' }] })
    expect((await acme.get(`/v1/tickets/${id}`)).body.excerpt).toBe('map.png')
  })

  test('come with the mail to a visitor who left', async () => {
    await createEmailInbox(acme)
    await answer(id, 'As asked for', new File(['a,b\n1,2\n'], 'figures.csv', { type: 'text/csv' }))
    app.clock.advance(120_000)
    await app.runDue()
    const folder = join(app.dataDir, 'outbox')
    const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(mails.filter((mail) => mail.includes('As asked for') && mail.includes('figures.csv'))).toHaveLength(1)
  })

  test('go again with what is taken back, and are no visitor’s then', async () => {
    await answer(id, 'Wrong', new File(['secret'], 'secret.txt'))
    const message = await newest()
    expect((await agent.post(`/console/tickets/${id}/messages/${message.id}/undo`)).status).toBe(303)
    expect((await get(message.attachments[0].url, token)).status).toBe(404)
    expect((await agent.get(`/console/tickets/${id}`)).text).toContain(`data-file="${message.attachments[0].id}"`)
  })

  test('do not tell of notes', async () => {
    await acme.perform((tx, caller) => addNote(tx, caller, id, { text: 'secret' }))
    expect((await chat.read(token, id)).body.items).toHaveLength(1)
  })
})

test.skipIf(!hasBrowser)('the visitor’s page shows pictures small, and saves files by a press', async () => {
  const browser = await openBrowser()
  const site = await visitSite(browser.context, app, chat)
  await beginConversation(acme, site, 'Where are you?')
  const { id: conversationId } = await ticketOf(acme, 2)
  await answer(conversationId, 'Here', new File([PNG], 'map.png'), new File(['1,2'], 'figures.csv'))
  const picture = site.frame.locator('.files img')
  await picture.waitFor()
  expect(await picture.getAttribute('src')).toStartWith('blob:')
  const saved = site.page.waitForEvent('download')
  await site.frame.getByRole('button', { name: 'figures.csv' }).click()
  expect((await saved).suggestedFilename()).toBe('figures.csv')
  expect(site.complaints).toEqual([])
  await site.close()
  await browser.close()
})
