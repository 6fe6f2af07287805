import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Source } from '../../src/articles/model.ts'
import { upsertArticle } from '../../src/articles/operations.ts'
import { setLanguages } from '../../src/articles/sources.ts'
import { translateArticle } from '../../src/articles/translations.ts'
import { mergedByRank } from '../../src/assistant/passages.ts'
import { articleVectors } from '../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { fails, type LlmStandIn, means, startLlm } from '../support/chat/llm.ts'
import { until } from '../support/patience.ts'

/** What a text is about, one number for each subject: a model that knows a few synonyms. */
const subjects = [/money|refund|reimburse/i, /parcel|shipping|courier/i, /password|credentials/i, /zebra/i]
const vectorOf = (text: string) => [...subjects.map((subject) => (subject.test(text) ? 1 : 0)), 0.01]

let llm: LlmStandIn
let app: TestApp
let acme: TestTenant
let source: Source

beforeAll(async () => {
  llm = await startLlm()
})
beforeEach(async () => {
  llm.embeddings = means(vectorOf)
  llm.requests.length = 0
  app = await startApp({
    environment: {
      FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
      FRONTDESK_LLM_URL: llm.url,
      FRONTDESK_LLM_MODEL: 'writer,measurer',
    },
  })
  acme = await app.createTenant()
  source = await createTestSource(acme)
  await write('refunds', 'Refunds', 'What you paid goes back to the card.')
  await write('shipping', 'Shipping', 'Two days.')
  await write('password', 'Password', 'Choose a long one.')
})
afterEach(() => app.close())
afterAll(() => llm.close())

const write = (slug: string, title: string, content: string, into = source) =>
  acme.perform((tx, caller) => upsertArticle(tx, caller, into.id, slug, { title, content }))
const slugsOf = async (question: string, of = source.id) => {
  const { body } = await app.request('POST', `/chat/${of}/ask`, { body: { question } })
  return body.passages.map(({ slug }: { slug: string }) => slug)
}
/** What a question finds by its meaning, which it waits half a second for, and then not again for half a minute. */
const finds = (question: string, slugs: string[], of?: string) => comesTo(() => slugsOf(question, of), slugs)
const comesTo = (look: () => Promise<string[]>, slugs: string[]) =>
  until(
    async () => Bun.deepEquals(await look(), slugs),
    () => app.clock.advance(30_000),
  )
const embedded = () => llm.requests.filter(({ path }) => path === '/v1/embeddings').map(({ body }) => body)
const rows = () => app.database.db.select().from(articleVectors)

test('a question in other words finds the article that means the same', async () => {
  expect(await slugsOf('Will you reimburse me?')).toEqual([])
  app.clock.advance(1)
  await app.runDue()
  expect(embedded().map(({ model, input }) => [model, input])).toContainEqual([
    'measurer',
    'Refunds\nWhat you paid goes back to the card.',
  ])
  await finds('Will you reimburse me?', ['refunds'])
  await finds('Where is the courier?', ['shipping'])
  await finds('My credentials, reimburse the card', ['refunds', 'password'])
})

test('a translation is found by what it means, by those alone who read its language', async () => {
  await acme.perform((tx, caller) => setLanguages(tx, caller, source.id, { language: 'en', languages: ['de', 'fr'] }))
  const name = { sourceId: source.id, slug: 'password', language: 'de' }
  // The same words as of another article, in what would be German.
  const translated = { title: 'Refunds', content: 'What you paid goes back to the card.' }
  await acme.perform((tx, caller) => translateArticle(tx, caller, name, translated))
  app.clock.advance(1)
  await app.runDue()
  const inLanguage = async (language: string) => {
    const body = { question: 'Will you reimburse me?', language }
    const answer = await app.request('POST', `/chat/${source.id}/ask`, { body })
    return answer.body.passages.map(({ slug }: { slug: string }) => slug).sort()
  }
  await comesTo(() => inLanguage('de'), ['password', 'refunds'])
  for (const language of ['fr', 'en']) await comesTo(() => inLanguage(language), ['refunds'])
})

test('an article that is written again or deleted is found by what it means now', async () => {
  await app.runDue()
  await write('shipping', 'Zebras', 'Striped.')
  await app.runDue()
  expect(await slugsOf('courier')).toEqual([])
  await finds('Is there a zebra?', ['shipping'])
  const path = `/v1/livechat/sources/${source.id}/articles/shipping`
  expect((await acme.delete(path)).status).toBe(204)
  expect(await slugsOf('A zebra then?')).toEqual([])
  expect(await rows()).toHaveLength(2)
})

