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
  for (const slug of ['parcels', 'refunds', 'hours'])
    await acme.put(`/v1/livechat/sources/${sourceId}/articles/${slug}`, { title: slug, content: `About ${slug}.` })
})
afterAll(() => app.close())

const base = () => `/console/articles/${sourceId}`
const list = async (query = '') => (await agent.get(`/console/articles?source=${sourceId}${query}`)).text
const german = (slug: string) => `${base()}/edit/${slug}/in/de`
const help = async (path: string) => (await app.request('GET', `/help/${sourceId}${path}`)).text

/** What the page of an article was written from. */
async function seen(path: string): Promise<Record<string, string>> {
  const { text } = await agent.get(path)
  const hidden = text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
  return Object.fromEntries([...hidden].map(([, name, value]) => [name as string, value as string]))
}
const send = async (path: string, fields: Record<string, string>, from?: Record<string, string>) =>
  agent.post(path, { ...(from ?? (await seen(path))), format: 'markdown', canonicalUrl: '', ...fields })
const call = async (path: string, body: object) =>
  agent.request('POST', path, JSON.stringify(body), {
    'content-type': 'application/json',
    'x-csrf-token': await agent.csrf(),
  })
const states = (text: string) => [...text.matchAll(/class="tongue \w+"[^>]*title="([^"]+)"/g)].map(([, said]) => said)

test('nothing speaks of languages until there are some', async () => {
  expect(await list()).not.toContain('tongue')
  expect((await agent.get(`${base()}/edit/parcels`)).text).not.toContain('/in/de')
  expect((await agent.get(german('parcels'))).status).toBe(404)
  const kept = await send(german('parcels'), { title: 'A', content: 'B' }, { article: 'parcels', version: '' })
  expect(kept.status).toBe(404)
})

test('languages are chosen, and what is not translated is counted, listed and found', async () => {
  const path = `${base()}/languages`
  expect((await agent.get(path)).text).toContain('<option value="en" selected>')
  expect((await agent.post(path, { language: 'xx-nonsense-', languages: ['de'] })).status).toBe(400)
  expect((await agent.post(path, { language: 'en', languages: ['klingon'] })).status).toBe(400)
  expect(await list()).not.toContain('tongue')
  expect((await agent.post(path, { language: 'en', languages: ['de', 'ar', 'en'] })).status).toBe(303)
  const text = await list()
  expect(text).toContain('<strong>German</strong> 0 of 3 translated')
  expect(states(text).slice(0, 2)).toEqual(['German: missing', 'Arabic: missing'])
  expect(text).not.toContain('English: ')
  expect((await list('&missing=de')).match(/\/in\/de">\w+<\/a>/g)).toEqual([
    '/in/de">hours</a>',
    '/in/de">refunds</a>',
    '/in/de">parcels</a>',
  ])
})

test('a translation is drafted, published beside its original, and out of date once that says something else', async () => {
  const path = german('parcels')
  expect((await agent.get(path)).text).toContain('About parcels.')
  expect((await agent.get(path)).text).toMatch(/<textarea[^>]*lang="de" dir="ltr"[^>]*>\n<\/textarea>/)
  expect((await agent.get(`${path}?begin`)).text).toMatch(/<textarea[^>]*>\nAbout parcels\.<\/textarea>/)

  expect((await send(path, { wants: 'draft', title: 'Pakete', content: 'Noch' })).status).toBe(303)
  expect((await agent.get(path)).text).toContain('value="Pakete"')
  expect(states(await list())).toContain('German: draft')
  expect(await list('&show=drafts')).toContain(`${german('parcels')}">Pakete</a> <small>German</small>`)
  // Nobody else sees it, and the article has no draft by it.
  expect(await help('/de/parcels')).toContain('class="notice"')
  expect((await agent.get(`${base()}/edit/parcels`)).text).not.toContain('value="Pakete"')

  expect((await send(path, { title: '', content: 'Text' })).status).toBe(400)
  expect((await send(path, { title: 'Pakete', content: 'Zwei Tage.' })).status).toBe(303)
  expect(await help('/de/parcels')).toContain('Zwei Tage.')
  expect(await list()).toContain('<strong>German</strong> 1 of 3 translated')
  expect(await list('&show=drafts')).not.toContain('Pakete')
  expect(await list('&missing=de')).not.toContain('parcels</a>')

  const put = (content: string) =>
    acme.put(`/v1/livechat/sources/${sourceId}/articles/parcels`, { title: 'parcels', content })
  await put('About parcels.')
  expect(states(await list())).toContain('German: published')
  await put('Three days.')
  expect(states(await list())).toContain('German: original changed')
  expect((await agent.get(path)).text).toContain('Publish it again once it’s right.')
  await send(path, { title: 'Pakete', content: 'Drei Tage.' })
  expect(states(await list())).toContain('German: published')
})

