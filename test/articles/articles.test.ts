import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { upsertArticle } from '../../src/articles/operations.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant
let articles: string
let theirs: string

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  other = await app.createTenant('Other')
  theirs = `/v1/livechat/sources/${(await createTestSource(other)).id}/articles`
})
beforeEach(async () => {
  articles = `/v1/livechat/sources/${(await createTestSource(acme)).id}/articles`
})
afterAll(() => app.close())

const refunds = {
  title: 'Refunds',
  content: 'Within **30 days**.',
  format: 'text',
  canonicalUrl: 'https://acme.test/refunds',
}

describe('an article’s content', () => {
  test('has at most 5,000 tags', async () => {
    expect((await acme.put(`${articles}/a`, { content: '<'.repeat(5000) })).status).toBe(201)
    for (const format of ['markdown', 'html', 'text']) {
      const { status, body } = await acme.put(`${articles}/b`, { content: '<'.repeat(5001), format })
      expect([status, body]).toEqual([400, problem('invalid_request', 'content: must hold at most 5000 tags (<)')])
    }
    expect((await acme.get(`${articles}/b`)).status).toBe(404)
  })

  test('has at most 1 MiB', async () => {
    const sourceId = articles.split('/')[4] as string
    const write = (content: string) =>
      acme.perform((tx, caller) => upsertArticle(tx, caller, sourceId, 'a', { content }))
    const most = 'é'.repeat(512 * 1024)
    expect((await write(most)).article.content).toBe(most)
    expect(await refusalOf(write(`${most}x`))).toBe('content: must be at most 1 MiB')
  })
})

describe('writing an article', () => {
  test('of a new slug answers 201 with its location and shape', async () => {
    const answer = await acme.put(`${articles}/refunds`, refunds)
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`${articles}/refunds`)
    expect(answer.body).toEqual({
      sourceId: articles.split('/')[4],
      slug: 'refunds',
      ...refunds,
      indexedAt: expect.any(String),
      createdAt: new Date(app.clock.now()).toISOString(),
      updatedAt: new Date(app.clock.now()).toISOString(),
    })
    expect((await acme.get(`${articles}/refunds`)).body).toEqual(answer.body)
  })

  test('of a known slug answers 200 and replaces all of it but when it was created', async () => {
    const { body: first } = await acme.put(`${articles}/refunds`, refunds)
    app.clock.advance(1000)
    const at = new Date(app.clock.now()).toISOString()
    const answer = await acme.put(`${articles}/refunds`, { title: null, content: 'New.' })
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null])
    expect(answer.body).toEqual({
      ...first,
      title: null,
      content: 'New.',
      format: 'markdown',
      canonicalUrl: null,
      indexedAt: at,
      updatedAt: at,
    })
    expect((await acme.get(articles)).body.items).toHaveLength(1)
  })

  test('needs no field, and tells slugs apart by case', async () => {
    const answer = await acme.put(`${articles}/A`, {})
    expect(answer.body).toMatchObject({ title: null, content: null, format: 'markdown', canonicalUrl: null })
    expect((await acme.put(`${articles}/a`, {})).status).toBe(201)
  })

  test.each(['a', '0', 'A-b_c.d~e', 'x'.repeat(200)])('takes the slug %p', async (slug) => {
    expect((await acme.put(`${articles}/${slug}`, {})).status).toBe(201)
    expect((await acme.get(`${articles}/${slug}`)).body.slug).toBe(slug)
  })

  test.each(['x'.repeat(201), 'a%2Fb', 'a%20b', '%C3%A9', 'a%00', "a'b", 'a%0Ab', 'sitemap.xml'])(
    'finds no article under %p, which no slug can be, and writes none',
    async (slug) => {
      for (const method of ['PUT', 'GET', 'DELETE']) {
        const answer = await app.request(method, `${articles}/${slug}`, {
          key: acme.key,
          ...(method === 'PUT' ? { body: {} } : {}),
        })
        expect([method, answer.status, answer.body?.error]).toEqual([method, 404, 'not_found'])
      }
      expect((await acme.get(articles)).body.items).toEqual([])
    },
  )

  test.each([
    [{ title: 'x'.repeat(256) }, 'title: must be at most 255 characters'],
    [{ title: 5 }, 'title: must be a string'],
    [{ content: [] }, 'content: must be a string'],
    [{ format: 'HTML' }, 'format: must be one of markdown, html, text'],
    [{ canonicalUrl: 'javascript:alert(1)' }, 'canonicalUrl: must be a URL that starts with http:// or https://'],
    [{ canonicalUrl: 'https://' }, 'canonicalUrl: must be a URL'],
    [{ canonicalUrl: ' https://a.test' }, 'canonicalUrl: must be a URL'],
    [{ canonicalUrl: 'https://a.test/\n' }, 'canonicalUrl: must be a URL'],
    [{ canonicalUrl: '/refunds' }, 'canonicalUrl: must be a URL'],
    [{ canonicalUrl: `https://a.test/${'x'.repeat(2048)}` }, 'canonicalUrl: must be at most 2048 characters'],
    [{ slug: 'b' }, 'slug: unknown field'],
    [undefined, 'body: a JSON object is required'],
  ])('refuses %j and writes nothing', async (body, message) => {
    const answer = await acme.put(`${articles}/a`, body)
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(answer.body.message).toStartWith(message)
    expect((await acme.get(articles)).body.items).toEqual([])
  })

  test('content may fill the whole body but not more', async () => {
    const content = 'é'.repeat(500_000)
    expect((await acme.put(`${articles}/long`, { content })).status).toBe(201)
    expect((await acme.get(`${articles}/long`)).body.content).toBe(content)
    expect((await acme.put(`${articles}/longer`, { content: 'x'.repeat(1024 * 1024) })).status).toBe(413)
  })

  test('in a source that is not there is a 404, after the 400 of a bad body', async () => {
    const nowhere = '/v1/livechat/sources/019ca8b6-0000-7000-8000-000000000000/articles'
    for (const place of [theirs, nowhere, '/v1/livechat/sources/x/articles']) {
      const answer = await acme.put(`${place}/a`, {})
      expect([answer.status, answer.body.message]).toEqual([404, 'source not found'])
      expect((await acme.put(`${place}/a`, { format: 'pdf' })).status).toBe(400)
    }
    expect((await other.get(theirs)).body.items).toEqual([])
  })
})

