import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { linkAllEntries } from '../../src/audit/chain.ts'
import { chainKeyOf } from '../../src/audit/key.ts'
import { setCustomValue } from '../../src/contacts/fields/custom-fields.ts'
import { customFields, responses } from '../../src/db/schema.ts'
import { closeForm, reopenForm, trashForm } from '../../src/forms/publishing.ts'
import { recordKeyUse, revokeKey } from '../../src/keys/operations.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { documentOf, keyedOperationsOf } from '../support/api/conformance.ts'
import { createTestContact, createTestGroup } from '../support/api/contacts.ts'
import { furnish } from '../support/api/furnished.ts'
import { type PathIds, pathWith } from '../support/api/routes.ts'
import { copyRows, markRows, removeRows, rowsOf } from '../support/api/twins.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { answersTo, createPublished } from '../support/forms/collecting.ts'
import { createTestUpload, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { signedEvent, startStripe } from '../support/servers/stripe.ts'
import { passWindow } from '../support/webhooks/webhooks.ts'

/*
 * Ids that count within a tenant are the same numbers everywhere, and nothing but the condition on the tenant keeps the
 * others apart. So here two tenants have every id in common: a condition that is missing anywhere shows or changes what
 * is the other's.
 */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** What stands in all that was written for either. */
const MARKS = { first: '†', second: '‡' } as const

const stripe = await startStripe()
afterAll(() => stripe.stop())

/** Two tenants with the same rows but for their marks; `ids` are both's. */
async function twins() {
  const app = await startApp({
    environment: {
      ...stripe.environment,
      FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
      FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  })
  const first = await app.createTenant()
  const { ids, references } = await furnish(first)
  const begun = await beginAll(app, first)
  // Its keys' use is stored now, and not in the middle of what the other changes.
  app.clock.advance(MINUTE)
  await first.get('/v1/me')
  const second = await app.createTenant()
  // What was written in common is linked by now, and not in the middle of what one of them changes.
  await linkAllEntries(app.database, chainKeyOf(app.deps.secrets))
  // Nor is either told of what was left alone, while the clock goes on for one of them.
  await app.database.transaction((tx) => tx.update(responses).set({ tellAt: null }))
  await copyRows(app, first, second)
  await markRows(app, first, MARKS.first)
  await markRows(app, second, MARKS.second)
  return { app, first, second, ids, references, begun }
}

type Twins = Awaited<ReturnType<typeof twins>>

/** Where nothing listens: what is sent there fails at once. */
const NOBODY = { name: 'Nobody', url: 'http://127.0.0.1:9/', events: ['contact.created_or_updated'] }

/**
 * What only some changes need: a key, answers that have begun, something to pay, an answered request, a second group, a
 * delivery that waits.
 */
async function beginAll(app: TestApp, tenant: TestTenant) {
  const form = await createPublished(tenant, [
    { type: 'textbox', text: 'What' },
    questionBody('file_upload'),
    questionBody('contact_details'),
  ])
  const partial = (await respondent(app, form).begin(['It'])).body as { id: string; resumeToken: string }
  const uploadId = await createTestUpload(tenant, form)
  const shop = await createPublished(tenant, [{ type: 'payment', text: 'Pay', amount: 3000, currency: 'EUR' }])
  const owing = (await respondent(app, shop).begin([{}], true)).body as { id: string; resumeToken: string }
  await pay(app, shop.launchCode, owing)
  const owingMore = (await respondent(app, shop).begin([{}], true)).body as { id: string; resumeToken: string }
  const session = stripe.at((await pay(app, shop.launchCode, owingMore)).body.url)
  const [field] = await tenant.perform((tx) =>
    tx.select().from(customFields).where(eq(customFields.tenantId, tenant.tenantId)),
  )
  const request = { email: 'once@acme.test' }
  await tenant.post('/v1/contacts', request, { 'idempotency-key': 'once' })
  const group = await createTestGroup(tenant, 'Second')
  await createTestContact(tenant, { email: 'member@acme.test', groupIds: [group.id] })
  const { keyId } = await tenant.createKey()
  const webhookId = (await tenant.post('/v1/webhooks', NOBODY)).body.id as string
  await createTestContact(tenant)
  await passWindow(app)
  await tenant.put(`/v1/webhooks/${webhookId}`, { ...NOBODY, active: false })
  return {
    form,
    partial,
    uploadId,
    shop,
    owing,
    session,
    webhookId,
    fieldId: field?.id as string,
    request,
    group,
    keyId,
  }
}

function pay(app: TestApp, launchCode: string, { id, resumeToken }: { id: string; resumeToken: string }) {
  return app.request('POST', `/f/${launchCode}/responses/${id}/checkout`, { body: { resumeToken } })
}

/** Every `GET` of the API, as the tenant, without what tells whose key it was. */
async function readAll({ app, ids }: Pick<Twins, 'app' | 'ids'>, tenant: TestTenant): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const { method, path } of keyedOperationsOf(await documentOf(app))) {
    if (method !== 'GET' || path === '/v1/me') continue
    const url = pathWith(path.replace(/\{(\w+)\}/g, ':$1'), ids)
    for (const query of path.endsWith('/articles') ? ['', '?query=send'] : ['']) {
      const { status, text } = await tenant.get(url + query)
      answers[path + query] = `${status} ${text}`
    }
  }
  return answers
}

