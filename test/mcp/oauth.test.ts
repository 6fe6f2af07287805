import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { eq } from 'drizzle-orm'
import { callerFor } from '../../src/caller.ts'
import { auditEntries, oauthGrants, oauthTokens } from '../../src/db/schema.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { removeUser } from '../../src/privacy/user-removal.ts'
import { changeRole, endAllSessions } from '../../src/users/changes.ts'
import { mcpClient, saidBy } from '../support/api/mcp.ts'
import {
  authorizationOf,
  CALLBACK,
  connected,
  consent,
  ledTo,
  pkce,
  refreshed,
  register,
  sendForm,
} from '../support/api/oauth.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { signedIn } from '../support/pages/console.ts'
import { failureOf } from '../support/refusal.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** What the endpoint of MCP says to a token. */
const statusFor = async (token: string) =>
  (await app.request('POST', '/mcp', { key: token, body: { jsonrpc: '2.0', method: 'ping' } })).status

const REFUSED = 401
/** It is let in: what it says is no message of the protocol. */
const WORKS = 406

test('the official client finds its way from the 401 to a tool, and is led through the console by its user', async () => {
  const browser = await signedIn(app, acme, 'agent')
  let led: URL | undefined
  let information: OAuthClientInformationMixed | undefined
  let tokens: OAuthTokens | undefined
  let verifier = ''
  const authProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'Official', redirect_uris: [CALLBACK] },
    state: () => 'chosen by the client',
    clientInformation: () => information,
    saveClientInformation(saved: OAuthClientInformationMixed) {
      information = saved
    },
    tokens: () => tokens,
    saveTokens(saved: OAuthTokens) {
      tokens = saved
    },
    redirectToAuthorization(url: URL) {
      led = url
    },
    saveCodeVerifier(saved: string) {
      verifier = saved
    },
    codeVerifier: () => verifier,
  }
  const transport = () => new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { authProvider })
  const connect = () => new Client({ name: 'test', version: '1' })
  const first = transport()
  expect(await failureOf(connect().connect(first))).toBeInstanceOf(UnauthorizedError)
  while (!led) await Bun.sleep(5)

  expect(`${led.origin}${led.pathname}`).toBe(`${app.url}/console/authorize`)
  const answer = await consent(browser, Object.fromEntries(led.searchParams))
  expect(ledTo(answer).get('state')).toBe('chosen by the client')
  await first.finishAuth(ledTo(answer))

  const client = connect()
  await client.connect(transport())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('createContact')
  const { id } = saidBy(await client.callTool({ name: 'createContact', arguments: { email: 'by-agent@acme.test' } }))
  const [entry] = await app.database.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.recordId, id))
    .orderBy(auditEntries.number)
  const name = browser.person.email.split('@')[0]
  expect(entry).toMatchObject({ via: 'mcp', authorType: 'api', authorName: `Official · ${name}` })
  await client.close()
})

describe('what a person allows', () => {
  test('is what was ticked, of what was asked for', async () => {
    const browser = await signedIn(app, acme)
    const clientId = await register(app)
    const { verifier, challenge } = pkce()
    const asked = authorizationOf(app, clientId, challenge, { scope: 'contacts:read forms:read nonsense' })
    const page = await browser.get(`/console/authorize?${new URLSearchParams(asked)}`)
    expect([...page.text.matchAll(/name="scopes" value="([^"]*)"/g)].map(([, scope]) => scope)).toEqual([
      'forms:read',
      'contacts:read',
    ])
    const code = ledTo(await consent(browser, asked, { scopes: ['contacts:read', 'tickets:write'] })).get('code') ?? ''
    const exchange = { client_id: clientId, redirect_uri: CALLBACK, code_verifier: verifier, code }
    const { body } = await sendForm(app, '/oauth/token', { grant_type: 'authorization_code', ...exchange })
    expect(body.scope).toBe('contacts:read')
  })

  test('is no more than they may do themselves, at any time', async () => {
    const agent = await signedIn(app, acme, 'agent')
    const { access } = await connected(app, agent, [...scopes])
    const client = await mcpClient(app, access)
    const { scopes: held } = saidBy(await client.callTool({ name: 'getMe', arguments: {} }))
    expect(held).toEqual(scopes.filter((scope) => scope !== 'webhooks:manage'))
    await client.close()

    const admin = await signedIn(app, acme)
    const { access: adminAccess } = await connected(app, admin)
    const tools = async () => {
      const client = await mcpClient(app, adminAccess)
      const names = (await client.listTools()).tools.map(({ name }) => name)
      await client.close()
      return names
    }
    expect(await tools()).toContain('createWebhook')
    await acme.perform((tx, caller) => changeRole(tx, caller, admin.person.userId, 'agent'))
    expect(await tools()).not.toContain('createWebhook')
  })

  test('can be nothing: then it is refused, and the program is told so only if they say so', async () => {
    const browser = await signedIn(app, acme)
    const clientId = await register(app)
    const asked = authorizationOf(app, clientId, pkce().challenge)
    expect((await consent(browser, asked, { scopes: [] })).status).toBe(400)
    const denied = await consent(browser, asked, { decision: 'deny' })
    expect(Object.fromEntries(ledTo(denied))).toEqual({ error: 'access_denied', state: 'state-1', iss: app.url })
  })

  test('is seen beside the keys and in their account, and ended in both', async () => {
    const browser = await signedIn(app, acme)
    for (const path of ['/console/keys', '/console/account']) {
      const { access, refresh, clientId } = await connected(app, browser)
      const { text } = await browser.get(path)
      const end = [...text.matchAll(/action="([^"]*\/connections\/[^"]*\/end)"/g)].map(([, action = '']) => action)
      expect(await statusFor(access)).not.toBe(REFUSED)
      expect((await browser.post(end[0] ?? '')).status).toBe(303)
      expect(await statusFor(access)).toBe(REFUSED)
      expect((await refreshed(app, clientId, refresh)).body.error).toBe('invalid_grant')
    }
  })

  test('nobody but admins ends for others', async () => {
    const [one, other] = [await signedIn(app, acme), await signedIn(app, acme, 'agent')]
    const { access } = await connected(app, one)
    const [{ id } = { id: '' }] = await app.database.db
      .select()
      .from(oauthGrants)
      .where(eq(oauthGrants.userId, one.person.userId))
    expect((await other.post(`/console/keys/connections/${id}/end`)).status).toBe(403)
    expect((await other.post(`/console/account/connections/${id}/end`)).status).toBe(404)
    const stranger = await signedIn(app, await app.createTenant('Other'))
    expect((await stranger.post(`/console/keys/connections/${id}/end`)).status).toBe(404)
    expect(await statusFor(access)).not.toBe(REFUSED)
  })
})

