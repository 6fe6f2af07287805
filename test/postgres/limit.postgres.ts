import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { RequestWindows } from '../../src/db/shared.ts'
import { SharedRateLimiter } from '../../src/http/limits/shared-rate-limit.ts'
import type { Answer, TestApp } from '../support/app.ts'
import { startFragile, startNodes } from '../support/processes/nodes.ts'
import { receiving } from '../support/webhooks/outbound.ts'
import { subscribe } from '../support/webhooks/webhooks.ts'

const LIMIT = 120

let nodes: Awaited<ReturnType<typeof startNodes>>
beforeAll(async () => {
  nodes = await startNodes(3, { FRONTDESK_RATE_LIMIT: String(LIMIT), FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' })
})
afterAll(() => nodes.close())

const nodeOf = (index: number) => nodes.apps[index % 3] as TestApp
const me = (index: number, key: string) => nodeOf(index).request('GET', '/v1/me', { key })

function limitsOf({ headers }: Answer) {
  return ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map((name) => headers.get(name))
}

describe('the limit of requests per key, over three nodes', () => {
  test('lets exactly as many in as it says, of 200 at once', async () => {
    const { key } = await nodeOf(0).createTenant()
    const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => me(index, key)))
    const allowed = answers.filter(({ status }) => status === 200)
    const refused = answers.filter(({ status }) => status === 429)
    expect([allowed.length, refused.length]).toEqual([LIMIT, 80])
    const remaining = allowed.map(({ headers }) => Number(headers.get('ratelimit-remaining')))
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: LIMIT }, (_, index) => LIMIT - 1 - index))
    for (const answer of refused) {
      const [limit, left, reset, retryAfter] = limitsOf(answer)
      expect([limit, left, retryAfter]).toEqual([String(LIMIT), '0', reset as string])
      // By the server's clock, which goes on while all of them are answered.
      expect(Number(retryAfter)).toBeWithin(1, 61)
    }
  })

  test('counts down whichever node is asked, and each key for itself', async () => {
    const tenant = await nodeOf(0).createTenant()
    const other = await tenant.createKey()
    for (let index = 0; index < 6; index++) {
      expect(limitsOf(await me(index, tenant.key))[1]).toBe(String(LIMIT - 1 - index))
    }
    expect(limitsOf(await me(1, other.key))[1]).toBe(String(LIMIT - 1))
  })

  test('is not moved by nodes whose clocks are five minutes apart', async () => {
    const { key } = await nodeOf(0).createTenant()
    nodeOf(1).clock.advance(5 * 60_000)
    const answers = await Promise.all(Array.from({ length: 130 }, (_, index) => me(index, key)))
    nodeOf(1).clock.advance(5 * 60_000)
    const later = await Promise.all([0, 1, 2].map((index) => me(index, key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
    expect(later.map(({ status }) => status)).toEqual([429, 429, 429])
  })
})

test('a test delivery is made once in five seconds, whichever nodes are asked', async () => {
  const tenant = await nodeOf(0).createTenant()
  const receiver = await receiving()
  const id = await subscribe(tenant, receiver)
  const send = (index: number) => nodeOf(index).request('POST', `/v1/webhooks/${id}/test`, { key: tenant.key })
  const answers = await Promise.all([send(0), send(1), send(2)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429])
  const refused = answers.filter(({ status }) => status === 429)
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeWithin(1, 6)
  expect(receiver.requests).toHaveLength(1)
})

describe('the window', () => {
  const windows = () => nodeOf(0).database.requestWindows ?? expect.unreachable()
  const take = (key: string, at: number, wanted = 1) => windows().take(key, { limit: 5, window: 60_000, wanted, at })

  test('slides, and what is refused is not counted', async () => {
    expect(await take('slides', 0, 2)).toEqual({ granted: 2, remaining: 3, reset: 60_000 })
    expect(await take('slides', 10_000, 9)).toEqual({ granted: 3, remaining: 0, reset: 50_000 })
    for (let i = 0; i < 9; i++) expect((await take('slides', 20_000)).granted).toBe(0)
    expect(await take('slides', 59_999)).toEqual({ granted: 0, remaining: 0, reset: 1 })
    expect(await take('slides', 60_000, 4)).toEqual({ granted: 2, remaining: 0, reset: 10_000 })
    expect(await take('slides', 70_000, 4)).toEqual({ granted: 3, remaining: 0, reset: 50_000 })
  })

  test('of a clock that was set back neither lets in nor locks out for longer', async () => {
    const hour = 3_600_000
    await take('back', hour, 3)
    await take('back', hour + 10_000, 2)
    expect(await take('back', 5_000)).toEqual({ granted: 0, remaining: 0, reset: 50_000 })
    expect((await take('back', 55_000, 5)).granted).toBe(3)
    expect((await take('back', 65_000, 5)).granted).toBe(2)
  })

  test('counted long ago are forgotten, others are not; and the last of them can be given back', async () => {
    const terms = { limit: 2, window: 60_000, wanted: 1 }
    const at = Date.now()
    await windows().take('old', { ...terms, at: at - 7_200_000 })
    await windows().take('new', { ...terms, at })
    await windows().forget(3_600_000)
    expect((await windows().take('new', { ...terms, wanted: 2, at })).granted).toBe(1)
    await windows().giveBack('new')
    await windows().giveBack('new')
    await windows().giveBack('new')
    expect((await windows().take('new', { ...terms, wanted: 5, at })).granted).toBe(2)
  })

  test('that were counted together are given back one at a time', async () => {
    const terms = { limit: 5, window: 60_000, at: Date.now() }
    await windows().take('together', { ...terms, wanted: 5 })
    await windows().giveBack('together')
    expect(await windows().take('together', { ...terms, wanted: 5 })).toMatchObject({ granted: 1, remaining: 0 })
  })

  test('of a large limit is counted ahead, and never let over it', async () => {
    let asked = 0
    const counted: RequestWindows = {
      wait: (key, terms) => windows().wait(key, terms),
      giveBack: (key) => windows().giveBack(key),
      forget: (age) => windows().forget(age),
      take(key, terms) {
        asked++
        return windows().take(key, terms)
      },
    }
    const limiters = [1, 2].map(() => new SharedRateLimiter(10_000, counted))
    let allowed = 0
    for (let i = 0; i < 10_100; i++) {
      const verdict = await limiters[i % 2]?.take('large', i / 100)
      if (verdict?.allowed) allowed++
    }
    expect(allowed).toBeWithin(9_980, 10_001)
    expect(asked).toBeLessThan(1_500)
  })
})

test('while the database is away a request cannot be counted, and is a 503', async () => {
  const fragile = await startFragile()
  const tenant = await fragile.app.createTenant()
  expect((await tenant.get('/v1/me')).status).toBe(200)
  await fragile.server.halt()
  const away = await tenant.get('/v1/me')
  expect([away.status, away.body.error]).toEqual([503, 'unavailable'])
  expect(Number(away.headers.get('retry-after'))).toBeGreaterThan(0)
  await fragile.server.start()
  await fragile.close()
})
