import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { bodyOf, type DocumentedOperation, documentOf, keyedOperationsOf } from '../../support/api/conformance.ts'
import { furnish } from '../../support/api/furnished.ts'
import { type Malformed, malformedRequests } from '../../support/api/malformed.ts'
import { type PathIds, pathWith } from '../../support/api/routes.ts'
import { snapshot } from '../../support/api/snapshot.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { everyQuestion } from '../../support/forms/questions.ts'
import { PATIENCE } from '../../support/patience.ts'

/** Over all operations; TEST_SEED repeats a run that failed. */
const REQUESTS = 6000
const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))

const app: TestApp = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '100000000' } })
const document = await documentOf(app)
const operations = keyedOperationsOf(document).map((operation) => ({
  ...operation,
  path: operation.path.replace(/\{(\w+)\}/g, ':$1'),
}))
const weights = operations.map(({ requestBody }): number => (requestBody ? 4 : 1))
const unit = REQUESTS / weights.reduce((a, b) => a + b)

let acme: TestTenant
let ids: PathIds
let sent = 0

beforeAll(async () => {
  const furnished = await furnish(await app.createTenant())
  acme = furnished.tenant
  ids = furnished.ids
})
afterAll(() => app.close())

/** As they are sent, with every field of their type. */
const questions = everyQuestion.map(({ settings, ...common }) => ({ ...common, ...settings }))

/** Bodies with more in them than the document's examples. */
const richer: Record<string, object> = {
  createForm: {
    title: 'Everything',
    description: 'All types',
    active: true,
    pages: [
      { title: 'First', questions: questions.slice(0, 10) },
      { title: 'Second', questions: questions.slice(10) },
    ],
  },
  createContact: { email: 'a@furnished.test', name: 'A', lastName: 'B', phone: '1', groupIds: [1] },
  updateContact: { email: 'a@furnished.test', name: 'A', lastName: 'B', phone: '1', groupIds: [1] },
  upsertContact: { name: 'A', lastName: 'B', phone: '1', groupIds: [1] },
  setTicketStatus: { status: 'pending', snoozedUntil: '2030-01-01T00:00:00Z' },
  replyToTicket: { html: '<p>Yes</p>', text: 'Yes' },
  createWebhook: {
    name: 'CRM',
    url: 'https://hooks.acme.test/',
    events: ['ticket.created'],
    active: true,
    secret: 's',
  },
  updateWebhook: {
    name: 'CRM',
    url: 'https://hooks.acme.test/',
    events: ['ticket.created'],
    active: true,
    secret: 's',
  },
  upsertArticle: { title: 'T', content: 'C', format: 'text', canonicalUrl: 'https://acme.test/t' },
}

test.each(operations.map((operation, index) => [operation.operationId, operation, weights[index] as number] as const))(
  '%s refuses whatever is malformed, says where and why, and writes nothing',
  async (_, operation, weight) => {
    const before = await snapshot(app)
    const body = richer[operation.operationId] ?? bodyOf(document, operation)
    await fc.assert(
      fc.asyncProperty(malformedRequests(document, operation, ids, body), async (request) => {
        sent++
        expect(await fault(operation, request)).toBeNull()
      }),
      { seed, numRuns: Math.ceil(unit * weight) },
    )
    expect(await snapshot(app)).toEqual(before)
  },
)

test(`at least 5,000 were sent (seed ${seed})`, () => {
  expect(sent).toBeGreaterThanOrEqual(5000)
})

/** What is wrong with the answer to a malformed request, or null. */
async function fault(operation: DocumentedOperation, request: Malformed): Promise<string | null> {
  const query = request.query === undefined ? '' : `?${request.query}`
  const response = await fetch(app.url + pathWith(operation.path, request.ids ?? ids) + query, {
    method: operation.method,
    headers: { 'x-api-key': acme.key, ...request.headers },
    signal: AbortSignal.timeout(PATIENCE),
    ...(request.body === undefined ? {} : { body: request.body as BodyInit }),
  })
  const text = await response.text()
  const seen = `${response.status} ${text.slice(0, 500)}`
  if (response.status !== request.status) return seen
  const { error, message } = JSON.parse(text)
  if (error !== (request.status === 404 ? 'not_found' : 'invalid_request')) return seen
  if (request.status === 404) return message ? null : seen
  const place = /^(.+?): .+$/s.exec(message)?.[1]
  if (place === undefined) return `${seen} names no place`
  const { place: expected } = request
  return !expected || place.startsWith(expected) || expected.startsWith(place) ? null : `${seen} names another place`
}
