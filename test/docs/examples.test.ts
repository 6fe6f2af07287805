import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Reader } from '../../src/db/index.ts'
import { tags, users } from '../../src/db/schema.ts'
import { findExamples } from '../../src/demo/examples.ts'
import { type Demo, prepareDemo } from '../../src/demo/index.ts'
import type { Media, OpenApiDocument, Parameter } from '../../src/docs/types.ts'
import { formExamples } from '../../src/forms/examples.ts'
import { questionTypeNames } from '../../src/forms/question-types/index.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import { MAX_TAGS } from '../../src/tags/operations.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import {
  conformance,
  type DocumentedOperation,
  documentOf,
  keyedOperationsOf,
  operationsOf,
  resolved,
} from '../support/api/conformance.ts'
import { beginImport } from '../support/api/contacts.ts'
import { furnish, tellingIds } from '../support/api/furnished.ts'
import { makesItsRecord, type PathIds, pathWith } from '../support/api/routes.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { png } from '../support/forms/hosted.ts'
import { refusal, startMailServer } from '../support/mail/server.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let document: OpenApiDocument

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '1000' } })
  document = await documentOf(app)
})
afterAll(() => app.close())

/** What "Try it out" would send: each example, or no body. */
function bodiesOf({ requestBody }: DocumentedOperation): unknown[] {
  const media = requestBody?.content['application/json'] as Media | undefined
  if (!media) return [undefined]
  return media.examples ? Object.values(media.examples).map(({ value }) => value) : [media.example]
}

/** A chat of the furnished source, for the operations that take a visitor's token: its ids, and who sends what. */
async function chatting(service: TestApp, ids: PathIds, sourceId = ids.sources as string) {
  const chat = await openChat(service, sourceId)
  const { token } = await chat.visitor()
  const { conversationId } = (await chat.start(token)).body
  return {
    ids: { ...ids, chat: sourceId, conversations: conversationId as string },
    keyFor: (operation: DocumentedOperation, key: string) => (operation['x-scope'] === 'visitor' ? token : key),
  }
}

test('"Try it out" works: every operation takes its example and answers as documented', async () => {
  const faultsOf = conformance(document)
  for (const operation of keyedOperationsOf(document)) {
    for (const body of bodiesOf(operation)) {
      const { tenant, ids } = await furnish(await app.createTenant())
      const path = pathWith(operation.path.replace(/\{(\w+)\}/g, ':$1'), ids)
      const answer = await app.request(operation.method, path, { key: tenant.key, body })
      expect(faultsOf(operation, answer)).toEqual([])
      if (answer.status >= 300) throw new Error(`${operation.operationId}: ${answer.status} ${answer.text}`)
    }
  }
})

test('the examples of a form to create show every question type', () => {
  const examples = Object.values(formExamples).map(({ value }) => JSON.stringify(value))
  expect(questionTypeNames.filter((type) => !examples.some((text) => text.includes(`"type":"${type}"`)))).toEqual([])
  const shown = document.paths['/v1/forms']?.post?.requestBody?.content['application/json']?.examples
  expect(Object.keys(shown ?? {})).toEqual(Object.keys(formExamples))
})

describe('in a demo', () => {
  const order = ['GET', 'POST', 'PUT', 'DELETE']

  test('"Try it out" works as it stands: the ids are those of the demo, and none of anybody else’s', async () => {
    const environment = { FRONTDESK_WEBHOOK_TIMEOUT_MS: '200' }
    let made: Demo | undefined
    const examples = (db: Reader) => findExamples(db, made?.tenantId ?? '', made?.guest ?? null)
    const demo = await startApp({ environment, replace: { examples } })
    const { dataDir } = demo.deps.config
    const other = await furnish(await demo.createTenant('Other'))
    made = await prepareDemo(
      demo.database,
      { dataDir, files: demo.deps.files, secrets: demo.deps.secrets },
      demo.clock.now(),
    )
    const shown = await documentOf(demo)
    const faultsOf = conformance(shown)
    expect(tellingIds(other).filter((id) => JSON.stringify(shown).includes(id))).toEqual([])

    const { visitor } = shown.components.securitySchemes as Record<string, { 'x-example': string }>
    const depth = ({ method, path }: DocumentedOperation) => (method === 'DELETE' ? path.split('/').length : 0)
    // What lies within something is deleted before it.
    const operations = operationsOf(shown).toSorted(
      (a, b) => order.indexOf(a.method) - order.indexOf(b.method) || depth(b) - depth(a),
    )
    for (const operation of operations) {
      const { operationId, method } = operation
      const path = pathOf(shown, operation)
      const key = operation['x-scope'] === 'visitor' ? visitor?.['x-example'] : made.key
      for (const example of bodiesOf(operation)) {
        const body = /^upload(Chat)?File$/.test(operationId) ? aFile() : example
        const answer = await demo.request(method, path, { key: key ?? null, body })
        expect(faultsOf(operation, answer)).toEqual([])
        // What the demo cannot do: it has no payment provider.
        const worked = operationId === 'payResponse' ? answer.status === 409 : answer.status < 300
        if (!worked) throw new Error(`${operationId} ${path}: ${answer.status} ${answer.text}`)
      }
    }
    await demo.close()
  })

  test('a service that is none shows nobody’s ids', async () => {
    const { tenant, ids } = await furnish(await app.createTenant())
    const text = (await app.request('GET', '/docs/json')).text
    const own = [tenant.tenantId, ...tellingIds({ ids })]
    expect(own.filter((id) => text.includes(id))).toEqual([])
  })
})