describe('a token works no more', () => {
  test('for calls of the API itself, for which it was never given', async () => {
    const { access } = await connected(app, await signedIn(app, acme))
    const answer = await app.request('GET', '/v1/me', { key: access })
    expect([answer.status, answer.text, answer.headers.get('www-authenticate')]).toEqual([401, '', null])
  })

  test('after an hour; the next one comes by the refresh token', async () => {
    const { access, refresh, clientId } = await connected(app, await signedIn(app, acme))
    app.clock.advance(HOUR - MINUTE)
    expect(await statusFor(access)).not.toBe(REFUSED)
    app.clock.advance(MINUTE)
    expect(await statusFor(access)).toBe(REFUSED)
    const { body } = await refreshed(app, clientId, refresh)
    expect(await statusFor(body.access_token)).not.toBe(REFUSED)
    app.clock.advance(30 * DAY)
    expect((await refreshed(app, clientId, body.refresh_token)).body.error).toBe('invalid_grant')
    await app.runDue()
    expect(await app.database.db.select().from(oauthTokens)).toEqual([])
    expect(await app.database.db.select().from(oauthGrants)).toEqual([])
  })

  test('once its person has signed out there; in another browser, what was allowed there goes on', async () => {
    const browser = await signedIn(app, acme)
    const elsewhere = await signedIn(app, acme)
    await elsewhere.signIn(browser.person.email)
    const [here, there] = [await connected(app, browser), await connected(app, elsewhere)]
    expect((await browser.post('/console/sign-out')).status).toBe(303)
    expect([await statusFor(here.access), await statusFor(there.access)]).toEqual([REFUSED, WORKS])
    expect((await refreshed(app, here.clientId, here.refresh)).body.error).toBe('invalid_grant')
  })

  test('once its person is removed, or all their sessions are ended', async () => {
    const [gone, ended] = [await signedIn(app, acme), await signedIn(app, acme)]
    const [one, two] = [await connected(app, gone), await connected(app, ended)]
    const admin = await signedIn(app, acme)
    const caller = callerFor(
      { type: 'user', tenantId: acme.tenantId, userId: admin.person.userId, name: 'Admin', role: 'admin' },
      app.clock.now(),
      null,
    )
    await app.database.transaction((tx) => removeUser(tx, caller, gone.person.userId))
    await app.database.transaction((tx) => endAllSessions(tx, caller, ended.person.userId))
    expect([await statusFor(one.access), await statusFor(two.access)]).toEqual([REFUSED, REFUSED])
  })

  test('once it is given back', async () => {
    const browser = await signedIn(app, acme)
    for (const kind of ['access', 'refresh'] as const) {
      const tokens = await connected(app, browser)
      const foreign = await register(app, [CALLBACK], 'Other')
      await sendForm(app, '/oauth/revoke', { token: tokens[kind], client_id: foreign })
      expect(await statusFor(tokens.access)).not.toBe(REFUSED)
      const answer = await sendForm(app, '/oauth/revoke', { token: tokens[kind], client_id: tokens.clientId })
      expect(answer.status).toBe(200)
      expect(await statusFor(tokens.access)).toBe(REFUSED)
    }
    const { clientId } = await connected(app, browser)
    expect((await sendForm(app, '/oauth/revoke', { token: 'nonsense', client_id: clientId })).status).toBe(200)
  })

  test('is stored as a hash alone', async () => {
    const { access, refresh, exchange } = await connected(app, await signedIn(app, acme))
    const stored = JSON.stringify([
      await app.database.db.select().from(oauthTokens),
      await app.database.db.select().from(oauthGrants),
    ])
    for (const secret of [access, refresh, exchange.code]) expect(stored).not.toContain(secret.slice(4))
    expect(app.logged.join()).not.toContain(access.slice(4))
  })
})
