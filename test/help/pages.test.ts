import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ArticleInput, Source } from '../../src/articles/model.ts'
import { upsertArticle } from '../../src/articles/operations.ts'
import { tenants } from '../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { hostileHtml } from '../support/pages/hostile-html.ts'

const BASE = 'https://desk.acme.test/app'

let app: TestApp
let acme: TestTenant
let source: Source

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_BASE_URL: BASE, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant('Acme & Sons')
  source = await createTestSource(acme)
  await write('refunds', {
    title: 'Refunds & returns',
    content:
      '# Refunds & returns\n\nMoney comes *back* within 30 days. See [shipping](shipping) or [our site](https://acme.test/).\n\n' +
      '# Cancelling\n\n| When | How much |\n| --- | --- |\n| at once | all of it |\n\n1. Write\n2. Wait\n\n![A card](https://acme.test/card.png)',
  })
  await write('shipping', { title: 'Shipping', format: 'html', content: '<h3>Parcels</h3><p>Two <em>days</em>.</p>' })
  await write('hours', { title: null, format: 'text', content: 'Open at <nine>.\n\nClosed on Sundays.' })
  await write('elsewhere', {
    title: 'Elsewhere',
    content: 'Words.',
    canonicalUrl: 'https://help.acme.test/elsewhere?a=1&b=2',
  })
})
afterAll(() => app.close())

const write = (slug: string, input: ArticleInput, into = source, tenant = acme) =>
  tenant.perform((tx, caller) => upsertArticle(tx, caller, into.id, slug, input))
const home = () => `/help/${source.id}`
const read = (path: string, headers: Record<string, string> = {}) => app.request('GET', path, { headers })