test('an article that is written again while its vector is made has one of what it says now', async () => {
  await app.runDue()
  await write('shipping', 'Shipping', 'By courier.')
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  const { promise: later, resolve: answer } = Promise.withResolvers<void>()
  llm.embeddings = async (request, response) => {
    llm.embeddings = means(vectorOf)
    reach()
    await later
    means(vectorOf)(request, response)
  }
  const first = app.runDue()
  await reached
  await write('shipping', 'Zebras', 'Striped.')
  const second = app.runDue()
  await until(async () => (await rows()).every(({ dueAt }) => dueAt === null))
  answer()
  await Promise.all([first, second])
  await finds('Is there a zebra?', ['shipping'])
  expect(await slugsOf('courier')).toEqual([])
})

test('never another source’s articles', async () => {
  const other = await createTestSource(acme, 'Staff')
  await write('zoo', 'Zoo', 'A zebra.', other)
  await app.runDue()
  expect(await slugsOf('zebra')).toEqual([])
  await finds('zebra', ['zoo'], other.id)
})

test('an endpoint that fails is asked again, later each time, for what is still to be done', async () => {
  llm.embeddings = fails(503)
  await app.runDue()
  expect(embedded()).toHaveLength(3)
  await app.runDue()
  expect(embedded()).toHaveLength(3)
  app.clock.advance(60_000)
  await app.runDue()
  expect(embedded()).toHaveLength(6)
  app.clock.advance(60_000)
  await app.runDue()
  expect(embedded()).toHaveLength(6)
  llm.embeddings = means(vectorOf)
  app.clock.advance(4 * 60_000)
  await app.runDue()
  expect(embedded()).toHaveLength(9)
  expect((await rows()).map(({ dueAt, attempts }) => [dueAt, attempts])).toEqual(Array(3).fill([null, 0]))
  expect(app.logged.filter((line) => line.includes('makes no vectors'))).toHaveLength(1)
})

test.each([
  ['none', []],
  ['no direction', [0, 0]],
  ['words', ['a', 'b']],
  ['a hole', [1, null]],
  ['too many', Array(10_000).fill(1)],
])('a vector of %s is none', async (_, vector) => {
  llm.embeddings = means(() => vector)
  await app.runDue()
  expect((await rows()).filter((row) => row.vector !== null)).toEqual([])
  expect(await slugsOf('What about the card?')).toEqual(['refunds'])
})

test('an endpoint that stalls leaves the words alone, and is left alone for a while', async () => {
  await app.runDue()
  llm.embeddings = () => {}
  llm.requests.length = 0
  expect(await slugsOf('The card, please')).toEqual(['refunds'])
  expect(await slugsOf('The card, thanks')).toEqual(['refunds'])
  expect(embedded()).toHaveLength(1)
  llm.embeddings = means(vectorOf)
  await finds('reimburse', ['refunds'])
})

test('vectors of another model are made anew', async () => {
  await app.runDue()
  const next = await startApp({
    dataDir: app.dataDir,
    environment: { FRONTDESK_LLM_URL: llm.url, FRONTDESK_LLM_MODEL: 'writer,other' },
  })
  llm.requests.length = 0
  await next.runDue()
  expect(embedded().map(({ model }) => model)).toEqual(['other', 'other', 'other'])
  await next.close()
})

test('where there is no endpoint articles wait for one', async () => {
  const without = await startApp()
  const own = await without.createTenant()
  const { id } = await createTestSource(own)
  await own.put(`/v1/livechat/sources/${id}/articles/a`, { title: 'A', content: 'B' })
  await without.runDue()
  const [row] = await without.database.db.select().from(articleVectors)
  expect(row).toMatchObject({ attempts: 0, vector: null })
  expect(row?.dueAt).not.toBeNull()
  await without.close()
})

test('ranks merge so that what several lists put in front comes first', () => {
  expect(
    mergedByRank([
      ['a', 'b', 'c'],
      ['d', 'b'],
    ]),
  ).toEqual(['b', 'a', 'd', 'c'])
  expect(mergedByRank([['a'], []])).toEqual(['a'])
})
