import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'

let app: TestApp
let acme: TestTenant
let articles: string

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
beforeEach(async () => {
  articles = `/v1/livechat/sources/${(await createTestSource(acme)).id}/articles`
})
afterAll(() => app.close())

const write = (slug: string, title: string | null, content: string | null = null) =>
  acme.put(`${articles}/${slug}`, { title, content })

async function find(query: string, more = '') {
  const answer = await acme.get(`${articles}?query=${encodeURIComponent(query)}${more}`)
  expect(answer.status).toBe(200)
  return answer.body.items.map(({ slug }: { slug: string }) => slug)
}

describe('searching articles', () => {
  test('finds those that hold every word at the beginning of a word, in title or content', async () => {
    await write('refunds', 'Refund policy', 'How long you can return things.')
    await write('returns', 'Returns', 'Refunds take 30 days.')
    await write('other', 'Delivery', 'By post. Prefund.')
    expect(await find('refund')).toEqual(['refunds', 'returns'])
    expect(await find('REFUND ret')).toEqual(['returns', 'refunds'])
    expect(await find('refund days')).toEqual(['returns'])
    expect(await find('30')).toEqual(['returns'])
    expect(await find('refund delivery')).toEqual([])
  })

  test('puts words in the title first, then words in a row, then the newest', async () => {
    await write('title', 'Late delivery costs', 'See below.')
    await write('row', 'Prices', 'What late delivery costs you.')
    await write('older', 'Older', 'Costs when a delivery is late.')
    await write('newer', 'Newer', 'Late? A delivery costs nothing.')
    await write('some', 'Delivery', 'Costs less when late.')
    expect(await find('late delivery costs')).toEqual(['title', 'some', 'row', 'newer', 'older'])
  })

  test('sees through case and accents, whichever way they are written', async () => {
    await write('cafe', 'Café Zürich')
    for (const query of ['café', 'cafe', 'CAFÉ', 'cafe\u0301', 'zurich', 'ZÜR']) {
      expect(await find(query)).toEqual(['cafe'])
    }
  })

  test('finds what stands in the first 128 KiB of a content, however it is written', async () => {
    // 131,060 bytes, and 'toucans' is cut.
    const content = `\0 ${'é '.repeat(43_686)}parrots toucans macaws`
    for (const state of ['new', 'replaced']) {
      await write('long', state, content)
      expect([state, await find('parrots')]).toEqual([state, ['long']])
      expect([state, await find('macaws')]).toEqual([state, []])
      expect([state, await find(state)]).toEqual([state, ['long']])
    }
    expect((await acme.get(`${articles}/long`)).body.content).toBe(content)
  })

  test('takes a content of as many different words as there is room for', async () => {
    const letter = (n: number) => String.fromCodePoint(0x10d0 + (Math.floor(n) % 32))
    const wordOf = (n: number) => letter(n) + letter(n / 32) + letter(n / 1024) + letter(n / 32_768)
    await write('words', 'Words', Array.from({ length: 80_000 }, (_, n) => wordOf(n)).join(' '))
    expect(await find(wordOf(9_000))).toEqual(['words'])
  })

  test('follows what is written, replaced and deleted', async () => {
    await write('a', 'Parrots')
    await write('a', 'Toucans', 'and macaws')
    expect(await find('parrots')).toEqual([])
    expect(await find('toucans macaws')).toEqual(['a'])
    await write('a', null)
    expect(await find('toucans')).toEqual([])
    await write('a', 'Parrots')
    await acme.delete(`${articles}/a`)
    expect(await find('parrots')).toEqual([])
  })

  test.each([
    '',
    ' ',
    '"',
    '*',
    '""',
    '()',
    '-',
    '+',
    '@',
    ':',
    '^',
    '{}',
    "'",
    '\\',
    '\0',
    '😀',
    '--',
    ';',
    '%',
    '\u0301',
  ])('finds nothing for %p, which has no word', async (query) => {
    await write('a', 'Anything')
    expect(await find(query)).toEqual([])
  })

  test.each([
    'AND',
    'OR refund',
    'NOT refund',
    'NEAR(refund, 2)',
    'refund AND',
    'title:refund',
    'refund*',
    '"refund',
    'refund"*',
    '-refund',
    'refund^2',
    '{title}: refund',
    'source : refund',
    'refund\0policy',
    '(refund',
    "'; DROP TABLE articles; --",
    '𐻂 ⓐ ꟳ',
    'x'.repeat(200),
    'a '.repeat(100),
  ])('takes %p as words, not as a language', async (query) => {
    await write('a', 'Refund and policy or not near, title 2')
    const found = await find(query)
    expect(found.length).toBeLessThanOrEqual(1)
  })

  test('refuses more than 200 characters', async () => {
    const answer = await acme.get(`${articles}?query=${'x'.repeat(201)}`)
    expect([answer.status, answer.body.message]).toEqual([400, 'query: must be at most 200 characters'])
  })

  test('stays within the source', async () => {
    await write('mine', 'Parrots')
    const mine = articles
    articles = `/v1/livechat/sources/${(await createTestSource(acme)).id}/articles`
    await write('yours', 'Parrots')
    expect(await find('parrots')).toEqual(['yours'])
    articles = mine
    expect(await find('parrots')).toEqual(['mine'])
    expect(await find(mine.split('/')[4]?.slice(0, 8) as string)).toEqual([])
  })
})

describe('paging through what was found', () => {
  test('sees each article once, best first, while others are written and deleted', async () => {
    for (let i = 0; i < 9; i++) await write(`content-${i}`, 'Other', `parrots ${'word '.repeat(i * 10)}`)
    for (let i = 0; i < 3; i++) await write(`title-${i}`, 'Parrots')
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const path: string = `${articles}?query=parrots&limit=2${cursor ? `&cursor=${cursor}` : ''}`
      const { body } = await acme.get(path)
      seen.push(...body.items.map(({ slug }: { slug: string }) => slug))
      cursor = body.nextCursor
      await acme.delete(`${articles}/${seen.at(-1)}`)
      await write(`new-${seen.length}`, 'Parrots', 'parrots '.repeat(50))
    } while (cursor)
    expect(seen).toEqual(
      [2, 1, 0].map((i) => `title-${i}`).concat([8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `content-${i}`)),
    )
  })

  test('a cursor belongs to its words and its source', async () => {
    for (const slug of ['a', 'b', 'c']) await write(slug, 'Red parrots')
    const { nextCursor } = (await acme.get(`${articles}?query=red%20parrots&limit=1`)).body
    expect(await find('red, PARROTS'.toLowerCase(), `&cursor=${nextCursor}`)).toEqual(['b', 'a'])
    const { nextCursor: listCursor } = (await acme.get(`${articles}?limit=1`)).body
    const elsewhere = `/v1/livechat/sources/${(await createTestSource(acme)).id}/articles`
    for (const path of [
      `${articles}?query=parrots&cursor=${nextCursor}`,
      `${articles}?query=%40&cursor=${nextCursor}`,
      `${articles}?cursor=${nextCursor}`,
      `${articles}?query=red%20parrots&cursor=${listCursor}`,
      `${articles}?query=red%20parrots&cursor=${nextCursor}x`,
      `${elsewhere}?query=red%20parrots&cursor=${nextCursor}`,
    ]) {
      const answer = await acme.get(path)
      expect([answer.status, answer.body.message]).toEqual([400, 'cursor: is not a cursor of this list'])
    }
  })
})
