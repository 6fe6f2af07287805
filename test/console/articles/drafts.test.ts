import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createTestSource } from '../../support/chat/articles.ts'
import { type ConsoleBrowser, signedIn } from '../../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let agent: ConsoleBrowser
let colleague: ConsoleBrowser
let sourceId: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  colleague = await signedIn(app, acme, 'agent')
  sourceId = (await createTestSource(acme, 'Help of Acme')).id
})
afterAll(() => app.close())

const base = () => `/console/articles/${sourceId}`
const publish = (slug: string, input: object) => acme.put(`/v1/livechat/sources/${sourceId}/articles/${slug}`, input)
const published = async (slug: string) => acme.get(`/v1/livechat/sources/${sourceId}/articles/${slug}`)
const help = async (path = '') => (await app.request('GET', `/help/${sourceId}${path}`)).text

/** What the page's form carries of the draft that it was written from. */
const seenIn = (text: string) =>
  Object.fromEntries(
    ['version', 'revision', 'writer', 'draft', 'article'].flatMap((name) => {
      const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Record<string, string>

/** What the script of a page sends. */
async function keep(browser: ConsoleBrowser, seen: Record<string, string>, fields: object, path = base()) {
  const { version: _, revision, ...rest } = seen
  const body = { article: '', draft: '', slug: '', format: 'markdown', canonicalUrl: '', title: '', content: '' }
  const headers = { 'content-type': 'application/json', 'x-csrf-token': await browser.csrf() }
  const sent = JSON.stringify({ ...body, ...rest, revision: Number(revision), ...fields })
  return browser.request('POST', `${path}/keep`, sent, headers)
}

const fields = (input: object) => ({ slug: '', format: 'markdown', canonicalUrl: '', ...input })

describe('the draft of a new article', () => {
  test('is kept as it is typed, is listed and published, and is no draft then', async () => {
    const seen = seenIn((await agent.get(`${base()}/new`)).text)
    expect((await keep(agent, seen, { title: 'Par', content: 'Fir' })).body).toEqual({ draft: seen.draft, revision: 1 })
    // The page never heard of that, and goes on.
    const typed = { title: 'Parcels', slug: 'par cels', content: ' First.\n', canonicalUrl: 'htt' }
    expect((await keep(agent, seen, typed)).body).toEqual({ draft: seen.draft, revision: 2 })

    const list = await colleague.get(`/console/articles?source=${sourceId}`)
    expect(list.text).toContain(`href="${base()}/drafts/${seen.draft}">Parcels</a>`)
    expect(list.text).toContain('Draft · not published')
    const page = await colleague.get(`${base()}/drafts/${seen.draft}`)
    expect(page.text).toContain('value="par cels"')
    expect(page.text).toContain('>\n First.\n</textarea>')
    expect(page.text).toContain('value="htt"')

    const sent = { ...seenIn(page.text), ...fields({ title: 'Parcels', slug: 'parcels', content: 'First.' }) }
    const answer = await colleague.post(`${base()}/new`, sent)
    expect(answer.headers.get('location')).toBe(`${base()}/edit/parcels`)
    expect((await published('parcels')).body).toMatchObject({ title: 'Parcels', content: 'First.', canonicalUrl: null })
    expect((await agent.get(`${base()}/drafts/${seen.draft}`)).status).toBe(404)
    expect((await agent.get(`/console/articles?source=${sourceId}`)).text).not.toContain('Draft · not published')
    // Whoever still types on it is told, and it does not come back.
    expect((await keep(agent, { ...seen, revision: '2' }, { title: 'Late' })).status).toBe(409)
  })

  test('is saved without scripts, half done too, and discarded', async () => {
    const seen = seenIn((await agent.get(`${base()}/new`)).text)
    const saved = await agent.post(`${base()}/new`, {
      ...seen,
      ...fields({ title: 'Half', content: '' }),
      wants: 'draft',
    })
    expect(saved.headers.get('location')).toBe(`${base()}/drafts/${seen.draft}`)
    expect((await agent.follow(saved)).text).toContain('The draft was saved.')
    const gone = await agent.post(`${base()}/drafts/${seen.draft}/discard`)
    expect((await agent.follow(gone)).text).toContain('The draft was discarded.')
    expect((await agent.get(`${base()}/drafts/${seen.draft}`)).status).toBe(404)
    expect((await agent.post(`${base()}/drafts/${seen.draft}/discard`)).status).toBe(404)
  })

  test('all have a page, of which the list shows the newest', async () => {
    const source = await createTestSource(acme, 'Many')
    const path = `/console/articles/${source.id}`
    for (let index = 0; index < 7; index++) {
      const seen = seenIn((await agent.get(`${path}/new`)).text)
      expect((await keep(agent, seen, { title: `Idea ${index}` }, path)).status).toBe(200)
      app.clock.advance(10)
    }
    const titles = (text: string) => [...text.matchAll(/>(Idea \d)</g)].map(([, title]) => title)
    const list = await agent.get(`/console/articles?source=${source.id}`)
    expect(titles(list.text)).toEqual(['Idea 6', 'Idea 5', 'Idea 4', 'Idea 3', 'Idea 2'])
    expect(list.text).toContain('show=drafts')
    expect(titles((await agent.get(`/console/articles?source=${source.id}&show=drafts`)).text)).toHaveLength(7)
  })
})

describe('the draft beside a published article', () => {
  test('leaves that as it is until it is published', async () => {
    await publish('hours', { title: 'Hours', content: 'Nine to five.' })
    const path = `${base()}/edit/hours`
    const seen = seenIn((await agent.get(path)).text)
    app.clock.advance(1000)
    const content = 'Never on *quokka* days.'
    expect((await keep(agent, seen, { title: 'Hours anew', content })).status).toBe(200)
    expect((await published('hours')).body).toMatchObject({ title: 'Hours', content: 'Nine to five.' })
    expect((await agent.get(`/console/articles?source=${sourceId}`)).text).toMatch(
      />Hours<\/a> <span class="badge warn">Draft · not published</,
    )
    const page = await agent.get(path)
    expect(page.text).toContain('quokka')
    expect(page.text).not.toContain('was changed after this draft')
    const answer = await agent.post(path, { ...seenIn(page.text), ...fields({ title: 'Hours anew', content }) })
    expect((await agent.follow(answer)).text).toContain('Your changes are published.')
    expect((await published('hours')).body).toMatchObject({ title: 'Hours anew', content })
    expect((await agent.get(`/console/articles?source=${sourceId}`)).text).not.toContain('not published')
  })

  test('is seen by nobody outside: not in the help centre, its search and sitemap, the chat or the API', async () => {
    await publish('open', { title: 'Open', content: 'All can read this.' })
    const before = (await published('open')).body
    const draft = seenIn((await agent.get(`${base()}/new`)).text)
    await keep(agent, draft, { title: 'Zyzzyva secret', slug: 'zyzzyva', content: 'zyzzyva' })
    await keep(agent, seenIn((await agent.get(`${base()}/edit/open`)).text), {
      title: 'Open zyzzyva',
      content: 'zyzzyva',
    })
    for (const path of ['', '/open', '/sitemap.xml', '?q=secret', `/${draft.draft}`])
      expect([path, (await help(path)).includes('zyzzyva')]).toEqual([path, false])
    expect((await app.request('GET', `/help/${sourceId}/zyzzyva`)).status).toBe(404)
    const asked = await app.request('POST', `/chat/${sourceId}/ask`, { body: { question: 'What is a zyzzyva?' } })
    expect(asked.body.passages).toEqual([])
    expect((await published('open')).body).toEqual(before)
    const list = await acme.get(`/v1/livechat/sources/${sourceId}/articles`)
    expect(JSON.stringify(list.body)).not.toContain('zyzzyva')
    expect((await acme.get(`/v1/livechat/sources/${sourceId}/articles?query=zyzzyva`)).body.items).toEqual([])
    expect((await published('zyzzyva')).status).toBe(404)
  })

  test('is not written over by a colleague who opened it at the same time, unless they say so', async () => {
    await publish('both', { title: 'Both', content: 'Once.' })
    const path = `${base()}/edit/both`
    const [first, second] = [seenIn((await agent.get(path)).text), seenIn((await colleague.get(path)).text)]
    expect((await keep(agent, first, { title: 'Both', content: 'Mine.' })).status).toBe(200)
    const refused = await keep(colleague, second, { title: 'Both', content: 'Theirs.' })
    expect([refused.status, refused.body.error]).toEqual([409, 'conflict'])
    expect((await agent.get(path)).text).toContain('Mine.</textarea>')
    for (const wants of ['', 'draft']) {
      const sent = { ...second, ...fields({ title: 'Both', content: 'Theirs.' }), wants }
      const again = await colleague.post(path, sent)
      expect([wants, again.status]).toEqual([wants, 409])
      expect(again.text).toContain('Somebody else has changed this draft')
      expect(again.text).toContain('Theirs.</textarea>')
      expect((await published('both')).body.content).toBe('Once.')
    }
    const again = await colleague.post(path, { ...second, ...fields({ title: 'Both', content: 'Theirs.' }) })
    const sent = { ...seenIn(again.text), ...fields({ title: 'Both', content: 'Theirs.' }) }
    expect((await colleague.post(path, sent)).status).toBe(303)
    expect((await published('both')).body.content).toBe('Theirs.')
  })

  test('says where the article was changed under it, goes with it, and is discarded without it', async () => {
    await publish('under', { title: 'Under', content: 'One.' })
    const path = `${base()}/edit/under`
    await keep(agent, seenIn((await agent.get(path)).text), { title: 'Under', content: 'Drafted.' })
    app.clock.advance(1000)
    await publish('under', { title: 'Under', content: 'Two.' })
    expect((await agent.get(path)).text).toContain('was changed after this draft was begun')
    await agent.post(`${path}/discard`)
    expect((await agent.get(path)).text).toContain('Two.</textarea>')
    await keep(agent, seenIn((await agent.get(path)).text), { title: 'Under', content: 'Drafted.' })
    expect((await acme.delete(`/v1/livechat/sources/${sourceId}/articles/under`)).status).toBe(204)
    expect((await agent.get(path)).status).toBe(404)
    await publish('under', { title: 'Under', content: 'Three.' })
    expect((await agent.get(path)).text).toContain('Three.</textarea>')
  })
})

describe('what a page’s script sends', () => {
  test('is refused where it is too much, broken or another tenant’s', async () => {
    const other = await app.createTenant()
    const foreign = (await createTestSource(other)).id
    const seen = seenIn((await agent.get(`${base()}/new`)).text)
    const answers = await Promise.all([
      keep(agent, seen, { content: 'x'.repeat(1024 * 1024 + 1) }),
      keep(agent, seen, { format: 'pdf' }),
      keep(agent, seen, { revision: 'none' }),
      keep(agent, { ...seen, draft: 'mine' }, {}),
      keep(agent, { ...seen, article: 'no-such' }, {}),
      keep(agent, seen, {}, `/console/articles/${foreign}`),
      keep(agent, seen, { more: 1 }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404, 404, 404, 400])
    const headers = { 'content-type': 'application/json', 'x-csrf-token': 'other' }
    expect((await agent.request('POST', `${base()}/keep`, '{}', headers)).status).toBe(403)
    expect((await agent.get(`${base()}/drafts/${seen.draft}`)).status).toBe(404)
  })

  test('is the page that the help centre would show', async () => {
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await agent.csrf() }
    const body = JSON.stringify({ slug: '', title: 'Seen', content: '**All** <script>x</script>', format: 'markdown' })
    const { page } = (await agent.request('POST', `${base()}/preview`, body, headers)).body
    expect(page).toContain('<h1>Seen</h1>')
    expect(page).toContain('<strong>All</strong>')
    expect(page).not.toContain('<script')
    expect(
      (await agent.request('POST', `/console/articles/${crypto.randomUUID()}/preview`, body, headers)).status,
    ).toBe(404)
  })
})
