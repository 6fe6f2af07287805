import { afterAll, beforeAll, expect, test } from 'bun:test'
import { problem } from '../../support/api/problem.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '1000' } })
  acme = await app.createTenant()
})
afterAll(() => app.close())

const idOf = ({ headers }: Answer) => headers.get('x-request-id')

test.each([
  ['a field', () => acme.post('/v1/contacts', {}), 400, 'email'],
  [
    'a field in depth',
    () => acme.post('/v1/forms', { title: 'A', pages: [{}, { questions: [{}] }] }),
    400,
    'pages[1].questions[0].type',
  ],
  ['a field with blanks', () => acme.post('/v1/contacts', { email: 'ada@acme.test', 'a: b': 1 }), 400, 'a: b'],
  ['the body', () => acme.post('/v1/contacts', '{'), 400, 'body'],
  ['a parameter', () => acme.get('/v1/contacts?limit=x'), 400, 'limit'],
  [
    'a header',
    () => acme.post('/v1/contacts', { email: 'ada@acme.test' }, { 'idempotency-key': '' }),
    400,
    'Idempotency-Key',
  ],
  ['a parameter, without a key', () => app.request('GET', '/f/none/definition?nonsense=1'), 400, 'nonsense'],
])('an error that names %s says it apart', async (_, send, status, param) => {
  const answer = await send()
  expect([answer.status, answer.body.param, answer.body.requestId]).toEqual([status, param, idOf(answer)])
  expect(answer.body.message).toStartWith(`${param}: `)
})

test.each([
  ['a path that is none', () => acme.get('/v1/nothing'), 'not_found', 'no such path'],
  ['an id that is unknown', () => acme.get(`/v1/contacts/${crypto.randomUUID()}`), 'not_found', 'contact not found'],
])('an error about %s names no place', async (_, send, error, message) => {
  const answer = await send()
  expect(answer.body).toEqual(problem(error, message, { requestId: idOf(answer) }))
  expect(answer.body).not.toHaveProperty('param')
})

test('a conflict keeps its own fields beside them', async () => {
  const { id } = (await acme.post('/v1/contacts', { email: 'grace@acme.test' })).body
  const answer = await acme.post('/v1/contacts', { email: 'grace@acme.test' })
  const details = { contactId: id, requestId: idOf(answer) }
  expect(answer.body).toEqual(problem('conflict', expect.any(String), details))
})

test('a refusal that is replayed is the first one, whole', async () => {
  await acme.post('/v1/contacts', { email: 'alan@acme.test' })
  const send = () => acme.post('/v1/contacts', { email: 'alan@acme.test' }, { 'idempotency-key': 'once' })
  const [first, again] = [await send(), await send()]
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect([again.status, again.text]).toEqual([first.status, first.text])
  expect(again.body.requestId).toBe(idOf(first))
})

test('401 and 429 have no body', async () => {
  const limited = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1' } })
  const tenant = await limited.createTenant()
  await tenant.get('/v1/me')
  const refused = [await limited.request('GET', '/v1/me'), await tenant.get('/v1/me')]
  expect(refused.map(({ status, text }) => [status, text])).toEqual([
    [401, ''],
    [429, ''],
  ])
  await limited.close()
})
