import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { RateLimiter } from '../../../src/http/limits/rate-limit.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'

const LIMIT = 5
const WINDOW = 60_000

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_RATE_LIMIT: String(LIMIT) } })
  countByClockOf(app)
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const me = (key = acme.key) => app.request('GET', '/v1/me', { key })

/** What the limit says in an answer's headers. */
function limitsOf({ status, headers }: Answer) {
  return {
    status,
    remaining: Number(headers.get('ratelimit-remaining')),
    reset: Number(headers.get('ratelimit-reset')),
    retryAfter: headers.get('retry-after'),
  }
}

async function useUp(): Promise<void> {
  for (let i = 0; i < LIMIT; i++) expect((await me()).status).toBe(200)
}

describe('the rate limit', () => {
  test('lets as many requests in as it says, and counts down', async () => {
    const answers = []
    for (let i = 0; i <= LIMIT; i++) answers.push(limitsOf(await me()))
    expect(answers).toEqual([
      ...[4, 3, 2, 1, 0].map((remaining) => ({ status: 200, remaining, reset: 60, retryAfter: null })),
      { status: 429, remaining: 0, reset: 60, retryAfter: '60' },
    ])
  })

  test('slides: each request counts for exactly 60 seconds', async () => {
    for (let i = 0; i < LIMIT; i++) {
      expect((await me()).status).toBe(200)
      app.clock.advance(10_000)
    }
    expect(limitsOf(await me())).toEqual({ status: 429, remaining: 0, reset: 10, retryAfter: '10' })
    app.clock.advance(9_999)
    expect(limitsOf(await me())).toEqual({ status: 429, remaining: 0, reset: 1, retryAfter: '1' })
    app.clock.advance(1)
    expect(limitsOf(await me())).toEqual({ status: 200, remaining: 0, reset: 10, retryAfter: null })
    expect(limitsOf(await me())).toEqual({ status: 429, remaining: 0, reset: 10, retryAfter: '10' })
  })

  test('does not count what it refuses, and keeps the word of Retry-After', async () => {
    await useUp()
    app.clock.advance(12_345)
    for (let i = 0; i < 50; i++) expect((await me()).status).toBe(429)
    const { retryAfter } = limitsOf(await me())
    expect(retryAfter).toBe('48')
    app.clock.advance(Number(retryAfter) * 1000)
    expect(limitsOf(await me())).toEqual({ status: 200, remaining: 4, reset: 60, retryAfter: null })
  })

  test('answers 429 with an empty body and the headers every answer has', async () => {
    await useUp()
    const { status, text, headers } = await me()
    expect([status, text, headers.get('content-type')]).toEqual([429, '', null])
    expect(headers.get('x-request-id')).toBeString()
    expect(headers.get('ratelimit-limit')).toBe(String(LIMIT))
  })

  test('agrees with a list of times, whatever the rhythm', async () => {
    const rhythm = fc.array(fc.tuple(fc.integer({ min: 0, max: 25_000 }), fc.integer({ min: 1, max: 4 })), {
      minLength: 5,
      maxLength: 15,
    })
    await fc.assert(
      fc.asyncProperty(rhythm, async (steps) => {
        const { key } = await app.createTenant()
        let counted: number[] = []
        for (const [pause, requests] of steps) {
          app.clock.advance(pause)
          const now = app.clock.monotonic()
          for (let i = 0; i < requests; i++) {
            counted = counted.filter((time) => time > now - WINDOW)
            const allowed = counted.length < LIMIT
            if (allowed) counted.push(now)
            const reset = Math.ceil(((counted[0] as number) + WINDOW - now) / 1000)
            expect(limitsOf(await me(key))).toEqual({
              status: allowed ? 200 : 429,
              remaining: LIMIT - counted.length,
              reset,
              retryAfter: allowed ? null : String(reset),
            })
          }
        }
      }),
      { numRuns: 25 },
    )
  })

  test('holds for requests at the same moment', async () => {
    const statuses = (await Promise.all(Array.from({ length: 40 }, () => me()))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toBeArrayOfSize(LIMIT)
    expect(statuses.filter((status) => status === 429)).toBeArrayOfSize(40 - LIMIT)
  })
})

describe('the rate limit counts', () => {
  test.each([
    [
      'a refused scope',
      async () => app.request('GET', '/v1/contacts', { key: (await acme.createKey(['forms:read'])).key }),
      403,
    ],
    ['an unknown path', () => acme.get('/v1/unknown'), 404],
    ['an unknown id', () => acme.get('/v1/contacts/x'), 404],
    ['a bad query', () => acme.get('/v1/me?x=1'), 400],
    ['a bad body', () => acme.post('/v1/contacts', '{'), 400],
    ['a body that is too large', () => acme.post('/v1/contacts', 'x'.repeat(1024 * 1024 + 1)), 413],
    ['HEAD', () => app.request('HEAD', '/v1/me', { key: acme.key }), 200],
  ])('%s', async (_, ask, status) => {
    expect(limitsOf(await ask())).toMatchObject({ status, remaining: LIMIT - 1 })
  })

  test('all routes together', async () => {
    await acme.get('/v1/me')
    await acme.get('/v1/contacts')
    await acme.post('/v1/contacts', { email: 'ada@acme.test' })
    await acme.get('/v1/forms')
    expect(limitsOf(await acme.get('/v1/tickets')).remaining).toBe(0)
    expect((await me()).status).toBe(429)
  })

  test('a key the same in either header', async () => {
    await useUp()
    expect((await app.request('GET', '/v1/me', { headers: { 'x-api-key': acme.key } })).status).toBe(429)
  })
})

describe('the rate limit leaves alone', () => {
  test('other keys, of the same tenant too', async () => {
    const second = await acme.createKey()
    const other = await app.createTenant('Other')
    await useUp()
    expect((await me()).status).toBe(429)
    expect(limitsOf(await me(second.key))).toMatchObject({ status: 200, remaining: LIMIT - 1 })
    expect((await other.get('/v1/me')).status).toBe(200)
  })

  test('unknown keys and requests without one: always a 401, and at nobody’s cost', async () => {
    for (let i = 0; i < 3 * LIMIT; i++) {
      expect((await app.request('GET', '/v1/me')).status).toBe(401)
      expect((await app.request('GET', '/v1/me', { key: `${acme.key}x` })).status).toBe(401)
    }
    expect(limitsOf(await me()).remaining).toBe(LIMIT - 1)
  })

  test('what lies outside of /v1', async () => {
    for (let i = 0; i < 3 * LIMIT; i++) expect((await acme.get('/healthz')).status).toBe(200)
    expect(limitsOf(await me()).remaining).toBe(LIMIT - 1)
  })

  test('jumps of the wall clock: they neither lock out nor let in', async () => {
    const year = 365 * 24 * 60 * 60 * 1000
    await useUp()
    for (const jump of [year, -2 * year, year]) {
      app.clock.jump(jump)
      expect(limitsOf(await me())).toMatchObject({ status: 429, retryAfter: '60' })
    }
    app.clock.advance(WINDOW)
    app.clock.jump(-year)
    expect((await me()).status).toBe(200)
    app.clock.jump(year)
  })
})

describe('the limiter’s memory', () => {
  test('holds keys of the last minute and no longer', () => {
    const limiter = new RateLimiter(120)
    for (let i = 0; i < 10_000; i++) limiter.take(`key ${i}`, i)
    expect(limiter.size).toBe(10_000)
    limiter.take('another', WINDOW * 2 + 10_000)
    expect(limiter.size).toBe(1)
  })

  test('grows with what is used of a high limit, not with the limit', () => {
    const limiter = new RateLimiter(1_000_000_000)
    for (let i = 0; i < 1000; i++) limiter.take(`key ${i}`, 0)
    Bun.gc(true)
    const before = process.memoryUsage().rss
    for (let i = 0; i < 1000; i++) limiter.take(`key ${i}`, 1)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
  })
})