function aFile(size = png.length): FormData {
  const form = new FormData()
  form.set('file', new File([png, new Uint8Array(size - png.length)], 'a.png'))
  return form
}

/** The path with the example of each parameter in its place. */
function pathOf(from: OpenApiDocument, { path, parameters }: DocumentedOperation): string {
  const examples = parameters.map((parameter) => resolved<Parameter>(from, parameter))
  return path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(examples.find((parameter) => parameter.name === name)?.example)),
  )
}

describe('the examples of errors are what their operation says', () => {
  const exampleOf = ({ responses }: DocumentedOperation, status: number) => {
    const answer = responses[status]
    return answer && resolved(document, answer).content?.['application/json']?.example
  }
  const asItIs = (operation: DocumentedOperation) => operation.path.replace(/\{(\w+)\}/g, ':$1')

  test('404: each names what is not there', async () => {
    const { tenant, ids: furnished } = await furnish(await app.createTenant())
    const { ids, keyFor } = await chatting(app, furnished)
    // A contact that is not there is made.
    const naming = ({ path }: DocumentedOperation) => path.includes('{') && !makesItsRecord({ path })
    for (const operation of operationsOf(document).filter(naming)) {
      const path = asItIs(operation)
      const last = [...path.matchAll(/([\w-]+)\/:\w+/g)].at(-1)?.[1] as string
      // An article that is not there is made.
      const owner = operation.operationId === 'upsertArticle' ? 'sources' : last
      const missing = { ...ids, [owner]: owner === 'articles' ? 'nothing' : Bun.randomUUIDv7() }
      const [example] = bodiesOf(operation)
      // The form has no such questions, which would be a 400.
      const body = operation.operationId === 'continueResponse' ? { ...(example as object), answers: [] } : example
      const answer = await app.request(operation.method, pathWith(path, missing), {
        key: keyFor(operation, tenant.key),
        body,
      })
      expect([operation.operationId, answer.status, answer.body]).toEqual([
        operation.operationId,
        404,
        { ...(exampleOf(operation, 404) as object), requestId: expect.any(String) },
      ])
    }
  })

  test('400: each names a place and a rule of its operation', async () => {
    const { tenant, ids: furnished } = await furnish(await app.createTenant())
    const { ids, keyFor } = await chatting(app, furnished)
    for (const operation of operationsOf(document)) {
      const example = exampleOf(operation, 400) as { message: string; requestId: string }
      const { query, body } = await breaking(operation, example.message, ids)
      const path = pathWith(asItIs(operation), ids) + query
      const answer = await app.request(operation.method, path, { key: keyFor(operation, tenant.key), body })
      const id = operation.operationId
      const text = JSON.stringify({ ...answer.body, requestId: example.requestId })
      expect([id, answer.status, text.replaceAll(/question \d+/g, 'question 11')]).toEqual([
        id,
        400,
        JSON.stringify(example),
      ])
    }
  })

  test('409, 413, 422 and 502 are those of the operation', async () => {
    const provoked = await provoke()
    for (const operation of operationsOf(document)) {
      for (const status of [409, 413, 422, 502]) {
        const example = exampleOf(operation, status) as
          | { error: string; message: string; contactId?: string; requestId: string }
          | undefined
        // What any operation says, of retries and of bodies, has tests of its own.
        if (!example || /^(Idempotency-Key|body):/.test(example.message)) continue
        const answer = provoked[`${operation.operationId} ${status}`]
        // Without Stripe there is no other; test/payments has one.
        if (operation.operationId === 'payResponse' && status === 502) continue
        const { contactId, requestId: _, ...said } = answer?.body ?? {}
        const { contactId: shown, requestId: __, ...expected } = example
        expect([operation.operationId, said, typeof contactId]).toEqual([operation.operationId, expected, typeof shown])
      }
    }
  })

  /** A request that breaks the rule of the message. */
  async function breaking(operation: DocumentedOperation, message: string, ids: Readonly<Record<string, string>>) {
    const [body] = bodiesOf(operation) as Record<string, unknown>[]
    const missing = /^(\w+): is required$/.exec(message)?.[1]
    if (missing) return { query: '', body: { ...body, [missing]: undefined } }
    if (message === 'nonsense: unknown field') return { query: '', body: { ...body, nonsense: 1 } }
    if (message === 'nonsense: unknown query parameter') return { query: '?nonsense=1', body }
    if (message.startsWith('limit:')) return { query: '?limit=x', body }
    return { query: '', body: await special[operation.operationId]?.(ids) }
  }

  const special: Record<string, (ids: Readonly<Record<string, string>>) => unknown> = {
    createForm: () => ({ title: 'Plans', questions: [{ type: 'nps' }, { type: 'choose_one', options: ['Free'] }] }),
    uploadFile: () => ({}),
    mailResponseLink: () => ({ resumeToken: 'x', email: 'nobody' }),
    beginResponse: async ({ f }) => {
      const { pages } = (await app.request('GET', `/f/${f}/definition`)).body
      const { id } = pages[0].questions.find(({ type }: { type: string }) => type === 'nps')
      return { answers: [{ questionId: id, value: 11 }], complete: true }
    },
  }

  /** Answers of each kind, by operation and status. */
  async function provoke(): Promise<Record<string, Answer>> {
    const { tenant, ids } = await furnish(await app.createTenant())
    await tenant.post('/v1/contacts', { email: 'twice@acme.test' })
    const chat = await createTicket(tenant, { inboxId: (await createChatInbox(tenant)).id })
    const ownerless = await app.createTenant()
    const full = await withAllTags()
    await app.database.transaction((tx) => tx.delete(users).where(eq(users.tenantId, ownerless.tenantId)))
    const delivery = `/v1/webhooks/${ids.webhooks}/deliveries/${ids.deliveries}/redeliver`
    await tenant.put(`/v1/webhooks/${ids.webhooks}`, {
      name: 'CRM',
      url: 'https://x.test',
      events: ['ticket.created'],
      active: false,
    })
    await tenant.post(delivery)
    const response = async (complete: boolean) => {
      const { body } = await app.request('POST', `/f/${ids.f}/responses`, { body: { answers: [], complete } })
      return { path: `/f/${ids.f}/responses/${body.id}`, token: { resumeToken: body.resumeToken } }
    }
    const email = 'ada@acme.test'
    const [partial, whole] = [await response(false), await response(true)]
    const over = (await tenant.post('/v1/forms', { title: 'Over' })).body.id
    await tenant.perform((tx, caller) => changeSettings(tx, caller, over, { closes: '2026-02-01T12:00:00.000Z' }))
    return {
      'createContact 409': await tenant.post('/v1/contacts', { email: 'TWICE@acme.test' }),
      'updateContact 409': await tenant.put(`/v1/contacts/${ids.contacts}`, { email: 'twice@acme.test' }),
      'updateForm 409': await tenant.put(`/v1/forms/${over}`, { title: 'Over', active: true }),
      'updateGroup 409': await tenant.put(`/v1/groups/${ids.groups}`, { consentWording: 'Everything' }),
      'deleteGroup 409': await whileImporting(tenant, Number(ids.groups)),
      'createForm 422': await ownerless.post('/v1/forms', { title: 'Survey' }),
      'replyToTicket 422': await tenant.post(`/v1/tickets/${chat.id}/replies`, { html: '<p>Hello</p>' }),
      'replyToTicket 502': await unsent(),
      'createTicket 409': await full.post('/v1/tickets', { email: 'a@x.test', subject: 'A', text: 'A', tags: ['new'] }),
      'createTicket 422': await ownerless.post('/v1/tickets', { email: 'a@x.test', subject: 'A', text: 'A' }),
      'setTicketStatus 422': await ofMerged(tenant, 'status', { status: 'open' }),
      'setTicketTags 409': await full.put(`/v1/tickets/${(await createTicket(full)).id}/tags`, { tags: ['new'] }),
      'setTicketTags 422': await ofMerged(tenant, 'tags', { tags: [] }),
      'setTicketAssignee 422': await ofMerged(tenant, 'assignee', { userId: null }),
      'setTicketPriority 422': await ofMerged(tenant, 'priority', { priority: 'high' }),
      'uploadFile 413': await app.request('POST', `/f/${ids.f}/uploads`, { body: aFile(10 * 1024 * 1024 + 1) }),
      'uploadChatFile 413': await tooLargeForChat(tenant),
      'redeliverBatch 409': await tenant.post(delivery),
      'replayEvents 409': await replayedTwice(tenant, `/v1/webhooks/${ids.webhooks}/replay`),
      'continueResponse 409': await app.request('PUT', whole.path, { body: { answers: [], ...whole.token } }),
      'payResponse 409': await app.request('POST', `${partial.path}/checkout`, { body: partial.token }),
      'payResponse 422': await app.request('POST', `${whole.path}/checkout`, { body: whole.token }),
      'mailResponseLink 409': await app.request('POST', `${whole.path}/later`, { body: { ...whole.token, email } }),
      'mailResponseLink 422': await app.request('POST', `${partial.path}/later`, { body: { ...partial.token, email } }),
    }
  }

  /** The subscription is switched off: what is sent again waits. */
  async function replayedTwice(tenant: TestTenant, path: string): Promise<Answer> {
    const body = { since: new Date(app.clock.now()).toISOString() }
    await tenant.post('/v1/contacts', { email: 'again@acme.test' })
    expect((await tenant.post(path, body)).status).toBe(202)
    return tenant.post(path, body)
  }

  async function tooLargeForChat(tenant: TestTenant): Promise<Answer> {
    const chat = await openChat(app, tenant)
    const { token } = await chat.visitor()
    return app.request('POST', `${chat.path}/uploads`, { key: token, body: aFile(10 * 1024 * 1024 + 1) })
  }

  /** A tenant with as many tags as there can be. */
  async function withAllTags(): Promise<TestTenant> {
    const tenant = await app.createTenant()
    await createEmailInbox(tenant)
    const rows = Array.from({ length: MAX_TAGS }, (_, index) => {
      const name = `tag ${index}`
      return {
        tenantId: tenant.tenantId,
        id: `${index}`,
        name,
        comparableName: name,
        createdAt: '2026-03-01T09:00:00.000Z',
      }
    })
    await tenant.perform((tx) => tx.insert(tags).values(rows))
    return tenant
  }

  /** Deletes a group that contacts of a file are joining. */
  async function whileImporting(tenant: TestTenant, groupId: number): Promise<Answer> {
    const finish = await beginImport(tenant, [groupId])
    const answer = await tenant.delete(`/v1/groups/${groupId}`)
    await finish()
    return answer
  }

  /** What is said of a ticket that was merged, as if it were the one of the example. */
  async function ofMerged(tenant: TestTenant, what: string, body: object): Promise<Answer> {
    const [merged, other] = [await createTicket(tenant), await createTicket(tenant)]
    await tenant.perform((tx, caller) => mergeTickets(tx, caller, merged.id, other.id))
    const answer = await tenant.put(`/v1/tickets/${merged.id}/${what}`, body)
    const { message } = answer.body
    expect(message).toContain(`${merged.ticketReference} was merged into ${other.ticketReference}:`)
    const ofExample = message.replace(/T-\d+(.*)T-\d+/, 'T-1042$1T-1043')
    return { ...answer, body: { ...answer.body, message: ofExample } }
  }

  /** A reply where nobody takes mail. */
  async function unsent(): Promise<Answer> {
    const server = await startMailServer({ onRcptTo: (_a, _s, done) => done(refusal(550, '5.1.1 no such user')) })
    const mute = await startApp({ environment: { FRONTDESK_SMTP_URL: server.url } })
    const tenant = await mute.createTenant()
    const answer = await tenant.post(`/v1/tickets/${(await createTicket(tenant)).id}/replies`, { html: '<p>Hello</p>' })
    await mute.close()
    await server.close()
    return answer
  }
})
