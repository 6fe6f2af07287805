import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ArticleInput, Source } from '../../src/articles/model.ts'
import { upsertArticle } from '../../src/articles/operations.ts'
import { livechatSources } from '../../src/db/schema.ts'
import { prepareDemo } from '../../src/demo/index.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { questions } from './questions.ts'

let app: TestApp
let acme: TestTenant
let source: Source

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  source = await createTestSource(acme)
})
afterAll(() => app.close())

const write = (slug: string, input: ArticleInput, into = source, tenant = acme) =>
  tenant.perform((tx, caller) => upsertArticle(tx, caller, into.id, slug, input))
const ask = (question: unknown, of = source.id) =>
  app.request('POST', `/chat/${of}/ask`, { body: { question } as object })
const slugsOf = async (question: string, of = source.id) =>
  (await ask(question, of)).body.passages.map(({ slug }: { slug: string }) => slug)

describe('the demo’s help centre', () => {
  test('has the right article among the first three for most questions', async () => {
    const { tenantId } = await prepareDemo(app.database, { ...app.deps, dataDir: app.dataDir }, app.clock.now())
    const key = (await app.database.db.select().from(livechatSources)).find((row) => row.tenantId === tenantId)
    const missed: string[] = []
    for (const [question, slug] of questions) {
      const found = await slugsOf(question, key?.id as string)
      if (!found.slice(0, 3).includes(slug)) missed.push(question)
    }
    expect(questions.length - missed.length).toBeGreaterThanOrEqual(32)
  })
})