describe('an article’s page', () => {
  test('shows Markdown below its title, with links to other articles and none above the second level of headings', async () => {
    const { status, text, headers } = await read(`${home()}/refunds`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(text.match(/<h1[^>]*>.*?<\/h1>/g)).toEqual(['<h1>Refunds &amp; returns</h1>'])
    expect(text).toContain('<h2>Cancelling</h2>')
    expect(text).toContain('<p>Money comes <em>back</em> within 30 days. See <a href="shipping">shipping</a> or ')
    expect(text).toContain('<a href="https://acme.test/" rel="noopener noreferrer nofollow">our site</a>')
    expect(text).toContain('<td>all of it</td>')
    expect(text).toContain('<li>Write</li>')
    expect(text).toContain('<img src="https://acme.test/card.png" alt="A card" />')
  })

  test('tells search engines where it is, what it is about, and in which language', async () => {
    const { text } = await read(`${home()}/refunds`)
    const url = `${BASE}${home()}/refunds`
    expect(text).toContain('<html lang="en" dir="ltr"')
    expect(text).toContain('<title>Refunds &amp; returns · Acme &amp; Sons</title>')
    expect(text).toContain(`<link rel="canonical" href="${url}">`)
    expect(text).toContain(
      '<meta name="description" content="Money comes back within 30 days. See shipping or our site.">',
    )
    expect(text).toContain('<meta property="og:title" content="Refunds &amp; returns">')
    expect(text).toContain(`<meta property="og:url" content="${url}">`)
    expect(text).not.toContain('name="robots"')
    expect(text).toContain('<nav class="path" aria-label="You are here">')
  })

  test('points to where the article is published first', async () => {
    const { text } = await read(`${home()}/elsewhere`)
    expect(text).toContain('<link rel="canonical" href="https://help.acme.test/elsewhere?a=1&amp;b=2">')
  })

  test('shows HTML and plain text as they are meant', async () => {
    expect((await read(`${home()}/shipping`)).text).toContain('<h3>Parcels</h3><p>Two <em>days</em>.</p>')
    const { text } = await read(`${home()}/hours`)
    expect(text).toContain('<p>Open at &lt;nine&gt;.</p><p>Closed on Sundays.</p>')
    expect(text).toContain('<h1>hours</h1>')
  })

  test('runs nothing and loads nothing but its style sheet and pictures', async () => {
    const { text, headers } = await read(`${home()}/refunds`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')?.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'self'",
      "img-src 'self' https: data:",
      "style-src 'self'",
    ])
    expect(text).not.toMatch(/<script|<style|style=/)
    const address = /<link rel="stylesheet" href="\/app([^"]+)"/.exec(text)?.[1] ?? ''
    const style = await read(address)
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
  })

  test('is not sent again to who has it, until it is written again', async () => {
    await write('etag', { title: 'Tag', content: 'One.' })
    const first = await read(`${home()}/etag`)
    const etag = first.headers.get('etag') as string
    const again = await read(`${home()}/etag`, { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    await write('etag', { title: 'Tag', content: 'Two.' })
    const changed = await read(`${home()}/etag`, { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(changed.text).toContain('<p>Two.</p>')
  })

  test('runs nothing of hostile HTML and Markdown', async () => {
    for (const format of ['html', 'markdown'] as const) {
      for (const [index, hostile] of hostileHtml.entries()) {
        await write(`hostile-${index}`, { title: hostile.slice(0, 255), content: hostile, format })
        const { text, status } = await read(`${home()}/hostile-${index}`)
        expect(status).toBe(200)
        const own = text.replaceAll(/<link rel="stylesheet"[^>]*>|<form class="search"[\s\S]*?<\/form>/g, '')
        expect(own).not.toMatch(/<(script|style|iframe|object|embed|svg|math|base|form|input|button|textarea)\b/i)
        expect(own).not.toMatch(/<[a-z][^>"]*(?:"[^"]*"[^>"]*)*\son\w+=/i)
        expect(own).not.toMatch(/(?:href|src)="\s*(?:javascript|vbscript|data:(?!image\/(?:png|jpeg|gif|webp);))/i)
        expect((await read(`${home()}?q=alert`)).text).not.toMatch(/<(script|style|iframe|svg)\b/i)
        await acme.delete(`/v1/livechat/sources/${source.id}/articles/hostile-${index}`)
      }
    }
    for (const link of [
      '[a](javascript:alert(1))',
      '[a](<java\nscript:x>)',
      '![a](data:text/html,x)',
      '<a href="//evil">a</a>',
    ]) {
      await write('link', { title: 'Link', content: link })
      const { text } = await read(`${home()}/link`)
      expect(/<div class="prose">([\s\S]*?)<\/div>/.exec(text)?.[1]).not.toMatch(/javascript:|data:|\/\/evil/i)
    }
    await acme.delete(`/v1/livechat/sources/${source.id}/articles/link`)
  })

  test('of 1 MiB is shown, and others are answered meanwhile', async () => {
    const paragraph = 'Some **bold** words and a [link](https://acme.test/), and more to read.\n\n'
    await write('long', { title: 'Long', content: paragraph.repeat(Math.floor((1024 * 1024) / paragraph.length)) })
    let isOver = false
    const long = read(`${home()}/long`).finally(() => {
      isOver = true
    })
    let answered = 0
    while (!isOver) {
      expect((await read('/healthz')).status).toBe(200)
      answered += 1
    }
    expect(answered).toBeGreaterThan(2)
    const { status, text } = await long
    expect(status).toBe(200)
    expect(text.match(/<strong>bold<\/strong>/g)?.length).toBeGreaterThan(10_000)
    await acme.delete(`/v1/livechat/sources/${source.id}/articles/long`)
  })

  test('of what no renderer survives is shown as the text it is', async () => {
    await write('deep', { title: 'Deep', content: '>'.repeat(100_000) })
    const { status, text } = await read(`${home()}/deep`)
    expect(status).toBe(200)
    expect(text).toContain('&gt;&gt;&gt;')
    expect((await read(`${home()}/refunds`)).status).toBe(200)
    await acme.delete(`/v1/livechat/sources/${source.id}/articles/deep`)
  })
})

describe('the list', () => {
  test('has every article with its first sentences, newest first, page by page', async () => {
    const many = await createTestSource(acme, 'Many')
    for (let i = 0; i < 55; i += 1)
      await write(`a-${i}`, { title: `Title ${i}`, content: `# Title ${i}\n\nText ${i}.` }, many)
    const first = await read(`/help/${many.id}`)
    const titlesIn = (text: string) =>
      [...text.matchAll(/<h3><a href="[^"]+">([^<]+)<\/a><\/h3>/g)].map(([, title]) => title)
    expect(titlesIn(first.text)).toEqual(Array.from({ length: 50 }, (_, i) => `Title ${54 - i}`))
    expect(first.text).toContain('<p>Text 54.</p>')
    expect(first.text).not.toContain('name="robots"')
    const next = /<a class="secondary" href="(\?cursor=[^"]+)"/.exec(first.text)?.[1] ?? ''
    const second = await read(`/help/${many.id}${next}`)
    expect(titlesIn(second.text)).toEqual(['Title 4', 'Title 3', 'Title 2', 'Title 1', 'Title 0'])
    expect(second.text).toContain('<meta name="robots" content="noindex, follow">')
    expect(second.text).not.toContain('class="secondary"')
    const lost = await read(`/help/${many.id}?cursor=of-another-list`)
    expect([lost.status, lost.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(lost.text).toContain('<title>This page is not there')
  })

  test('of nothing says so', async () => {
    const none = await createTestSource(acme, 'None')
    expect((await read(`/help/${none.id}`)).text).toContain('There is nothing here yet. Please come back soon.')
  })

  test('is the same for capitals in the id', async () => {
    expect((await read(`/help/${source.id.toUpperCase()}`)).status).toBe(200)
  })
})

describe('a search', () => {
  test('shows what was found with the words marked, by a form that needs no script', async () => {
    const page = await read(home())
    expect(page.text).toContain(
      `<form class="search" role="search" action="/app${home()}"><input class="text" type="search" name="q"`,
    )
    const { status, text, headers } = await read(`${home()}?q=When+does+money+come%3F`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(text).toContain('<h1 class="asked">1 article about “When does money come?”</h1>')
    expect(text).toContain('<p><mark>Money</mark> comes back within 30 days. See shipping or our site.</p>')
    expect(text).toContain('value="When does money come?"')
    expect(text).toContain('<meta name="robots" content="noindex">')
  })

  test('that finds nothing is kind, and shows the newest articles', async () => {
    const { status, text } = await read(`${home()}?q=zebra`)
    expect(status).toBe(200)
    expect(text).toContain('Nothing found about “zebra”')
    expect(text).toContain('>Shipping</a>')
  })

  test('escapes what is searched for, and cuts what is too long', async () => {
    const { text } = await read(`${home()}?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(text).not.toContain('<script')
    expect((await read(`${home()}?q=${'x'.repeat(5000)}`)).status).toBe(200)
    expect((await read(`${home()}?q=`)).text).toContain('How can we help?')
  })
})

describe('what is not there', () => {
  test.each(['/nothing', '/%3Cscript%3E', '/a%00b'])(
    '%s of a source is a page in its language with the search box',
    async (path) => {
      const { status, text, headers } = await read(home() + path)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(text).toContain('This page is not there')
      expect(text).toContain('class="search"')
    },
  )

  test('of no source is one in the reader’s', async () => {
    const { status, text } = await read(`/help/${Bun.randomUUIDv7()}`, { 'accept-language': 'de' })
    expect(status).toBe(404)
    expect(text).toContain('Diese Seite gibt es nicht')
    expect(text).not.toContain('class="search"')
    expect((await read('/help/x')).status).toBe(404)
  })

  test('is another source’s article', async () => {
    const other = await createTestSource(await app.createTenant('Globex'))
    expect((await read(`/help/${other.id}/refunds`)).status).toBe(404)
    expect((await read(`/help/${other.id}?q=money`)).text).toContain('Nothing found')
  })
})

test('the sitemap lists the pages by their whole addresses, without what is published elsewhere', async () => {
  const { status, text, headers } = await read(`${home()}/sitemap.xml`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/xml; charset=utf-8'])
  const locations = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, location]) => location as string)
  expect(locations.slice(0, 4)).toEqual([
    `${BASE}${home()}`,
    ...['refunds', 'shipping', 'hours'].map((slug) => `${BASE}${home()}/${slug}`),
  ])
  expect(text).not.toContain('elsewhere')
  await write('new', { title: 'New', content: 'New.' })
  expect((await read(`${home()}/sitemap.xml`)).text).toContain(`${BASE}${home()}/new</loc><lastmod>2026-`)
})

test('a help centre speaks its tenant’s language, from right to left where that is so', async () => {
  const globex = await app.createTenant('Globex')
  const theirs = await createTestSource(globex)
  await write('a', { title: 'العنوان', content: 'نص' }, theirs, globex)
  for (const [language, direction, words] of [
    ['ar', 'rtl', 'كيف يمكننا مساعدتك؟'],
    ['de-AT', 'ltr', 'Wie können wir helfen?'],
    ['fi', 'ltr', 'How can we help?'],
  ] as const) {
    await globex.perform(async (tx) => {
      await tx.update(tenants).set({ language }).where(eq(tenants.id, globex.tenantId))
    })
    const { text } = await read(`/help/${theirs.id}`)
    expect(text).toContain(`<html lang="${language}" dir="${direction}"`)
    expect(text).toContain(words)
  }
})

test('readers are counted by address', async () => {
  const small = await startApp()
  try {
    const { id } = await createTestSource(await small.createTenant())
    const statuses = new Set<number>()
    for (let i = 0; i < 300; i += 1) statuses.add((await small.request('GET', `/help/${id}`)).status)
    expect([...statuses]).toEqual([200])
    expect((await small.request('GET', `/help/${id}/sitemap.xml`)).status).toBe(429)
    expect((await small.request('GET', '/help/assets/help.css')).status).toBe(200)
  } finally {
    await small.close()
  }
})
