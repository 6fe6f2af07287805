import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '@modelcontextprotocol/client'
import { auditEntries } from '../../src/db/schema.ts'
import { createGroup } from '../../src/groups/operations.ts'
import { mcpClient, revisions, saidBy, sendMessage } from '../support/api/mcp.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { pictures } from '../support/pages/images.ts'
import { countByClockOf } from '../support/processes/nodes.ts'
import { refusalOf } from '../support/refusal.ts'
import { createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let client: Client

beforeAll(async () => {
  app = await startApp()
  countByClockOf(app)
  acme = await app.createTenant()
  client = await mcpClient(app, acme.key)
})
afterAll(async () => {
  await client.close()
  await app.close()
})

const call = (name: string, given: Record<string, unknown> = {}) => client.callTool({ name, arguments: given })

describe('a tool', () => {
  test.each(revisions)('answers what the API answers, by revision %s', async (revision) => {
    const client = await mcpClient(app, acme.key, revision)
    const answer = await client.callTool({ name: 'getMe', arguments: {} })
    const { body } = await acme.get('/v1/me')
    expect([answer.structuredContent, saidBy(answer), answer.isError ?? false]).toEqual([body, body, false])
    await client.close()
  })

  test('takes what goes into the path, the query and the body as arguments side by side', async () => {
    const made = await call('createContact', { email: 'path@acme.test', name: 'Ada' })
    const { id } = saidBy(made)
    await call('updateContact', { id, lastName: 'Lovelace' })
    const { items } = saidBy(await call('listContacts', { email: 'path@acme.test', limit: 1 }))
    expect(items).toEqual([expect.objectContaining({ id, name: 'Ada', lastName: 'Lovelace' })])
    expect(saidBy(await call('listContacts', { email: 'nobody@acme.test' })).items).toEqual([])
  })

  test('says done where there is no answer, and has done it', async () => {
    const { id } = saidBy(await call('createContact', { email: 'gone@acme.test' }))
    expect((await call('deleteContact', { id })).content).toEqual([{ type: 'text', text: 'Done.' }])
    expect((await acme.get(`/v1/contacts/${id}`)).status).toBe(404)
  })

  test('does once what is called twice with one idempotencyKey', async () => {
    const given = { email: 'once@acme.test', idempotencyKey: crypto.randomUUID() }
    const [first, second] = [await call('createContact', given), await call('createContact', given)]
    expect(saidBy(second)).toEqual(saidBy(first))
    expect(saidBy(await call('createContact', { email: 'once@acme.test' }))).toMatchObject({ error: 'conflict' })
  })

  test('leaves an entry in the audit log that names the key and MCP', async () => {
    const { id } = saidBy(await call('createContact', { email: 'audited@acme.test' }))
    const entries = await app.database.db.select().from(auditEntries).orderBy(auditEntries.number)
    expect(entries.filter(({ recordId }) => recordId === id)).toEqual([
      expect.objectContaining({
        action: 'contact.created',
        via: 'mcp',
        authorType: 'api',
        authorId: acme.keyId,
        address: '127.0.0.1',
      }),
    ])
  })

  test('hands over files: pictures as such, text as text, others as bytes', async () => {
    const attached = async (content: Uint8Array<ArrayBuffer> | string) => {
      const stored = await createTestAttachment(acme, { fileName: 'file.txt', contentType: 'text/plain' }, content)
      await createTicket(acme, { attachments: [stored] })
      return (await call('downloadAttachment', { attachmentId: stored.id })).content
    }
    const uri = expect.stringContaining('/v1/attachments/')
    const data = (bytes: Uint8Array) => bytes.toBase64()
    const picture = Buffer.from(pictures.png(2, 2))
    expect(await attached(picture)).toEqual([{ type: 'image', data: data(picture), mimeType: 'image/png' }])
    expect(await attached('abc')).toEqual([
      { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'abc' } },
    ])
    const pdf = new TextEncoder().encode('%PDF-1.7\n')
    expect(await attached(pdf)).toEqual([
      { type: 'resource', resource: { uri, mimeType: 'application/pdf', blob: data(pdf) } },
    ])
  })

  test('names the address of a file that is too large to be handed over', async () => {
    const content = new Uint8Array(1024 * 1024 + 1)
    const stored = await createTestAttachment(acme, { fileName: 'film.mp4', contentType: 'video/mp4' }, content)
    await createTicket(acme, { attachments: [stored] })
    expect((await call('downloadAttachment', { attachmentId: stored.id })).content).toEqual([
      expect.objectContaining({
        type: 'resource_link',
        uri: `${app.url}/v1/attachments/${stored.id}`,
        name: 'film.mp4',
        size: content.length,
      }),
    ])
  })
})