describe('reading, listing and deleting articles', () => {
  test('a list leaves the content out', async () => {
    const { body } = await acme.put(`${articles}/refunds`, refunds)
    const { content: _, ...summary } = body
    expect((await acme.get(articles)).body).toEqual({ items: [summary], nextCursor: null })
    expect((await acme.get(`${articles}?query=refunds`)).body).toEqual({ items: [summary], nextCursor: null })
  })

  test('deletes once', async () => {
    await acme.put(`${articles}/a`, refunds)
    const gone = await acme.delete(`${articles}/a`)
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect((await acme.delete(`${articles}/a`)).status).toBe(404)
    expect((await acme.get(`${articles}/a`)).status).toBe(404)
    expect((await acme.get(`${articles}?query=refunds`)).body.items).toEqual([])
  })

  test("another tenant's article is not found and stays", async () => {
    await other.put(`${theirs}/secret`, refunds)
    for (const answer of [await acme.get(`${theirs}/secret`), await acme.delete(`${theirs}/secret`)]) {
      expect([answer.status, answer.body.message]).toEqual([404, 'article not found'])
    }
    for (const path of [theirs, `${theirs}?query=refunds`]) expect((await acme.get(path)).status).toBe(404)
    expect((await other.get(`${theirs}/secret`)).status).toBe(200)
  })

  test('reading needs tickets:read, writing tickets:write', async () => {
    const reader = (await acme.createKey(['tickets:read'])).key
    const author = (await acme.createKey(['tickets:write'])).key
    const statuses = async (key: string) => [
      (await app.request('GET', '/v1/livechat/sources', { key })).status,
      (await app.request('GET', articles, { key })).status,
      (await app.request('PUT', `${articles}/a`, { key, body: {} })).status,
      (await app.request('GET', `${articles}/a`, { key })).status,
      (await app.request('DELETE', `${articles}/a`, { key })).status,
    ]
    expect(await statuses(reader)).toEqual([200, 200, 403, 404, 403])
    expect(await statuses(author)).toEqual([403, 403, 201, 403, 204])
  })
})

describe('listing sources', () => {
  test('shows all of the tenant, newest first', async () => {
    const tenant = await app.createTenant()
    const first = await createTestSource(tenant, 'First')
    const second = await createTestSource(tenant, 'Second')
    expect((await tenant.get('/v1/livechat/sources')).body).toEqual({ items: [second, first], nextCursor: null })
    expect(first).toEqual({
      id: expect.any(String),
      name: 'First',
      inboxId: expect.any(String),
      createdAt: expect.any(String),
    })
  })
})
