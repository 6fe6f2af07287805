import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../../../src/app.ts'
import { createDeps } from '../../../src/deps.ts'
import { entityTags } from '../../../src/http/answers/entity-tags.ts'
import { sealerWith } from '../../../src/secrets/seal.ts'
import { documentOf } from '../../support/api/conformance.ts'
import { type Furnished, furnish } from '../../support/api/furnished.ts'
import { apiRoutes, nameOf, pathWith } from '../../support/api/routes.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../support/app.ts'

const app: TestApp = await startApp()
/** Files are read as they are, and have no tag. */
const files = ['/v1/uploads/:uploadId', '/v1/attachments/:attachmentId']
const reads = apiRoutes(app).filter(({ method, path }) => method === 'GET' && !files.includes(path))

let acme: TestTenant
let furnished: Furnished

beforeAll(async () => {
  furnished = await furnish(await app.createTenant())
  acme = furnished.tenant
})
afterAll(() => app.close())

const tagOf = ({ headers }: Answer) => headers.get('etag')
const asking = (path: string, known: string, method = 'GET') =>
  app.request(method, path, { key: acme.key, headers: { 'if-none-match': known } })

describe.each(reads.map((route) => [nameOf(route), route] as const))('%s', (_, route) => {
  test('has a strong tag, and is a 304 for who knows it', async () => {
    const path = pathWith(route.path, furnished.ids)
    const first = await acme.get(path)
    const tag = tagOf(first) as string
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)])
    const again = await asking(path, tag)
    expect([again.status, again.text, tagOf(again), again.headers.get('content-type')]).toEqual([304, '', tag, null])
    expect(again.headers.get('cache-control')).toBe('no-store')
    const other = await asking(path, '"other"')
    expect([other.status, other.text, tagOf(other)]).toEqual([200, first.text, tag])
  })
})

describe('a tag', () => {
  const path = '/v1/contacts'
  const current = async () => tagOf(await acme.get(path)) as string

  test('is compared weakly, alone or in a list, and * stands for any', async () => {
    const tag = await current()
    for (const known of [tag, `W/${tag}`, `"a", ${tag}`, `W/"a",${tag},"b"`, '*', ' * ']) {
      expect([known, (await asking(path, known)).status]).toEqual([known, 304])
    }
    for (const known of ['', '"a"', 'W/"a"', tag.slice(1, -1), `"${tag.slice(2)}`, '"*"', '**']) {
      expect([known, (await asking(path, known)).status]).toEqual([known, 200])
    }
  })

  test('is that of HEAD, too', async () => {
    const tag = await current()
    const head = await asking(path, '"a"', 'HEAD')
    expect([head.status, head.text, tagOf(head)]).toEqual([200, '', tag])
    expect((await asking(path, tag, 'HEAD')).status).toBe(304)
  })

  test('is another one after any change, and the first again where it is undone', async () => {
    const { id } = (await acme.post('/v1/contacts', { email: 'tagged@acme.test', phone: '1' })).body
    const read = `/v1/contacts/${id}`
    const before = tagOf(await acme.get(read)) as string
    await acme.put(read, { phone: '2' })
    const after = await asking(read, before)
    expect([after.status, after.body.phone]).toEqual([200, '2'])
    expect(tagOf(after)).not.toBe(before)
    await acme.put(read, { phone: '1' })
    expect((await asking(read, before)).status).toBe(304)
  })

  test('is the same of another process of the installation, and cannot be computed without its key', async () => {
    const other = createApp(createDeps(app.deps))
    const answer = await other.handle(new Request(`http://localhost${path}`, { headers: { 'x-api-key': acme.key } }))
    const tag = await current()
    expect(answer.headers.get('etag')).toBe(tag)
    const { text } = await acme.get(path)
    expect(tag).not.toBe(`"${Bun.hash.wyhash(text).toString(36)}-${Bun.hash.xxHash3(text).toString(36)}"`)
    const tagBy = (secrets: Parameters<typeof entityTags>[0]) => {
      const headers: Record<string, string> = {}
      entityTags(secrets)({
        request: new Request('http://localhost/'),
        responseValue: JSON.parse(text),
        set: { headers },
      })
      return headers.etag ?? null
    }
    expect(tagBy(app.deps.secrets)).toBe(tag)
    expect(tagBy(sealerWith(new Uint8Array(32)))).toMatch(/^"[\w-]+"$/)
    expect(tagBy(sealerWith(new Uint8Array(32)))).not.toBe(tag)
  })

  test('is no way around scopes, limits and what is there', async () => {
    const { key } = await acme.createKey(['forms:read'])
    const asked = (path: string, key: string | null) =>
      app.request('GET', path, { key, headers: { 'if-none-match': '*' } })
    for (const [answer, status] of [
      [await asked(path, key), 403],
      [await asked(path, null), 401],
      [await asked(`/v1/contacts/${crypto.randomUUID()}`, acme.key), 404],
      [await asked('/v1/contacts?limit=x', acme.key), 400],
    ] as const) {
      expect([answer.status, tagOf(answer)]).toEqual([status, null])
    }
  })

  test('is none of what writes', async () => {
    const made = await app.request('POST', path, {
      key: acme.key,
      body: { email: 'written@acme.test' },
      headers: { 'if-none-match': '*' },
    })
    expect([made.status, tagOf(made)]).toEqual([201, null])
  })

  test('stands in the document where it is answered', async () => {
    const { paths } = await documentOf(app)
    for (const { path } of reads) {
      const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.get
      expect([path, Object.keys(operation?.responses ?? {})]).toEqual([path, expect.arrayContaining(['200', '304'])])
      expect(JSON.stringify(operation?.parameters)).toContain('If-None-Match')
    }
    for (const path of files) {
      expect(Object.keys(paths[path.replace(/:(\w+)/g, '{$1}')]?.get?.responses ?? {})).not.toContain('304')
    }
  })
})