describe('what a tool is refused', () => {
  test('is an answer that says status, code and message', async () => {
    const answer = await call('getContact', { id: Bun.randomUUIDv7() })
    expect(answer.isError).toBe(true)
    expect(saidBy(answer)).toMatchObject({ status: 404, error: 'not_found', message: 'contact not found' })
    const conflict = { email: 'twice@acme.test' }
    const { id } = saidBy(await call('createContact', conflict))
    expect(saidBy(await call('createContact', conflict))).toMatchObject({ status: 409, contactId: id })
  })

  test('without its scope, it names the scope, and nothing has happened', async () => {
    const { key } = await acme.createKey(['contacts:read'])
    const reader = await mcpClient(app, key)
    const answer = await reader.callTool({ name: 'createContact', arguments: { email: 'no@acme.test' } })
    expect(saidBy(answer)).toMatchObject({ status: 403, error: 'insufficient_scope' })
    expect(saidBy(answer).message).toContain('contacts:write')
    expect(saidBy(await call('listContacts', { email: 'no@acme.test' })).items).toEqual([])
    await reader.close()
  })

  test('of another tenant, it is as if it were not there', async () => {
    const { id } = saidBy(await call('createContact', { email: 'ours@acme.test' }))
    const other = await mcpClient(app, (await app.createTenant('Other')).key)
    expect(saidBy(await other.callTool({ name: 'getContact', arguments: { id } }))).toMatchObject({ status: 404 })
    await other.close()
  })

  test.each([
    ['an argument that it does not know', { email: 'x@acme.test', nonsense: 1 }, 'nonsense: unknown field'],
    ['one that is not of the right type', { email: 7 }, 'email: must be a string'],
  ])('for %s is a 400 that names it', async (_, given, message) => {
    expect(saidBy(await call('createContact', given))).toMatchObject({ status: 400, error: 'invalid_request', message })
  })

  test.each(['..', '.', '../me', '%2e%2e', 'a/../../me', '?x=1', '#'])(
    'an id of %p leads to no other path',
    async (id) => {
      expect(saidBy(await call('getContact', { id }))).toMatchObject({ status: 404, error: 'not_found' })
    },
  )

  test.each([{}, { id: '' }, { id: null }])('an id that is missing is asked for: %p', async (given) => {
    expect(saidBy(await call('deleteContact', given))).toMatchObject({ status: 400, message: 'id: is required' })
  })

  test('a name that no tool has is an error of the protocol', async () => {
    for (const name of ['nothing', 'toString', '__proto__']) {
      expect(await refusalOf(call(name))).toContain(`there is no tool ${name}`)
    }
  })

  test('with its own limit, it says when to try again', async () => {
    const { body } = await acme.post('/v1/webhooks', {
      name: 'Hook',
      url: 'https://nowhere.invalid/',
      events: ['ticket.created'],
    })
    await call('testWebhook', { webhookId: body.id })
    const again = await call('testWebhook', { webhookId: body.id })
    expect(again.isError).toBe(true)
    expect(saidBy(again)).toMatchObject({ status: 429, error: 'too_many_requests', retryAfter: expect.any(Number) })
  })
})

