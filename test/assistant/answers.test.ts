import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Source } from '../../src/articles/model.ts'
import { upsertArticle } from '../../src/articles/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { fails, type LlmBehaviour, type LlmStandIn, says, sendJson, startLlm } from '../support/chat/llm.ts'
import { until } from '../support/patience.ts'

let llm: LlmStandIn
let app: TestApp
let acme: TestTenant
let source: Source

beforeAll(async () => {
  llm = await startLlm()
  app = await startApp({
    environment: {
      FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
      FRONTDESK_LLM_URL: llm.url,
      FRONTDESK_LLM_MODEL: 'writer,measurer',
      FRONTDESK_LLM_KEY: 'llm-secret',
    },
  })
  acme = await app.createTenant()
  source = await createTestSource(acme)
  await write('refunds', 'Refunds', 'Money goes back to the card within 30 days.')
  await write('shipping', 'Shipping', 'A parcel takes two days. Ignore the money: the card is a <b>gift</b>.')
})
beforeEach(() => {
  llm.requests.length = 0
})
afterEach(() => app.clock.advance(10 * 60_000))
afterAll(async () => {
  await app.close()
  llm.close()
})

const write = (slug: string, title: string, content: string) =>
  acme.perform((tx, caller) => upsertArticle(tx, caller, source.id, slug, { title, content }))
const ask = async (question = 'When does my money come back?') =>
  (await app.request('POST', `/chat/${source.id}/ask`, { body: { question } })).body
const written = () => llm.requests.filter(({ path }) => path === '/v1/chat/completions')

describe('an answer', () => {
  test('is written from the passages, and names those it rests on', async () => {
    llm.chat = says({ text: 'Within 30 days, to your card.', slugs: ['refunds'] })
    const { passages, answer } = await ask()
    expect(answer).toEqual({ text: 'Within 30 days, to your card.', slugs: ['refunds'] })
    expect(passages.map(({ slug }: { slug: string }) => slug)).toEqual(['refunds', 'shipping'])
    const [{ authorization, body } = { authorization: '', body: null }] = written()
    expect(authorization).toBe('Bearer llm-secret')
    expect(body.model).toBe('writer')
    expect(JSON.parse(body.messages[1].content)).toEqual({
      question: 'When does my money come back?',
      articles: [
        { slug: 'refunds', title: 'Refunds', text: 'Money goes back to the card within 30 days.\n' },
        {
          slug: 'shipping',
          title: 'Shipping',
          text: 'A parcel takes two days. Ignore the money: the card is a gift.\n',
        },
      ],
    })
  })

  test('may come in a fence, or after a sentence', async () => {
    llm.chat = says('Here it is:\n```json\n{"text": "In 30 days.", "slugs": ["refunds"]}\n```')
    expect((await ask()).answer).toEqual({ text: 'In 30 days.', slugs: ['refunds'] })
    llm.chat = says('<think>{"text": null}? No, {it} is there.</think>{"text": "In a month.", "slugs": ["refunds"]}')
    expect((await ask('Money, when?')).answer).toEqual({ text: 'In a month.', slugs: ['refunds'] })
  })

  test('is not asked for where nothing was found', async () => {
    llm.chat = says({ text: 'Anything', slugs: ['refunds'] })
    expect(await ask('zebra')).toEqual({ passages: [], answer: null })
    expect(written()).toEqual([])
  })

  test('is asked for once for the same question, until an article changes or minutes have passed', async () => {
    llm.chat = says({ text: 'In 30 days.', slugs: ['refunds'] })
    await Promise.all([ask('Money back?'), ask('money back? ')])
    await ask('Money back?')
    expect(written()).toHaveLength(1)
    app.clock.advance(1000)
    await write('refunds', 'Refunds', 'Money goes back to the card within 31 days.')
    await ask('Money back?')
    expect(written()).toHaveLength(2)
    app.clock.advance(5 * 60_000)
    await ask('Money back?')
    expect(written()).toHaveLength(3)
  })

  test('is written for one address a few times a minute; then the passages stand alone', async () => {
    llm.chat = says({ text: 'In 30 days.', slugs: ['refunds'] })
    const answers = []
    for (let i = 0; i < 12; i += 1) answers.push((await ask(`money ${i}`)).answer)
    expect(answers.filter(Boolean)).toHaveLength(10)
    expect(written()).toHaveLength(10)
    expect((await ask('money 12')).passages.length).toBeGreaterThan(0)
    app.clock.advance(60_000)
    expect((await ask('money 13')).answer).not.toBeNull()
  })
})

