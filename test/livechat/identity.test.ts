import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { renewSecret } from '../support/chat/settings.ts'

let app: TestApp
let acme: TestTenant
let chat: Awaited<ReturnType<typeof openChat>>
let secret: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  chat = await openChat(app, acme)
  secret = await renewSecret(app, acme, chat.sourceId)
})
afterAll(() => app.close())

const FORGED = "it must be a JWT signed by HS256 with the source's secret"
const bytes = (text: string) => new TextEncoder().encode(text)
const seconds = () => Math.floor(app.clock.now() / 1000)
const claims = (more: object = {}) => ({ email: 'ada@acme.test', name: 'Ada Lovelace', exp: seconds() + 60, ...more })

function signed(payload: object, key = secret) {
  return new SignJWT({ ...payload }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(bytes(key))
}

const contactOf = async (conversationId: string) => {
  const { contactId } = (await acme.get(`/v1/tickets/${conversationId}`)).body
  return (await acme.get(`/v1/contacts/${contactId}`)).body
}

describe('an identity signed with the source’s secret', () => {
  test('is the contact who has the address', async () => {
    const known = (await acme.post('/v1/contacts', { email: 'Ada@acme.test', name: 'Countess' })).body
    const { token } = await chat.visitor({ identity: await signed(claims()), name: 'Eve', email: 'eve@evil.test' })
    const { conversationId, message } = (await chat.start(token)).body
    expect(await contactOf(conversationId)).toEqual(known)
    expect(message.author).toEqual({ type: 'contact', name: 'Countess' })
  })

  test('makes the contact with the first message, once', async () => {
    const { token } = await chat.visitor({ identity: await signed(claims()) })
    expect((await acme.get('/v1/contacts')).body.items).toEqual([])
    const first = await contactOf((await chat.start(token)).body.conversationId)
    expect(first).toMatchObject({ email: 'ada@acme.test', name: 'Ada Lovelace', source: 'livechat' })
    const again = await chat.visitor({ identity: await signed(claims()) })
    expect(await contactOf((await chat.start(again.token)).body.conversationId)).toEqual(first)
    expect((await acme.get('/v1/contacts')).body.items).toHaveLength(1)
  })

  test('gives what an anonymous visitor wrote to the contact that they turn out to be', async () => {
    const known = (await acme.post('/v1/contacts', { email: 'ada@acme.test' })).body
    const { visitorId, token } = await chat.visitor({ name: 'A', email: 'ada@acme.test' })
    const { conversationId } = (await chat.start(token)).body
    expect((await contactOf(conversationId)).id).not.toBe(known.id)
    const proved = await chat.call('POST', '/visitors', token, { identity: await signed(claims()) })
    expect(proved.body).toEqual({ visitorId, token })
    expect((await contactOf(conversationId)).id).toBe(known.id)
    expect((await chat.write(token, conversationId, { text: 'Me again' })).body.author.name).toBe('Ada Lovelace')
    const tickets = (await acme.get(`/v1/tickets?contact_id=${known.id}`)).body.items
    expect(tickets.map(({ id }: { id: string }) => id)).toEqual([conversationId])
  })

  test('of somebody else on the same computer makes another visitor, who reads nothing of the first', async () => {
    const ada = await chat.visitor({ identity: await signed(claims()) })
    const { conversationId } = (await chat.start(ada.token)).body
    const identity = await signed(claims({ email: 'grace@acme.test', name: 'Grace' }))
    const grace = (await chat.call('POST', '/visitors', ada.token, { identity })).body
    expect(grace.visitorId).not.toBe(ada.visitorId)
    expect((await chat.conversations(grace.token)).body.items).toEqual([])
    expect((await chat.read(grace.token, conversationId)).status).toBe(404)
    expect((await contactOf(conversationId)).email).toBe('ada@acme.test')
    const same = await chat.call('POST', '/visitors', ada.token, { identity: await signed(claims()) })
    expect(same.body).toEqual(ada)
    // What they type themselves is not believed any more.
    await chat.call('POST', '/visitors', ada.token, { name: 'Eve', email: 'eve@evil.test' })
    expect((await contactOf(conversationId)).email).toBe('ada@acme.test')
  })
})

describe('no identity is', () => {
  const cases: [string, () => Promise<string> | string, string][] = [
    ['one that has expired', () => signed(claims({ exp: seconds() })), 'it has expired'],
    ['one without an end', () => signed(claims({ exp: undefined })), 'its exp is missing or does not hold'],
    ['one without an address', () => signed(claims({ email: undefined })), 'its email is missing or does not hold'],
    ['one without a name', () => signed(claims({ name: undefined })), 'its name is missing or does not hold'],
    ['one whose end is no number', () => signed(claims({ exp: 'never' })), 'its exp is missing or does not hold'],
    ['one whose address is none', () => signed(claims({ email: 'ada' })), 'its email must be an email address'],
    [
      'one whose address is no text',
      () => signed(claims({ email: ['a@b.test'] })),
      'its email must be an email address',
    ],
    ['one whose name is blank', () => signed(claims({ name: ' ' })), 'its name must be 1 to 255 characters'],
    ['one that begins later', () => signed(claims({ nbf: seconds() + 60 })), 'its nbf is missing or does not hold'],
    ['one signed with another secret', () => signed(claims(), `${secret}x`), FORGED],
    ['one that is not signed', () => new UnsecuredJWT({ ...claims() }).encode(), FORGED],
    ['one signed with HS512', () => by('HS512', bytes(secret.repeat(2))), FORGED],
    ['one signed by RS256', async () => by('RS256', (await generateKeyPair('RS256')).privateKey), FORGED],
    ['one that was changed', async () => changed(await signed(claims())), FORGED],
    ['a text', () => 'x', FORGED],
  ]
  const by = (alg: string, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT({ ...claims() }).setProtectedHeader({ alg }).sign(key)

  test.each(cases)('%s', async (_, make, rule) => {
    const { status, body } = await chat.call('POST', '/visitors', null, { identity: await make() })
    expect([status, body]).toEqual([400, problem('invalid_request', `identity: ${rule}`)])
  })

  test('one of another source, nor one from before the secret was renewed', async () => {
    const other = await openChat(app, acme)
    const theirs = await renewSecret(app, acme, other.sourceId)
    expect((await chat.call('POST', '/visitors', null, { identity: await signed(claims(), theirs) })).status).toBe(400)
    const old = await signed(claims())
    await renewSecret(app, acme, chat.sourceId)
    expect((await chat.call('POST', '/visitors', null, { identity: old })).status).toBe(400)
    const fresh = await openChat(app, acme)
    const { body } = await fresh.call('POST', '/visitors', null, { identity: old })
    expect(body.message).toBe('identity: this source has no secret yet')
  })
})

function changed(token: string): string {
  const [head, , signature] = token.split('.')
  const payload = Buffer.from(JSON.stringify(claims({ email: 'eve@evil.test' }))).toString('base64url')
  return [head, payload, signature].join('.')
}