describe('a question', () => {
  beforeAll(async () => {
    await write('refunds', {
      title: 'Refunds',
      content:
        '# Refunds\n\nWe are kind. Money goes back to the [card](https://example.com/card) it came from, **within 30 days**. ' +
        'Banks need a while.\n\n## Cancelling\n\n- Write to us\n- Or call',
    })
    await write('shipping', {
      title: 'Shipping',
      format: 'html',
      content:
        '<style>p { color: parcel }</style><h1>Shipping</h1><p>A parcel takes two days &amp; a half.</p>' +
        '<script>alert("parcel")</script><p>Islands: four days.</p>',
      canonicalUrl: 'https://help.example.com/shipping',
    })
    await write('opening', { title: null, format: 'text', content: 'The shop opens at nine.\n\nClosed on Sundays.' })
  })

  test('finds words of any script, whose marks are letters to some and accents to others', async () => {
    const many = await createTestSource(acme, 'Many')
    const asked: [slug: string, content: string, questions: string[]][] = [
      ['ar', 'عند الإلغاء يعود المبلغ', ['الإلغاء']],
      ['de', 'Größe und Zürich', ['GRÖßE', 'zurich', 'Zu\u0308rich']],
      ['el', 'Ακύρωση κράτησης', ['ακύρωση', 'Κράτησης']],
      ['hi', 'रद्द करना और धनवापसी', ['धनवापसी']],
      ['ja', 'パスワード がぎぐ', ['パスワード', 'がぎぐ']],
      ['ko', '예약 취소 방법', ['취소', '예약'.normalize('NFD')]],
      ['ru', 'Домашний йогурт и ёлка', ['йогурт', 'ЁЛКА']],
      ['tr', 'İptal ve ücret', ['iptal', 'İptal', 'Ücret']],
      ['vi', 'Hủy đặt phòng', ['huy', 'Hủy', 'PHÒNG']],
    ]
    for (const [slug, content] of asked) await write(slug, { content }, many)
    for (const [slug, , questions] of asked) {
      for (const question of questions) expect([question, await slugsOf(question, many.id)]).toEqual([question, [slug]])
    }
    const [passage] = (await ask('Где йогурт?', many.id)).body.passages
    expect(passage.excerpt).toBe('Домашний йогурт и ёлка')
  })

  test('finds an article by any of its words, with the sentences that fit best as plain text', async () => {
    const { status, body, headers } = await ask('Please, how do I get my money back?')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(body).toEqual({
      passages: [
        {
          slug: 'refunds',
          title: 'Refunds',
          excerpt: 'We are kind. Money goes back to the card it came from, within 30 days. Banks need a while.',
          url: `${app.deps.config.baseUrl}/help/${source.id}/refunds`,
        },
      ],
      answer: null,
    })
  })

  test('shows the text of HTML alone, and where the article is published', async () => {
    const { body } = await ask('When will my PARCEL come?')
    expect(body.passages).toEqual([
      {
        slug: 'shipping',
        title: 'Shipping',
        excerpt: 'A parcel takes two days & a half.',
        url: 'https://help.example.com/shipping',
      },
    ])
  })

  test('takes a word that nobody wrote for the beginning of others', async () => {
    expect(await slugsOf('cancel')).toEqual(['refunds'])
    expect(await slugsOf('can')).toEqual([])
  })

  test('finds an article that was written or deleted a moment ago at once', async () => {
    await write('bikes', { title: 'Bikes', content: 'Rent a tandem.' })
    expect(await slugsOf('is there a tandem?')).toContain('bikes')
    await write('bikes', { title: 'Bikes', content: 'Rent a scooter.' })
    expect(await slugsOf('tandem')).toEqual([])
    expect((await acme.delete(`/v1/livechat/sources/${source.id}/articles/bikes`)).status).toBe(204)
    expect(await slugsOf('scooter')).toEqual([])
  })

  test('never sees another source’s or tenant’s articles', async () => {
    const other = await createTestSource(acme, 'Staff')
    await write('salaries', { title: 'Salaries', content: 'Everybody gets a zebra.' }, other)
    const globex = await app.createTenant('Globex')
    const theirs = await createTestSource(globex)
    await write('zoo', { title: 'Zoo', content: 'The zebra eats grass.' }, theirs, globex)
    expect(await slugsOf('zebra')).toEqual([])
    expect(await slugsOf('zebra', other.id)).toEqual(['salaries'])
    expect(await slugsOf('zebra', theirs.id)).toEqual(['zoo'])
  })

  test('puts the article that has the word in its title first', async () => {
    const shop = await createTestSource(acme, 'Shop')
    const filler = ' More about how it all works, and what to do when it does not.'
    await write('a', { title: 'Vouchers', content: `Buy a present.${filler}` }, shop)
    await write('b', { title: 'Presents', content: `You can pay with vouchers.${filler}` }, shop)
    await write('c', { title: 'Hours', content: `We are open.${filler}` }, shop)
    expect(await slugsOf('vouchers', shop.id)).toEqual(['a', 'b'])
    expect(await slugsOf('presents', shop.id)).toEqual(['b', 'a'].slice(0, 1))
  })

  test('of common words alone finds something too', async () => {
    const many = await createTestSource(acme, 'Many')
    for (let i = 0; i < 12; i += 1)
      await write(`a-${i}`, { title: `Booking ${i}`, content: 'A booking is made.' }, many)
    expect((await slugsOf('booking?', many.id)).length).toBe(5)
  })

  test.each(['what?', '???', '"zzz" : *', "'); --", 'NEAR(zz yy)', '*', 'ﬁ', '\u0301', 'x'.repeat(500)])(
    'of nothing that is in any article finds nothing: %s',
    async (question) => {
      expect(await ask(question)).toMatchObject({ status: 200, body: { passages: [], answer: null } })
    },
  )

  test.each([
    ['', 'question: must not be blank'],
    [' \n\t', 'question: must not be blank'],
    ['x'.repeat(501), 'question: must be at most 500 characters'],
    [7, 'question: must be a string'],
    [undefined, 'question: is required'],
  ])('that is none is refused: %p', async (question, message) => {
    expect(await ask(question)).toMatchObject({ status: 400, body: { error: 'invalid_request', message } })
  })

  test('to a source that is not there is a 404, whatever is asked for', async () => {
    for (const id of [Bun.randomUUIDv7(), 'x', '%27']) {
      expect(await ask('money', id)).toMatchObject({ status: 404, body: { message: 'source not found' } })
    }
  })
})

test('questions are counted per address before they are read', async () => {
  const small = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '2' } })
  try {
    const own = await createTestSource(await small.createTenant())
    const statuses: number[] = []
    for (const body of [{ question: 'a' }, '{broken', { question: 'a' }]) {
      const { status, text } = await small.request('POST', `/chat/${own.id}/ask`, { body })
      statuses.push(status)
      if (status === 429) expect(text).toBe('')
    }
    expect(statuses).toEqual([200, 400, 429])
  } finally {
    await small.close()
  }
})
