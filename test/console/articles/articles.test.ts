import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant
let agent: ConsoleBrowser
let sourceId: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  acme = await app.createTenant()
  other = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  sourceId = (await createTestSource(acme, 'Help of Acme')).id
})
afterAll(() => app.close())

const write = (slug: string, input: object, tenant = acme, source = sourceId) =>
  tenant.put(`/v1/livechat/sources/${source}/articles/${slug}`, input)
const read = async (slug: string) => (await acme.get(`/v1/livechat/sources/${sourceId}/articles/${slug}`)).body
const versionIn = (text: string) => /name="version" value="([^"]*)"/.exec(text)?.[1] as string
/** The document that a preview shows. */
const previewIn = (text: string) =>
  (/srcdoc="([^"]*)"/.exec(text)?.[1] ?? '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')

describe('the list of articles', () => {
  test('says so where there is no source, and where there is no article', async () => {
    const lonely = await app.createTenant()
    const browser = await signedIn(app, lonely, 'agent')
    expect((await browser.get('/console/articles')).text).toContain('there is none yet.')
    const admin = await signedIn(app, lonely, 'admin')
    expect((await admin.get('/console/articles')).text).toContain('href="/console/settings/chats/new"')
    expect((await browser.get('/console/articles')).text).not.toContain('/console/settings')
    await createTestSource(lonely)
    expect((await browser.get('/console/articles')).text).toContain('There are no articles yet.')
  })

  test('is that of one source, in pages, and finds words', async () => {
    const second = await createTestSource(acme, 'Second')
    for (let index = 0; index < 55; index++)
      await write(`page-${index}`, { title: `Numbered ${index}` }, acme, second.id)
    await write('page-parrot', { title: 'The parrot', content: 'Feathers.' }, acme, second.id)
    const titles = (text: string) => [...text.matchAll(/<th scope="row"><a [^>]*>([^<]*)</g)].map(([, title]) => title)
    const first = await agent.get(`/console/articles?source=${second.id}`)
    const next = /rel="next" href="([^"]+)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') as string
    const seen = [...titles(first.text), ...titles((await agent.get(next)).text)]
    expect(seen).toEqual(['The parrot', ...Array.from({ length: 55 }, (_, index) => `Numbered ${54 - index}`)])
    const found = await agent.get(`/console/articles?source=${second.id}&q=feath+parr`)
    expect(titles(found.text)).toEqual(['The parrot'])
    expect((await agent.get(`/console/articles?source=${second.id}&q=nothing`)).text).toContain(
      'No article contains all',
    )
    expect(titles((await agent.get(`/console/articles?source=${sourceId}`)).text)).toEqual([])
    expect((await agent.get(`/console/articles?source=${crypto.randomUUID()}`)).status).toBe(404)
  })
})

