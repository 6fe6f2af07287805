import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { problem } from '../../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

describe('text that only an escape can carry', () => {
  test.each([
    [`{"title": "A", "__proto__": {}}`, '__proto__: unknown field'],
    [String.raw`{"title": "A", "\u005f_proto__": {}}`, '__proto__: unknown field'],
    [`{"title": {"toString": 1}}`, 'title.toString: unknown field'],
    [String.raw`{"title": [{"to\u0053tring": null}]}`, 'title[0].toString: unknown field'],
    [
      String.raw`{"title": "A", "questions": [{"type": "nps", "\u005f\u005fproto__": {"type": "x"}}]}`,
      'questions[0].__proto__: unknown field',
    ],
    [String.raw`{"title": "half \ud83d a pair"}`, 'title: must not hold half of a surrogate pair'],
    [
      String.raw`{"title": "A", "pages": [{}, {"title": "\uDE00"}]}`,
      'pages[1].title: must not hold half of a surrogate pair',
    ],
  ])('%s is a 400', async (body, message) => {
    const answer = await acme.post('/v1/forms', body)
    expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
  })

  test('is stored and read back when it is whole', async () => {
    const { status, body } = await acme.post('/v1/forms', String.raw`{"title": "\ud83d\ude00 \u00e9 \u0000"}`)
    expect([status, body.title]).toEqual([201, '😀 é \u0000'])
    expect((await acme.get(`/v1/forms/${body.id}`)).body.title).toBe(body.title)
  })
})
