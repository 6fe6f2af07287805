import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const DAY = 24 * 60 * 60 * 1000

let app: TestApp
let acme: TestTenant
let agent: ConsoleBrowser
let sourceId: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  sourceId = (await createTestSource(acme)).id
})
afterAll(() => app.close())

async function upload(content: BlobPart, browser = agent, source = sourceId) {
  const body = new FormData()
  // What the sender calls it says nothing.
  body.append('file', new File([content], 'a.svg', { type: 'image/svg+xml' }))
  const headers = { 'x-csrf-token': await browser.csrf() }
  return browser.request('POST', `/console/articles/${source}/images`, body, headers)
}
const put = (slug: string, content: string) =>
  acme.put(`/v1/livechat/sources/${sourceId}/articles/${slug}`, { title: slug, content })
const statusOf = async (path: string) => (await app.request('GET', path)).status

test('a picture is served as what it holds, for ever, and shown by the article that names it', async () => {
  const { status, body } = await upload(PNG)
  expect([status, body]).toEqual([
    200,
    { path: expect.stringMatching(new RegExp(`^/help/${sourceId}/images/[0-9a-f-]{36}$`)) },
  ])
  const answer = await app.request('GET', body.path)
  expect(answer.status).toBe(200)
  const headers = ['content-type', 'x-content-type-options', 'cache-control', 'content-security-policy']
  expect(headers.map((name) => answer.headers.get(name))).toEqual([
    'image/png',
    'nosniff',
    'public, max-age=31536000, immutable',
    "default-src 'none'; sandbox",
  ])
  await put('card', `![A "card"](${body.path})`)
  const page = await app.request('GET', `/help/${sourceId}/card`)
  expect(page.text).toContain(`<img src="${body.path}" alt="A &quot;card&quot;" />`)
  const content = (await acme.get(`/v1/livechat/sources/${sourceId}/articles/card`)).body.content
  expect(content).toBe(`![A "card"](${body.path})`)
})

test('what is no picture, too much or another tenant’s is refused, and nothing of it is kept', async () => {
  const other = await app.createTenant()
  const foreign = (await createTestSource(other)).id
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  for (const content of [svg, '<html>', '%PDF-1.4 ', 'BM'])
    expect([content, (await upload(content)).status]).toEqual([content, 400])
  const large = await upload(Buffer.concat([PNG, Buffer.alloc(10 * 1024 * 1024)]))
  expect([large.status, large.body.error]).toEqual([413, 'invalid_request'])
  expect((await upload(PNG, agent, foreign)).status).toBe(404)
  const { path } = (await upload(PNG)).body
  const id = path.split('/').at(-1)
  for (const wrong of [`/help/${foreign}/images/${id}`, `/help/${sourceId}/images/${crypto.randomUUID()}`])
    expect([wrong, await statusOf(wrong)]).toEqual([wrong, 404])
  expect(await statusOf(`/help/${sourceId}/images/..%2f..%2fx`)).toBe(404)
})

test('a picture goes 30 days after nothing names it, drafts included, and its file into the trash', async () => {
  const [kept, drafted, gone] = [await upload(PNG), await upload(PNG), await upload(PNG)].map(({ body }) => body.path)
  await put('keeps', `![](${kept})`)
  await put('lets-go', `![](${gone})`)
  const draft = Bun.randomUUIDv7()
  const writing = { title: 'D', content: `![](${drafted})`, format: 'markdown', slug: '', canonicalUrl: '' }
  const headers = { 'content-type': 'application/json', 'x-csrf-token': await agent.csrf() }
  const body = JSON.stringify({ ...writing, article: '', draft, revision: 0, writer: 'a' })
  expect((await agent.request('POST', `/console/articles/${sourceId}/keep`, body, headers)).status).toBe(200)
  app.clock.advance(40 * DAY)
  await app.runDue()
  expect(await Promise.all([kept, drafted, gone].map(statusOf))).toEqual([200, 200, 200])
  await put('lets-go', 'Nothing.')
  app.clock.advance(29 * DAY)
  await app.runDue()
  expect(await statusOf(gone)).toBe(200)
  app.clock.advance(2 * DAY)
  await app.runDue()
  expect(await Promise.all([kept, drafted, gone].map(statusOf))).toEqual([200, 200, 404])
  const again = await signedIn(app, acme, 'agent')
  await again.post(`/console/articles/${sourceId}/drafts/${draft}/discard`)
  await acme.delete(`/v1/livechat/sources/${sourceId}/articles/keeps`)
  app.clock.advance(31 * DAY)
  await app.runDue()
  expect(await Promise.all([kept, drafted].map(statusOf))).toEqual([404, 404])
})