describe('an answer of more than 100 kB', () => {
  test('of a list holds fewer items, and its cursor goes on', async () => {
    const { id } = await createTicket(acme, { subject: 'Long' })
    for (let number = 0; number < 12; number++) {
      await acme.post(`/v1/tickets/${id}/notes`, { text: 'note' })
      await acme.post(`/v1/tickets/${id}/replies`, { html: `<p>${number} ${'x'.repeat(15_000)}</p>` })
    }
    const numbers: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const answer = await call('listTicketMessages', { id, limit: 100, ...(cursor && { cursor }) })
      const text = answer.content[0]?.type === 'text' ? answer.content[0].text : ''
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(100_000)
      const page = saidBy(answer)
      numbers.push(...page.items.map((item: { html: string }) => item.html.slice(0, 6)))
      cursor = page.nextCursor ?? undefined
      pages++
    } while (cursor)
    const all = (await acme.get(`/v1/tickets/${id}/messages?limit=100`)).body.items
    expect(numbers).toEqual(all.map((item: { html: string }) => item.html.slice(0, 6)))
    expect(pages).toBeGreaterThan(1)
  })

  test('of a list that the API gives whole is paged, too', async () => {
    const { key } = await acme.createKey()
    for (let number = 0; number < 40; number++) {
      await acme.perform((tx, caller) =>
        createGroup(tx, caller, { name: `Group ${number}`, consentWording: 'w'.repeat(5000), consentGroupType: null }),
      )
    }
    const reader = await mcpClient(app, key)
    const names: string[] = []
    let cursor: string | null = null
    do {
      const answer = await reader.callTool({ name: 'listGroups', arguments: { ...(cursor !== null && { cursor }) } })
      const page: { items: { name: string }[]; nextCursor: string | null } = saidBy(answer)
      names.push(...page.items.map(({ name }) => name))
      cursor = page.nextCursor
    } while (cursor !== null)
    const all = (await acme.get('/v1/groups')).body.items
    expect(names).toEqual(all.map(({ name }: { name: string }) => name))
    expect(saidBy(await reader.callTool({ name: 'listGroups', arguments: { cursor: 'x' } }))).toMatchObject({
      status: 400,
    })
    await reader.close()
  })

  test('of one record has its texts cut, and textFrom reads on until all of it is known', async () => {
    const source = await createTestSource(acme)
    const content = Array.from({ length: 40_000 }, (_, number) => `line ${number} ä`).join('\n')
    const slug = 'long'
    await acme.put(`/v1/livechat/sources/${source.id}/articles/${slug}`, { title: 'Long', content, format: 'markdown' })
    let read = ''
    for (let calls = 0; calls < 20; calls++) {
      const answer = await call('getArticle', { sourceId: source.id, slug, ...(read && { textFrom: read.length }) })
      expect(Buffer.byteLength(JSON.stringify(answer.structuredContent))).toBeLessThanOrEqual(100_000)
      const [, wayOn] = answer.content
      const part: string = saidBy(answer).content
      read += wayOn ? part.slice(0, -1) : part
      if (!wayOn) break
      expect(wayOn).toEqual({ type: 'text', text: expect.stringContaining(`textFrom ${read.length} `) })
    }
    expect(read).toBe(content)
  })

  test('of a change that was made is no error', async () => {
    const { id } = await createTicket(acme)
    const answer = await call('replyToTicket', { id, html: `<p>${'y'.repeat(200_000)}</p>` })
    expect(answer.isError ?? false).toBe(false)
    expect(Buffer.byteLength(JSON.stringify(answer.structuredContent))).toBeLessThanOrEqual(100_000)
  })
})

test('a message that is called in a batch is refused: each counts for itself', async () => {
  const batch = [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]
  const answer = await app.request('POST', '/mcp', { key: acme.key, body: batch })
  expect([answer.status, answer.body.error.code]).toEqual([400, -32700])
  expect((await sendMessage(app, acme.key, { method: 'tools/list' })).status).toBe(200)
})
