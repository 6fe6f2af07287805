import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { scopes } from '../../src/kinds/scopes.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { signedIn } from '../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
})
afterAll(() => app.close())

const keyIn = (text: string) => /value="(sk_[\w-]+)"/.exec(text)?.[1] ?? ''
const isRefused = async (key: string) => (await app.request('GET', '/v1/me', { key })).status === 401

describe('keys of the API', () => {
  test('are created with what they may do, and shown once', async () => {
    const page = await admin.get('/console/keys/new')
    for (const scope of scopes) expect(page.text).toContain(`value="${scope}"`)
    const made = await admin.post('/console/keys', {
      name: '<b>Website</b>',
      scopes: ['contacts:read', 'forms:read'],
      expires: '2026-03-31',
    })
    expect(made.status).toBe(200)
    expect(made.headers.get('cache-control')).toBe('no-store')
    const key = keyIn(made.text)
    const me = await app.request('GET', '/v1/me', { key })
    expect(me.body).toMatchObject({ scopes: ['forms:read', 'contacts:read'] })
    const list = await admin.get('/console/keys')
    expect(list.text).toContain('&lt;b&gt;Website&lt;/b&gt;')
    expect(list.text).toContain(key.slice(0, 9))
    expect(list.text).not.toContain(key)
    expect([...admin.cookies.values()].join()).not.toContain(key)
    app.clock.advance(Date.parse('2026-04-01T00:00:00.000Z') - app.clock.now())
    expect(await isRefused(key)).toBe(true)
    app.clock.jump(-31 * 24 * 3_600_000)
  })

  test.each([
    ['no name', { name: ' ', scopes: 'forms:read' }, 'field-name'],
    ['a long name', { name: 'x'.repeat(256), scopes: 'forms:read' }, 'field-name'],
    ['no scope', { name: 'Website' }, 'field-scopes'],
    ['a scope that does not exist', { name: 'Website', scopes: ['forms:read', 'all'] }, 'field-scopes'],
    ['a day that is past', { name: 'Website', scopes: 'forms:read', expires: '2020-01-01' }, 'field-expires'],
    ['no day', { name: 'Website', scopes: 'forms:read', expires: 'soon' }, 'field-expires'],
  ])('with %s are not made: the form comes back as it was and says why', async (_, fields, place) => {
    const answer = await admin.post('/console/keys', fields as Record<string, string>)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(`<a href="#${place}">`)
    expect(answer.text).toContain(`id="${place}"`)
    expect(keyIn(answer.text)).toBe('')
    if (fields.name.trim()) expect(answer.text).toContain(`value="${fields.name}"`)
    expect((await admin.get('/console/keys')).text).not.toContain('Website')
  })

  test('end when they are revoked, for good; the list says so', async () => {
    const { key, keyId } = await acme.createKey()
    const answer = await admin.post(`/console/keys/${keyId}/revoke`)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/keys'])
    expect(await isRefused(key)).toBe(true)
    const page = await admin.follow(answer)
    expect(page.text).toContain('<p class="flash" role="status">“test” is revoked.</p>')
    expect(page.text).toContain('Revoked and expired keys')
    expect((await admin.get('/console/keys')).text).not.toContain('“test” is revoked.')
  })

  test('of another tenant are not there', async () => {
    const other = await app.createTenant('Other')
    const { key, keyId } = await other.createKey()
    expect((await admin.post(`/console/keys/${keyId}/revoke`)).status).toBe(404)
    expect(await isRefused(key)).toBe(false)
  })

  test('above 20 are refused in a sentence', async () => {
    for (let i = 0; i < 19; i++) await acme.createKey()
    const answer = await admin.post('/console/keys', { name: 'One more', scopes: 'forms:read' })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('There are 20 keys that work')
    expect(answer.text).toContain('value="One more"')
  })
})

describe('a key for the documentation', () => {
  const PATH = '/console/keys/docs'

  test('works for an hour, says in the list and the audit log what it is for, and stands in no address', async () => {
    expect((await admin.get('/console/keys')).text).toContain(`href="${PATH}">Try the API</a>`)
    const page = await admin.get(PATH)
    for (const scope of scopes) expect(page.text).toMatch(new RegExp(`value="${scope}" checked`))
    const made = await admin.post(PATH, { scopes: ['tickets:read', 'contacts:read'] })
    const key = keyIn(made.text)
    expect([made.status, made.headers.get('cache-control'), made.headers.get('location')]).toEqual([
      200,
      'no-store',
      null,
    ])
    expect(made.text).toContain(`<a class="primary" href="/docs" data-docs-key="${key}">`)
    expect((await app.request('GET', '/v1/me', { key })).body).toMatchObject({
      scopes: ['contacts:read', 'tickets:read'],
    })
    const name = `Documentation, for ${admin.person.email.split('@')[0]}`
    const list = await admin.get('/console/keys')
    expect(list.text).toContain(name)
    expect(list.text).not.toContain(key)
    await app.runDue()
    expect((await admin.get('/console/audit?what=key')).text).toMatch(
      new RegExp(`API key: created</td><td[^>]*><a [^>]*>${name}</a>`),
    )
    expect(app.logged.join()).not.toContain(key)
    app.clock.advance(3_600_000)
    expect(await isRefused(key)).toBe(true)
  })

  test.each([
    ['no scope', {}],
    ['a scope that does not exist', { scopes: 'all' }],
  ])('is not made with %s', async (_, fields) => {
    const answer = await admin.post(PATH, fields as Record<string, string>)
    expect([answer.status, answer.text.includes('<a href="#field-scopes">'), keyIn(answer.text)]).toEqual([
      400,
      true,
      '',
    ])
  })

  test('is for admins alone', async () => {
    const agent = await signedIn(app, acme, 'agent')
    expect([(await agent.get(PATH)).status, (await agent.post(PATH, { scopes: 'forms:read' })).status]).toEqual([
      403, 403,
    ])
  })
})
