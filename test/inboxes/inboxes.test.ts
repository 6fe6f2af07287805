import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createInbox } from '../../src/inboxes/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  other = await app.createTenant('Other')
})
afterAll(() => app.close())

function create(tenant: TestTenant, input: { name: string; channel: string; emailAddress?: string }) {
  return tenant.perform((tx, caller) => createInbox(tx, caller, input))
}

test('inboxes are listed whole, newest first, and only the tenant’s own', async () => {
  const mail = await create(acme, { name: ' Support ', channel: 'email', emailAddress: ' Help@Acme.test ' })
  const chat = await create(acme, { name: 'Chat', channel: 'livechat' })
  await create(other, { name: 'Theirs', channel: 'messaging' })
  const answer = await acme.get('/v1/inboxes?limit=1&cursor=whatever')
  expect(answer.status).toBe(200)
  expect(answer.body).toEqual({
    items: [
      {
        id: chat.id,
        name: 'Chat',
        channel: 'livechat',
        emailAddress: null,
        createdAt: '2026-03-01T09:00:00.000Z',
        updatedAt: '2026-03-01T09:00:00.000Z',
      },
      expect.objectContaining({ id: mail.id, name: 'Support', channel: 'email', emailAddress: 'help@acme.test' }),
    ],
    nextCursor: null,
  })
})

test.each([
  ['a blank name', { name: ' ', channel: 'livechat' }, 'name: must be 1 to 255 characters'],
  ['an unknown channel', { name: 'A', channel: 'fax' }, 'channel: must be one of email, livechat, messaging'],
  ['mail without an address', { name: 'A', channel: 'email' }, 'emailAddress: an email inbox needs an email address'],
  ['a bad address', { name: 'A', channel: 'email', emailAddress: 'help' }, 'emailAddress: an email inbox needs'],
  ['a chat with an address', { name: 'A', channel: 'livechat', emailAddress: 'a@b.test' }, 'a livechat inbox has no'],
])('an inbox with %s is refused', async (_, input, message) => {
  expect(await refusalOf(create(acme, input))).toContain(message)
})

test('an address belongs to one inbox, whoever asks second', async () => {
  await create(acme, { name: 'A', channel: 'email', emailAddress: 'one@acme.test' })
  expect(await refusalOf(create(other, { name: 'B', channel: 'email', emailAddress: 'ONE@acme.test' }))).toContain(
    'already exists',
  )
})

test('an address that another tenant’s mail goes to, or that is only spelt in another way, is taken', async () => {
  const of = (tenant: TestTenant, emailAddress: string) => create(tenant, { name: 'A', channel: 'email', emailAddress })
  await of(acme, 'two@müller.test')
  for (const address of ['two@xn--mller-kva.test', 'two+sales@müller.test', 'two+t.1abc@xn--mller-kva.test']) {
    expect(await refusalOf(of(other, address))).toContain('already exists')
  }
  expect(await refusalOf(of(acme, 'two@xn--mller-kva.test'))).toContain('already exists')
  expect((await of(acme, 'two+sales@müller.test')).emailAddress).toBe('two+sales@müller.test')
  expect((await of(other, 'twofold@müller.test')).emailAddress).toBe('twofold@müller.test')
})

test('needs tickets:read', async () => {
  const { key } = await acme.createKey(['tickets:write'])
  expect((await app.request('GET', '/v1/inboxes', { key })).status).toBe(403)
})