describe('an article', () => {
  test('is created with an address made of its title, and published', async () => {
    const answer = await agent.post(`/console/articles/${sourceId}/new`, {
      title: 'Größe & Rückgabe?',
      slug: '',
      format: 'markdown',
      content: 'We take **all** back.',
      canonicalUrl: '',
    })
    expect(answer.headers.get('location')).toBe(`/console/articles/${sourceId}/edit/grosse-ruckgabe`)
    expect((await agent.follow(answer)).text).toContain('The article is published.')
    expect(await read('grosse-ruckgabe')).toMatchObject({
      title: 'Größe & Rückgabe?',
      content: 'We take **all** back.',
      canonicalUrl: null,
    })
    expect((await app.request('GET', `/help/${sourceId}/grosse-ruckgabe`)).text).toContain('<strong>all</strong>')
  })

  test.each([
    [{ title: '', slug: '' }, 'field-title-error', 'An article needs a title.'],
    [{ title: '', slug: 'an-address' }, 'field-title-error', 'An article needs a title.'],
    [{ title: '???', slug: '' }, 'field-slug-error', 'Must be 1 to 200 letters'],
    [{ title: 'T', slug: 'with space' }, 'field-slug-error', 'Must be 1 to 200 letters'],
    [{ title: 'T', slug: '..' }, 'field-slug-error', 'but not . or .. or sitemap.xml'],
    [{ title: 'T', slug: 'taken' }, 'field-slug-error', 'There is an article with this address already.'],
    [{ title: 'T', canonicalUrl: 'javascript:alert(1)' }, 'field-canonicalUrl-error', 'http'],
    [{ title: 'T', format: 'pdf' }, 'problem', ''],
  ])('is refused beside the field, and what was typed stays: %j', async (fields, place, why) => {
    const { body: taken } = await write('taken', { title: 'Taken', content: 'Mine.' })
    const sent = { format: 'markdown', content: 'Typed <b>here</b>', ...fields }
    const { status, text } = await agent.post(`/console/articles/${sourceId}/new`, sent)
    expect(status).toBe(400)
    expect(text).toContain(place)
    expect(text).toContain(why)
    expect(text).toContain('Typed &lt;b&gt;here&lt;/b&gt;')
    expect(await read('taken')).toMatchObject({ title: taken.title, content: 'Mine.' })
  })

  test('needs a title and a content, and its form says so; its address and where it came out first are optional', async () => {
    const { text } = await agent.get(`/console/articles/${sourceId}/new`)
    for (const name of ['title', 'content']) {
      expect(text).toMatch(new RegExp(`<label for="field-${name}">[^<]+</label><(?:input|textarea)[^>]* required`))
    }
    for (const name of ['slug', 'canonicalUrl']) {
      expect(text).toMatch(new RegExp(`<label for="field-${name}">[^<]+ <small>\\(optional\\)</small></label>`))
    }
    // To be looked at it may be half done.
    expect(text).toMatch(/<button[^>]* value="preview" formnovalidate>/)
    const fields = { title: 'Half', slug: 'half', format: 'markdown', content: '', canonicalUrl: '' }
    const refused = await agent.post(`/console/articles/${sourceId}/new`, fields)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('An article needs some content.')])
    expect(refused.text).toContain('id="field-content-error"')
    expect((await acme.get(`/v1/livechat/sources/${sourceId}/articles/half`)).status).toBe(404)
  })

  test('that came over the API without a title stays without; what it has cannot be taken away', async () => {
    await write('bare', { content: 'Only this.' })
    const path = `/console/articles/${sourceId}/edit/bare`
    const { text } = await agent.get(path)
    expect(text).toMatch(/<label for="field-title">[^<]+ <small>\(optional\)<\/small>/)
    const fields = { title: '', format: 'markdown', canonicalUrl: '', version: versionIn(text) }
    const refused = await agent.post(path, { ...fields, content: '' })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('An article needs some content.')])
    expect((await read('bare')).content).toBe('Only this.')
    expect((await agent.post(path, { ...fields, content: 'And that.' })).status).toBe(303)
    expect(await read('bare')).toMatchObject({ title: null, content: 'And that.' })
  })

  test('is changed, but not over what somebody else has written meanwhile', async () => {
    await write('shared', { title: 'Shared', content: 'First.' })
    const path = `/console/articles/${sourceId}/edit/shared`
    const version = versionIn((await agent.get(path)).text)
    const fields = { title: 'Shared', format: 'markdown', content: 'Second.', canonicalUrl: 'https://acme.test/a' }
    app.clock.advance(1000)
    await write('shared', { title: 'Shared', content: 'Between.' })
    const late = await agent.post(path, { ...fields, version })
    expect(late.status).toBe(400)
    expect(late.text).toContain('Somebody else has changed this article')
    expect(late.text).toContain('Second.</textarea>')
    expect((await read('shared')).content).toBe('Between.')
    const saved = await agent.post(path, { ...fields, version: versionIn(late.text) })
    expect((await agent.follow(saved)).text).toContain('Your changes are published.')
    expect(await read('shared')).toMatchObject({ content: 'Second.', canonicalUrl: 'https://acme.test/a' })
  })

  test('is previewed as the help centre shows it, and nothing is saved, nor a later change missed', async () => {
    await write('seen', { title: 'Seen', content: 'Stored.' })
    const path = `/console/articles/${sourceId}/edit/seen`
    const version = versionIn((await agent.get(path)).text)
    app.clock.advance(1000)
    await write('seen', { title: 'Seen', content: 'Later.' })
    const content = '## Part\n\nA **bold** word <script>alert(1)</script> <img src=x onerror=alert(1)>'
    const sent = { title: 'Seen anew', format: 'markdown', content, canonicalUrl: '', version, wants: 'preview' }
    const { status, text, headers } = await agent.post(path, sent)
    expect(status).toBe(200)
    expect(text).toContain('sandbox="allow-same-origin"')
    expect(text).not.toContain('<script>alert')
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data: https:")
    expect(versionIn(text)).toBe(version)
    expect((await read('seen')).content).toBe('Later.')
    await write('seen', { title: 'Seen anew', content })
    const prose = (page: string) => /<div class="prose">([\s\S]*?)<\/div>/.exec(page)?.[1]
    const shown = prose((await app.request('GET', `/help/${sourceId}/seen`)).text)
    expect(shown).toContain('<strong>bold</strong>')
    expect(shown).not.toMatch(/script|onerror/)
    expect(prose(previewIn(text))).toBe(shown)
  })

  test('is deleted', async () => {
    await write('gone', { title: 'Gone' })
    const answer = await agent.post(`/console/articles/${sourceId}/delete/gone`)
    expect((await agent.follow(answer)).text).toContain('The article was deleted.')
    expect((await acme.get(`/v1/livechat/sources/${sourceId}/articles/gone`)).status).toBe(404)
    expect((await agent.get(`/console/articles/${sourceId}/edit/gone`)).status).toBe(404)
  })

  test('of another tenant is not there, on any page or by any form', async () => {
    const foreign = await createTestSource(other)
    await write('theirs', { title: 'Theirs' }, other, foreign.id)
    const base = `/console/articles/${foreign.id}`
    for (const path of [`?source=${foreign.id}`, `/${foreign.id}/new`, `/${foreign.id}/edit/theirs`])
      expect((await agent.get(`/console/articles${path}`)).status).toBe(404)
    for (const wants of ['', 'preview'])
      for (const path of ['/new', '/edit/theirs', '/delete/theirs'])
        expect((await agent.post(base + path, { title: 'Mine', slug: 'mine', wants })).status).toBe(404)
    const { body } = await other.get(`/v1/livechat/sources/${foreign.id}/articles`)
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['Theirs'])
  })
})
