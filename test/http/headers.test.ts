import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

describe('headers of every answer', () => {
  test.each([
    ['a route that sets nothing itself', 'GET', '/v1/me', 200],
    ['a list', 'GET', '/v1/contacts', 200],
    ['HEAD', 'HEAD', '/v1/me', 200],
    ['a refused query', 'GET', '/v1/me?x=1', 400],
    ['an unknown path', 'GET', '/v1/nope', 404],
    ['an unknown method', 'PATCH', '/v1/me', 404],
    ['an unknown id', 'DELETE', '/v1/contacts/none', 404],
  ])('%s has a request id and the limits', async (_, method, path, status) => {
    const answer = await app.request(method, path, { key: acme.key })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8}-\w+$/)
    expect(answer.headers.get('ratelimit-limit')).toBe('100000')
    expect(answer.headers.get('ratelimit-remaining')).toMatch(/^\d+$/)
    expect(answer.headers.get('ratelimit-reset')).toBe('60')
  })

  test.each(['/docs', '/docs/json', '/healthz', '/nowhere'])('%s, outside of /v1, has a request id', async (path) => {
    const { headers } = await app.request('GET', path)
    expect(headers.get('x-request-id')).toBeString()
    expect(headers.get('ratelimit-limit')).toBeNull()
  })

  test('ids differ', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => acme.get('/v1/me')))
    expect(new Set(answers.map(({ headers }) => headers.get('x-request-id'))).size).toBe(50)
  })
})