test('translations are found by what they say, in the list and by the palette', async () => {
  const found = await list('&q=pakete')
  expect(found).toContain('No article contains all of these words.')
  expect(found).toContain(`${german('parcels')}">Pakete</a>`)
  expect(await list('&q=parcels')).not.toContain('Pakete')
  const palette = (await agent.get('/console/find?q=pakete')).text
  expect(palette).toContain(`href="${german('parcels')}"`)
  expect(palette).toContain('German')
  const other = await signedIn(app, await app.createTenant(), 'agent')
  expect((await other.get('/console/find?q=pakete')).text).not.toContain('Pakete')
})

test('whoever publishes a translation that another has changed is told, and loses nothing', async () => {
  const path = german('refunds')
  const before = await seen(path)
  await send(path, { title: 'Erstattung', content: 'Eins.' })
  const { status, text } = await send(path, { title: 'Erstattung', content: 'Zwei.' }, before)
  expect(status).toBe(400)
  expect(text).toContain('Somebody else has changed this article')
  expect(text).toContain('Zwei.')
  expect(await help('/de/refunds')).toContain('Eins.')
})

test('the preview and what is typed are those of the language', async () => {
  const body = { slug: 'refunds', language: 'ar', title: 'استرداد', content: 'نعم', format: 'markdown' }
  const { page } = (await call(`${base()}/preview`, body)).body
  expect(page).toContain('<html lang="ar" dir="rtl"')
  const kept = { article: 'refunds', language: 'ar', revision: 0, writer: crypto.randomUUID(), format: 'markdown' }
  const answer = await call(`${base()}/keep`, { ...kept, title: 'استرداد', content: 'نعم' })
  expect([answer.status, answer.body.revision]).toEqual([200, 1])
  expect(states(await list())).toContain('Arabic: draft')
  expect((await call(`${base()}/keep`, { ...kept, language: 'fr', title: 'A' })).status).toBe(404)
  expect((await agent.post(`${base()}/edit/refunds/in/ar/discard`, {})).status).toBe(303)
  expect(states(await list())).not.toContain('Arabic: draft')
})

test('a translation is deleted by itself, which the audit log tells by its language', async () => {
  expect((await agent.post(`${german('parcels')}/delete`, {})).status).toBe(303)
  expect((await agent.post(`${german('parcels')}/delete`, {})).status).toBe(404)
  expect(await help('/parcels')).toContain('Three days.')
  const admin = await signedIn(app, acme, 'admin')
  await app.runDue()
  const { text } = await admin.get('/console/audit')
  expect(text).toMatch(/translation deleted[\s\S]{0,80}German/)
  expect(text).toMatch(/translation published[\s\S]{0,80}German/)
})

test('categories are named in each language', async () => {
  await agent.post(`${base()}/categories`, { name: 'Money' })
  const path = `${base()}/categories`
  const id = /data-articles="[^"]*\/([0-9a-f-]{36})\/articles"/.exec((await agent.get(path)).text)?.[1]
  expect((await agent.get(path)).text).toContain('No name yet: German, Arabic')
  await agent.post(`${path}/${id}`, { newName: 'Money', 'newName-de': 'Geld', 'newName-ar': '' })
  const { text } = await agent.get(path)
  expect(text).toContain('No name yet: Arabic')
  expect(text).toContain('value="Geld"')
  const refused = await agent.post(`${path}/${id}`, {
    newName: 'Money',
    'newName-de': 'x'.repeat(81),
    'newName-ar': '',
  })
  expect([refused.status, refused.text.includes('x'.repeat(81))]).toEqual([400, true])
})

test('other tenants’ articles have no languages to be found', async () => {
  const other = await signedIn(app, await app.createTenant(), 'agent')
  for (const path of [`${base()}/languages`, german('refunds')]) expect((await other.get(path)).status).toBe(404)
  expect((await other.post(`${base()}/languages`, { language: 'de', languages: [] })).status).toBe(404)
  expect((await other.post(`${german('refunds')}/delete`, {})).status).toBe(404)
  expect(await help('/de/refunds')).toContain('Eins.')
})
