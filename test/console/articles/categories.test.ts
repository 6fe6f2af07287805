import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'

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

const base = () => `/console/articles/${sourceId}/categories`
const put = (slug: string, title: string) =>
  acme.put(`/v1/livechat/sources/${sourceId}/articles/${slug}`, { title, content: `About ${title}.` })
const choose = (slug: string, category: string) =>
  agent.post(`/console/articles/${sourceId}/edit/${slug}/category`, { category })
const help = async (query = '') => (await app.request('GET', `/help/${sourceId}${query}`)).text

/** The categories of the console's page, by name. */
async function ids(): Promise<Record<string, string>> {
  const { text } = await agent.get(base())
  const found = text.matchAll(/data-articles="[^"]*\/([0-9a-f-]{36})\/articles"[\s\S]*?<h2>([^<]*)</g)
  return Object.fromEntries([...found].map(([, id, name]) => [name, id]))
}
const headings = (text: string) => [...text.matchAll(/<h[23][^>]*>(?:<a[^>]*>)?([^<]+)</g)].map(([, words]) => words)

test('the help centre shows categories with articles in their order, those without none, and what has none last', async () => {
  for (const [slug, title] of [
    ['a', 'Apples'],
    ['b', 'Pears'],
    ['c', 'Bread'],
    ['d', 'Loose'],
  ])
    await put(slug as string, title as string)
  expect(headings(await help())).toEqual(['Articles', 'Loose', 'Bread', 'Pears', 'Apples'])
  for (const name of ['Fruit', 'Bakery', 'Empty']) expect((await agent.post(base(), { name })).status).toBe(303)
  // Nothing is in them yet.
  expect(headings(await help())).toEqual(['Articles', 'Loose', 'Bread', 'Pears', 'Apples'])
  const known = await ids()
  expect(Object.keys(known)).toEqual(['Fruit', 'Bakery', 'Empty'])
  for (const [slug, name] of [
    ['a', 'Fruit'],
    ['b', 'Fruit'],
    ['c', 'Bakery'],
  ])
    await choose(slug as string, known[name as string] as string)
  expect(headings(await help())).toEqual(['Fruit', 'Apples', 'Pears', 'Bakery', 'Bread', 'More articles', 'Loose'])
  expect((await agent.get(`/console/articles/${sourceId}/edit/a`)).text).toContain(
    `<option value="${known.Fruit}" selected>`,
  )

  await agent.post(`${base()}/${known.Fruit}/articles`, { article: 'b', to: '0' })
  await agent.post(`${base()}/${known.Bakery}/move`, { to: '0' })
  expect(headings(await help())).toEqual(['Bakery', 'Bread', 'Fruit', 'Pears', 'Apples', 'More articles', 'Loose'])
  // Drawn into another one.
  await agent.post(`${base()}/${known.Bakery}/articles`, { article: 'a', to: '0' })
  expect(headings(await help())).toEqual(['Bakery', 'Apples', 'Bread', 'Fruit', 'Pears', 'More articles', 'Loose'])
  expect(headings(await help(`?category=${known.Bakery}`))).toEqual(['Apples', 'Bread'])
  expect((await app.request('GET', `/help/${sourceId}?category=${known.Empty}`)).status).toBe(404)
  expect(headings(await help('?all'))).toEqual(['Articles', 'Loose', 'Bread', 'Pears', 'Apples'])

  await agent.post(`${base()}/${known.Fruit}`, { newName: 'Fruit & <veg>' })
  expect(await help()).toContain('Fruit &amp; &lt;veg&gt;')
  await agent.post(`${base()}/${known.Bakery}/delete`)
  await choose('b', '')
  expect(headings(await help())).toEqual(['Articles', 'Loose', 'Bread', 'Pears', 'Apples'])
  // The API's article says nothing of it.
  expect(Object.keys((await acme.get(`/v1/livechat/sources/${sourceId}/articles/a`)).body)).not.toContain('category')
})

test('an article that goes, or is written again, leaves its category so', async () => {
  await agent.post(base(), { name: 'Stays' })
  const { Stays } = await ids()
  await put('e', 'Eggs')
  await choose('e', Stays as string)
  await put('e', 'Eggs again')
  expect(headings(await help(`?category=${Stays}`))).toEqual(['Eggs again'])
  expect((await acme.delete(`/v1/livechat/sources/${sourceId}/articles/e`)).status).toBe(204)
  expect((await app.request('GET', `/help/${sourceId}?category=${Stays}`)).status).toBe(404)
})

test('what is no name, no category or another source’s is refused', async () => {
  const other = (await createTestSource(acme, 'Other')).id
  await agent.post(base(), { name: 'Here' })
  const { Here } = await ids()
  for (const name of ['', '  ', 'x'.repeat(81)]) {
    const { status, text } = await agent.post(base(), { name })
    expect([name, status]).toEqual([name, 400])
    expect(text).toContain('id="field-name-error"')
  }
  await put('f', 'Figs')
  expect((await choose('f', crypto.randomUUID())).status).toBe(404)
  expect((await choose('f', 'mine')).status).toBe(404)
  expect((await choose('no-such', Here as string)).status).toBe(404)
  const foreign = `/console/articles/${other}/categories/${Here}`
  for (const path of ['', '/move', '/delete', '/articles'])
    expect([path, (await agent.post(foreign + path, { newName: 'Mine', article: 'f', to: '0' })).status]).toEqual([
      path,
      404,
    ])
  expect(Object.keys(await ids())).toContain('Here')
})