test.each(['first', 'second'] as const)(
  'what the %s tenant reads is its own, and the same without the other',
  async (who) => {
    const both = await twins()
    try {
      const other = who === 'first' ? 'second' : 'first'
      const answers = await readAll(both, both[who])
      for (const [path, answer] of Object.entries(answers)) expect([path, answer.slice(0, 3)]).toEqual([path, '200'])
      expect(Object.values(answers).filter((answer) => answer.includes(MARKS[other]))).toEqual([])
      await removeRows(both.app, both[other])
      expect(await readAll(both, both[who])).toEqual(answers)
    } finally {
      await both.app.close()
    }
  },
)

describe.each(['first', 'second'] as const)('what the %s tenant changes is its own:', (who) => {
  let both: Twins
  let mine: TestTenant
  let theirs: TestTenant
  const otherMark = MARKS[who === 'first' ? 'second' : 'first']

  beforeAll(async () => {
    both = await twins()
    mine = both[who]
    theirs = both[who === 'first' ? 'second' : 'first']
  })
  afterAll(() => both.app.close())

  type Change = (it: Twins & { ids: PathIds; me: TestTenant }) => Promise<unknown>
  const launchCode = (code: string) => (who === 'first' ? code : `${code}x`)

  const changes: Record<string, Change> = {
    'an answered request': ({ me, begun }) =>
      expectStatus(201, me.post('/v1/contacts', begun.request, { 'idempotency-key': 'once' })),
    'a new contact': ({ me }) => expectStatus(201, me.post('/v1/contacts', { email: 'new@furnished.test' })),
    'a contact': ({ me, ids, references, begun }) =>
      expectStatus(
        200,
        me.put(`/v1/contacts/${ids.contacts}`, {
          phone: '+1',
          groupIds: [begun.group.id],
          organisationId: references.organisationId,
        }),
      ),
    'a contact’s consent': async ({ me, ids }) => {
      await expectStatus(200, me.post(`/v1/contacts/${ids.contacts}/unsubscribe`))
      await expectStatus(200, me.post(`/v1/contacts/${ids.contacts}/subscribe`))
    },
    'a custom value': ({ me, ids, begun: { fieldId } }) =>
      me.perform((tx, caller) =>
        setCustomValue(tx, caller, { contactId: ids.contacts as string, fieldId, value: { stringValue: 'free' } }),
      ),
    'a new form': ({ me, references: { workspaceId } }) =>
      expectStatus(201, me.post('/v1/forms', { title: 'Mine', workspaceId })),
    'a response, with a file': async ({ app, me, begun: { form, partial, uploadId } }) => {
      const its = { ...form, launchCode: launchCode(form.launchCode) }
      const answers = [undefined, [{ slot: 1, uploadId }], { email: 'new@acme.test' }]
      await expectStatus(200, respondent(app, its).resume(partial, answers))
      await expectStatus(200, respondent(app, its).resume(partial, [undefined, []]))
      await expectStatus(200, respondent(app, its).resume(partial, answers, true))
      await expectStatus(200, me.get(`/v1/forms/${form.id}/responses/${partial.id}`))
    },
    'a response that names a file at once': async ({ app, begun: { form, partial } }) => {
      const its = { ...form, launchCode: launchCode(form.launchCode) }
      const { body } = await respondent(app, its).upload('text', 'a.txt')
      const answers = answersTo(its, ['x', [{ slot: 1, uploadId: body.uploadId }]])
      await expectStatus(201, app.request('POST', `/f/${its.launchCode}/responses`, { body: { answers } }))
      await expectStatus(409, respondent(app, its).resume(partial, ['late']))
    },
    'a payment': async ({ app, begun: { shop, owing } }) => {
      const open = async () => {
        const { status, body } = await pay(app, launchCode(shop.launchCode), owing)
        expect(status).toBe(200)
        return stripe.at(body.url)
      }
      const expired = Object.assign(await open(), { status: 'expired', url: null })
      await notify(app, 'expired', expired)
      await notify(app, 'completed', stripe.pay(await open()))
    },
    // Only the first has the very session that was paid: the copy of another cannot have its id.
    'a payment begun before': async ({ app, begun: { session } }) => {
      const its = who === 'first' ? session : { ...session, id: `${session.id}x` }
      const paid = { ...its, status: 'complete', payment_status: 'paid', payment_intent: 'pi_before' }
      await notify(app, 'completed', paid)
    },
    'a ticket': async ({ me, ids }) => {
      const path = `/v1/tickets/${ids.tickets}`
      await expectStatus(200, me.put(`${path}/status`, { status: 'pending' }))
      await expectStatus(201, me.post(`${path}/replies`, { html: '<p>On its way</p>' }))
      await me.perform((tx, caller) => addNote(tx, caller, ids.tickets as string, { text: 'Mine' }))
      await me.perform((tx, caller) => receiveMessage(tx, caller, ids.tickets as string, { text: 'Thanks' }))
    },
    'a ticket whose mail is refused': async ({ app, me, ids }) => {
      const { email } = app.deps.channels
      const { deliver } = email
      email.deliver = () => Promise.reject(new Error('refused'))
      await expectStatus(502, me.post(`/v1/tickets/${ids.tickets}/replies`, { html: '<p>Lost</p>' }))
      email.deliver = deliver
    },
    'an article': async ({ me, ids }) => {
      const path = `/v1/livechat/sources/${ids.sources}/articles/${ids.articles}`
      await expectStatus(200, me.put(path, { title: 'Mine' }))
      await expectStatus(204, me.delete(path))
    },
    'a subscription and its deliveries': async ({ app, me, ids }) => {
      const path = `/v1/webhooks/${ids.webhooks}`
      await expectStatus(200, me.put(path, NOBODY))
      await expectStatus(202, me.post(`${path}/deliveries/${ids.deliveries}/redeliver`))
      await me.post('/v1/contacts', { email: 'told@acme.test' })
      await app.runDue()
      for (const minutes of [1, 2, 8, 30, 30]) {
        app.clock.advance(minutes * MINUTE)
        await app.runDue()
      }
      await expectStatus(200, me.put(path, { ...NOBODY, active: false }))
      await expectStatus(204, me.delete(path))
    },
    'a delivery that waits': async ({ app, me, begun: { webhookId } }) => {
      const path = `/v1/webhooks/${webhookId}`
      await expectStatus(200, me.put(path, NOBODY))
      await app.runDue()
      await expectStatus(200, me.put(path, { ...NOBODY, active: false }))
      await expectStatus(204, me.delete(path))
    },
    'its keys': async ({ me, begun: { keyId } }) => {
      await me.perform((tx, caller) => revokeKey(tx, caller, keyId))
      await me.perform((tx, { tenantId, at }) => recordKeyUse(tx, new Map([[keyId, { tenantId, at }]])))
    },
    'an answered request that is forgotten': async ({ app, me }) => {
      app.clock.advance(DAY)
      await expectStatus(201, me.post('/v1/contacts', { email: 'twice@acme.test' }, { 'idempotency-key': 'once' }))
    },
    'what it takes away': async ({ me, ids }) => {
      await expectStatus(204, me.delete(`/v1/contacts/${ids.contacts}`))
      await me.perform((tx, caller) => closeForm(tx, caller, ids.forms as string))
      await me.perform((tx, caller) => reopenForm(tx, caller, ids.forms as string))
      await me.perform((tx, caller) => trashForm(tx, caller, ids.forms as string))
    },
  }

  test.each(Object.entries(changes))('%s', async (_, change) => {
    const before = await rowsOf(both.app, theirs)
    await change({ ...both, me: mine })
    expect(await rowsOf(both.app, theirs)).toEqual(before)
    const rows = await rowsOf(both.app, mine)
    expect(Object.keys(rows).filter((table) => rows[table]?.includes(otherMark))).toEqual([])
  })

  async function notify(app: TestApp, type: string, session: object) {
    const { body, headers } = await signedEvent(app.clock, `checkout.session.${type}`, session)
    await expectStatus(200, app.request('POST', '/stripe/webhook', { body, headers }))
  }

  async function expectStatus(status: number, request: Promise<{ status: number; text: string }>) {
    const answer = await request
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)])
    expect(answer.text).not.toContain(otherMark)
  }
})
