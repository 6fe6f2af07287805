import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { addContacts, createTestContact } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const asked = (query: string, more = '') => acme.get(`/v1/contacts?query=${encodeURIComponent(query)}${more}`)
const found = async (query: string, more = ''): Promise<string[]> =>
  (await asked(query, more)).body.items.map(({ email }: { email: string }) => email.split('@')[0])

/** All pages of a search: what each holds. */
async function pagesOf(path: string) {
  const pages: { id: string }[][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body } = await acme.get(`${path}${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    pages.push(body.items)
    cursor = body.nextCursor
  }
  return pages
}

describe('a query on contacts', () => {
  test('finds by the beginning of email, first or last name, whatever the case, in that order', async () => {
    await createTestContact(acme, { email: 'c@acme.test', lastName: 'Pagina' })
    await createTestContact(acme, { email: 'b@acme.test', name: 'paula', lastName: 'Pagina' })
    await createTestContact(acme, { email: 'pa@acme.test', name: 'Paula' })
    await createTestContact(acme, { email: 'zpa@acme.test', name: 'Xpa' })
    expect(await found('PA')).toEqual(['pa', 'b', 'c'])
    expect(await found('paula pag')).toEqual(['b'])
    expect(await found('Pagina p')).toEqual(['b'])
    expect(await found('nobody')).toEqual([])
    expect((await asked('pa')).body.items[0]).toEqual((await acme.get('/v1/contacts?email=pa@acme.test')).body.items[0])
  })

  test('goes together with each of the other filters', async () => {
    await createTestContact(acme, { email: 'pa1@acme.test' })
    const { id } = await createTestContact(acme, { email: 'pa2@acme.test' })
    app.clock.advance(1000)
    const since = new Date(app.clock.now()).toISOString()
    await acme.post(`/v1/contacts/${id}/unsubscribe`)
    expect(await found('pa', '&unsubscribed=true')).toEqual(['pa2'])
    expect(await found('pa', '&unsubscribed=false')).toEqual(['pa1'])
    expect(await found('pa', `&updated_since=${since}`)).toEqual(['pa2'])
    expect(await found('pa', '&email=PA1@acme.test')).toEqual(['pa1'])
    expect(await found('x', '&email=pa1@acme.test')).toEqual([])
    expect(await found('pa', '&email=pa1@acme.test&unsubscribed=true')).toEqual([])
  })

  test('pages through all, each once, of the same name too, while others come', async () => {
    for (let i = 0; i < 7; i++) await createTestContact(acme, { email: `${i}@acme.test`, name: i % 2 ? 'Pia' : 'Pina' })
    const pages = await pagesOf('/v1/contacts?query=pi&limit=2')
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 2, 1])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(7)
    const { nextCursor } = (await asked('pi', '&limit=2')).body
    for (const other of ['query=pina', 'query=pi&unsubscribed=false', 'limit=2']) {
      const { status, body } = await acme.get(`/v1/contacts?${other}&cursor=${nextCursor}`)
      expect([status, body]).toEqual([400, problem('invalid_request', 'cursor: is not a cursor of this list')])
    }
  })

  test('looks at no more than a few thousand for one page, and leads on behind them', async () => {
    await addContacts(acme, 9000)
    const last = await createTestContact(acme, { email: 'z@many.test' })
    await acme.post(`/v1/contacts/${last.id}/unsubscribe`)
    const one = (await acme.get('/v1/contacts?limit=1')).body.items[0]
    await acme.post(`/v1/contacts/${one.id}/unsubscribe`)
    expect((await pagesOf('/v1/contacts?query=0&limit=10&unsubscribed=true')).length).toBeGreaterThan(2)
    const all = (await pagesOf('/v1/contacts?query=0&limit=100')).flat()
    expect(new Set(all.map(({ id }) => id)).size).toBe(9000)
  })

  test('finds nobody of another tenant', async () => {
    await createTestContact(await app.createTenant('Other'), { email: 'pa@acme.test', name: 'Paula' })
    expect(await found('pa')).toEqual([])
  })

  test.each(['x'.repeat(321), '', '   ', '\u3000'])('refuses %p', async (text) => {
    const { status, body } = await asked(text)
    expect([status, body.param]).toEqual([400, 'query'])
  })

  test.each([
    '%',
    '_',
    "' OR 1=1 --",
    '"',
    '\\',
    '*',
    '💥',
    '\u{10ffff}',
    'ß',
    'İ',
    ' a '.repeat(80),
    ', , ,',
    '\u0001',
  ])('takes %p as what it is', async (text) => {
    await createTestContact(acme, { email: 'pa@acme.test', name: 'Paula' })
    const { status, body } = await asked(text)
    expect([status, body]).toEqual([200, { items: [], nextCursor: null }])
  })
})

describe('a query on organisations', () => {
  const named = async (more: string) =>
    (await acme.get(`/v1/organisations?${more}`)).body.items.map(({ name }: { name: string }) => name)

  test('finds by the beginning of the name, from A to Z, and goes together with the domain', async () => {
    for (const [name, domain] of [
      ['Acme Two', 'two.test'],
      ['acme One', 'one.test'],
      ['Other', 'one.test'],
      ['Ämter', null],
    ])
      await acme.post('/v1/organisations', { name, domain })
    expect(await named('query=ACME')).toEqual(['acme One', 'Acme Two'])
    expect(await named('query=acme&domain=TWO.test')).toEqual(['Acme Two'])
    expect(await named('query=other&domain=two.test')).toEqual([])
    expect(await named(`query=${encodeURIComponent('ämt')}`)).toEqual(['Ämter'])
  })

  test('pages through all, each once, of the same name too', async () => {
    for (let i = 0; i < 5; i++) await acme.post('/v1/organisations', { name: i < 3 ? 'Same' : `Same ${i}` })
    const pages = await pagesOf('/v1/organisations?query=same&limit=2')
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
    expect(new Set(pages.flat().map(({ id }) => id)).size).toBe(5)
    const { nextCursor } = (await acme.get('/v1/organisations?query=same&limit=2')).body
    expect((await acme.get(`/v1/organisations?query=other&cursor=${nextCursor}`)).status).toBe(400)
  })

  test.each(['', '%20', 'x'.repeat(256)])('refuses %p', async (text) => {
    const { status, body } = await acme.get(`/v1/organisations?query=${text}`)
    expect([status, body.param]).toEqual([400, 'query'])
  })
})
