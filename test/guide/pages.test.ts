import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { chapters, frontPage } from '../../src/guide/chapters.ts'
import { allRoutes } from '../support/api/routes.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const addresses = [frontPage, ...chapters].map(({ path }) => path)

/** What a page of the guide links to, loads and can be led to in it. */
function partsOf(text: string) {
  const all = (name: string) => [...text.matchAll(new RegExp(`\\s${name}="([^"]+)"`, 'g'))].map(([, value]) => value)
  return { links: all('href') as string[], pictures: all('src') as string[], ids: all('id') as string[] }
}

async function read(address: string) {
  const answer = await app.request('GET', address)
  return { ...answer, ...partsOf(answer.text) }
}

describe('pages of the guide', () => {
  test.each(addresses)('%s needs no key, runs nothing but its own script, and is not sent twice', async (address) => {
    const { status, headers, text } = await read(address)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect((headers.get('content-security-policy') ?? '').split('; ').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
    ])
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=/)
    expect(text.match(/<script.*/g)).toEqual([
      expect.stringMatching(/^<script src="\/docs\/guide\/guide\.js\?v=\w{12}" defer><\/script>$/),
    ])
    const etag = headers.get('etag') as string
    const again = await app.request('GET', `${address}?from=elsewhere`, { headers: { 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  test.each(addresses)('%s leads to places that are there', async (address) => {
    const { links, pictures, ids, text } = await read(address)
    expect(new Set(ids).size).toBe(ids.length)
    expect(text.match(/<h1 /g)).toHaveLength(1)
    expect(text).not.toMatch(/\.md\b[#"]/)
    for (const link of links.filter((link) => !link.startsWith('https:'))) {
      const [path = '', place] = link.split('#')
      const target = path === '' ? { status: 200, ids } : await read(path)
      expect([link, target.status]).toEqual([link, 200])
      if (place !== undefined) expect([link, target.ids.includes(place)]).toEqual([link, true])
    }
    for (const part of pictures) {
      const { status, headers } = await app.request('GET', part)
      const type = part.includes('.js') ? 'text/javascript; charset=utf-8' : 'image/webp'
      expect([part, status, headers.get('content-type')]).toEqual([part, 200, type])
    }
  })

  test('name the chapter that is shown, its headings, and what comes before and after it', async () => {
    const { text } = await read('/docs/guide/deploying')
    expect(text).toContain('<title>Deploying · Guide · frontdesk</title>')
    expect(text).toContain(
      '<a href="/docs/guide/deploying" aria-current="page">Deploying</a><ul><li><a href="#the-unit">',
    )
    expect(text).toContain('rel="prev" href="/docs/changelog"')
    expect(text).toContain('rel="next" href="/docs/guide/configuring"')
    expect((await read('/docs/guide/client')).text).not.toContain('rel="prev"')
    expect((await read('/docs/guide/contributing')).text).not.toContain('rel="next"')
  })

  test('show code as it is written', async () => {
    const { text } = await read('/docs/guide/forms')
    expect(text).toContain(
      '&lt;script src=&quot;https://desk.example.com/embed.js&quot; data-form=&quot;LAUNCHCODE&quot;&gt;',
    )
  })

  test('name endpoints that there are', async () => {
    const shape = (path: string) => path.replace(/\{\w+\}|:\w+/g, ':').replace(/(?<=.)\/$/, '')
    const known = new Set((await allRoutes(createApp(app.deps))).map(({ method, path }) => `${method} ${shape(path)}`))
    const named = [frontPage, ...chapters].flatMap(({ slug, markdown }) =>
      [...markdown.matchAll(/`(GET|POST|PUT|PATCH|DELETE)\s+(\/[^\s`?]*)/g)].map(
        ([, method, path = '']) => [slug, `${method} ${shape(path)}`] as const,
      ),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(([, endpoint]) => !known.has(endpoint))).toEqual([])
  })

  test('say so kindly where there is no such chapter, and list those there are', async () => {
    const { status, headers, links } = await read('/docs/guide/%3Cb%3Enone')
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    for (const address of addresses) expect(links).toContain(address)
  })

  test('are led to by the documentation, and are no operations of it', async () => {
    const { links } = partsOf((await app.request('GET', '/docs')).text)
    expect(links).toEqual(expect.arrayContaining(['/docs/guide', '/docs/changelog']))
    const { paths } = (await app.request('GET', '/docs/json')).body
    expect(Object.keys(paths).filter((path) => path.startsWith('/docs'))).toEqual([])
  })

  test('under a path of the proxy name that path', async () => {
    const moved = await startApp({ environment: { FRONTDESK_BASE_URL: 'https://acme.test/desk' } })
    for (const address of [...addresses, '/docs/guide/search?q=backup', '/docs/guide/none']) {
      const { text } = await moved.request('GET', address)
      const { links, pictures } = partsOf(text)
      const ours = [...links, ...pictures, /action="([^"]+)"/.exec(text)?.[1] ?? '']
      expect(ours.filter((link) => !/^(#|https:|\/desk\/docs)/.test(link))).toEqual([])
    }
    const empty = await moved.request('GET', '/docs/guide/search?q=')
    expect([empty.status, empty.headers.get('location')]).toEqual([303, '/desk/docs/guide'])
    await moved.close()
  })
})

describe('a search of the guide', () => {
  const search = (question: string) => read(`/docs/guide/search?q=${encodeURIComponent(question)}`)
  const first = async (question: string) =>
    /<ol class="results"><li><h2><a href="([^"]+)"/.exec((await search(question)).text)?.[1]

  test.each([
    ['how do I restore a backup', '/docs/guide/backup-and-upgrade'],
    ['FRONTDESK_SMTP_URL', '/docs/guide/configuring#mail'],
    ['several nodes', '/docs/guide/postgresql#several-nodes'],
    ['verify signature', '/docs/guide/receiving-webhooks#verify-a-signature'],
    ['Stripe', '/docs/guide/forms#payment-with-stripe'],
    ['why each dependency', '/docs/guide/contributing#why-each-dependency-is-there'],
    ['PASSKEYS', '/docs/guide/console#signing-in'],
    ['deprecation sunset', '/docs/changelog#how-something-would-go'],
  ])('for “%s” finds %s first', async (question, address) => {
    expect(await first(question)).toBe(address)
  })

  test('leads to places that are there, with the words marked', async () => {
    const { status, text } = await search('mailbox')
    expect(status).toBe(200)
    expect(text).toMatch(/<mark>mailbox(es)?<\/mark>/i)
    const results = [...text.matchAll(/<li><h2><a href="([^"#]+)(?:#([^"]+))?"/g)]
    expect(results.length).toBeGreaterThan(2)
    for (const [, path = '', place] of results) {
      const { status: there, ids } = await read(path)
      expect([path, there, place === undefined || ids.includes(place)]).toEqual([path, 200, true])
    }
  })

  test('that finds nothing says so and lists the chapters; what was typed is text', async () => {
    const { status, text, links } = await search('<zebra>"')
    expect(status).toBe(200)
    expect(text).toContain('Nothing found for “&lt;zebra&gt;&quot;”')
    expect(text).not.toContain('<zebra>')
    for (const address of addresses) expect(links).toContain(address)
  })

  test.each(['', ' ', '%', '!!!', 'x'.repeat(10_000), '\ud800', '日本語'])('takes anything: %p', async (question) => {
    const { status } = await app.request('GET', `/docs/guide/search?q=${encodeURIComponent(question.toWellFormed())}`)
    expect(status).toBe(question.trim() === '' ? 303 : 200)
  })

  test('counts against what an address may read, and reading chapters does not', async () => {
    const limited = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '1' } })
    const statuses = async (path: string) => {
      const answers = []
      for (let count = 0; count <= 300; count += 1) answers.push((await limited.request('GET', path)).status)
      return [answers.at(299), answers.at(300)]
    }
    expect(await statuses('/docs/guide/deploying')).toEqual([200, 200])
    expect(await statuses('/docs/guide/search?q=mail')).toEqual([200, 429])
    expect((await limited.request('GET', '/docs/guide/search/?q=mail')).status).toBe(429)
    await limited.close()
  })
})