describe('the text is plain', () => {
  test.each([
    ['<script>alert(1)</script>In <b>30</b> days.', 'In 30 days.'],
    ['Click [here](https://evil.example/login) for **money**.', 'Click here for money.'],
    ['![x](https://evil.example/pixel.png)In 30 days.', 'xIn 30 days.'],
    ['In 30\u0000\u0007 days.', 'In 30 days.'],
    ['x'.repeat(5000), `${'x'.repeat(1999)}…`],
  ])('%p', async (text, shown) => {
    llm.chat = says({ text, slugs: ['refunds'] })
    expect((await ask()).answer).toEqual({ text: shown, slugs: ['refunds'] })
  })
})

describe('the passages stand alone when the model', () => {
  const drip: LlmBehaviour = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 50)
    response.on('close', () => clearInterval(timer))
  }
  const flood: LlmBehaviour = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const block = Buffer.alloc(1024 * 1024, 'x')
    let left = 100
    const pump = () => {
      while (left > 0 && !response.destroyed) {
        left -= 1
        if (!response.write(block)) return
      }
      response.end()
    }
    response.on('drain', pump)
    pump()
  }

  test.each<[string, LlmBehaviour]>([
    ['has no answer', says({ text: null, slugs: [] })],
    ['names nothing', says({ text: 'In 30 days.', slugs: [] })],
    ['names what it was not given', says({ text: 'In 30 days.', slugs: ['secrets', '__proto__', 7, null] })],
    ['names no list', says({ text: 'In 30 days.', slugs: 'refunds' })],
    ['says nothing', says({ text: ' <br> ', slugs: ['refunds'] })],
    ['says a number', says({ text: 30, slugs: ['refunds'] })],
    ['ignores what it was told', says('I am a pirate now! Arr!')],
    ['writes half an object', says('{"text": "In 30 da')],
    ['writes a list', says(['refunds'])],
    ['sends no choices', (_, response) => sendJson(response, { choices: [] })],
    ['sends null', (_, response) => response.end('null')],
    ['sends no JSON', (_, response) => response.end('<html>Bad gateway</html>')],
    ['sends bytes', (_, response) => response.end(Buffer.from([0, 255, 254, 128]))],
    ['refuses', fails(401)],
    ['is overloaded', fails(429)],
    ['fails', fails(500)],
    ['leads elsewhere', (_, response) => response.writeHead(302, { location: '/v1/other' }).end()],
    ['hangs up', (_, response) => response.destroy()],
    ['sends 100 MB', flood],
  ])('%s', async (_, behaviour) => {
    llm.chat = behaviour
    const { passages, answer } = await ask()
    expect(answer).toBeNull()
    expect(passages).toHaveLength(2)
    expect(written()).toHaveLength(1)
  })

  test('lets wait or drips: after 10 seconds, while others are answered', async () => {
    llm.chat = () => {}
    const stalled = ask('money one')
    await until(() => written().length === 1)
    llm.chat = drip
    const dripped = ask('money two')
    await until(() => written().length === 2)
    llm.chat = says({ text: 'In 30 days.', slugs: ['refunds'] })
    expect((await ask('money three')).answer).not.toBeNull()
    for (const { answer, passages } of await Promise.all([stalled, dripped])) {
      expect(answer).toBeNull()
      expect(passages).toHaveLength(2)
    }
  })

  test('is logged once, with what the endpoint said, until it works again', async () => {
    llm.chat = says({ text: 'In 30 days.', slugs: ['refunds'] })
    await ask('money?')
    const before = app.logged.length
    const complaints = () => app.logged.slice(before).filter((line) => line.includes('gives no answers'))
    llm.chat = fails(401)
    await ask('money 1')
    await ask('money 2')
    expect(complaints()).toHaveLength(1)
    expect(JSON.parse(complaints()[0] ?? '')).toMatchObject({ url: llm.url, statusCode: 401, error: 'status' })
    expect(complaints()[0]).not.toContain('llm-secret')
    llm.chat = says({ text: null, slugs: [] })
    await ask('money 3')
    llm.chat = fails(500)
    await ask('money 4')
    expect(complaints()).toHaveLength(2)
  })

  test('drops slugs that it was not given from those it was', async () => {
    llm.chat = says({ text: 'In 30 days.', slugs: ['secrets', 'refunds', 'refunds'] })
    expect((await ask()).answer).toEqual({ text: 'In 30 days.', slugs: ['refunds'] })
  })
})
