import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
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
import { ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { fieldsIn } from '../support/pages/page-fields.ts'

let app: TestApp
let acme: TestTenant
let browser: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  browser = await signedIn(app, acme)
})
afterAll(() => app.close())

const works = async (token: string) => (await app.request('POST', '/mcp', { key: token, body: '{}' })).status !== 401

/** A code as a program gets it, and all that belongs to it. */
async function allowed(changed: Record<string, string> = {}, redirectUris: readonly string[] = [CALLBACK]) {
  const { verifier, challenge } = pkce()
  const clientId = await register(app, redirectUris)
  const answer = await consent(browser, authorizationOf(app, clientId, challenge, changed))
  const code = ledTo(answer).get('code') ?? ''
  const redirect = changed.redirect_uri ?? CALLBACK
  return {
    answer,
    form: {
      grant_type: 'authorization_code',
      code,
      client_id: clientId,
      redirect_uri: redirect,
      code_verifier: verifier,
    },
  }
}

describe('a code', () => {
  test('that comes again takes along what it was exchanged for', async () => {
    const { exchange, access, refresh, clientId } = await connected(app, browser)
    expect(await works(access)).toBe(true)
    expect((await sendForm(app, '/oauth/token', exchange)).body.error).toBe('invalid_grant')
    expect(await works(access)).toBe(false)
    expect((await refreshed(app, clientId, refresh)).body.error).toBe('invalid_grant')
  })

  test('is exchanged once, however many ask at the same time', async () => {
    const { form } = await allowed()
    const answers = await Promise.all(Array.from({ length: 8 }, () => sendForm(app, '/oauth/token', form)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('works for a minute', async () => {
    const { form } = await allowed()
    app.clock.advance(60_000)
    expect((await sendForm(app, '/oauth/token', form)).body.error).toBe('invalid_grant')
  })

  test.each([
    ['another verifier', { code_verifier: pkce().verifier }],
    ['no verifier', { code_verifier: '' }],
    ['a short verifier', { code_verifier: 'a' }],
    ['another redirect', { redirect_uri: `${CALLBACK}/` }],
    ['no redirect', { redirect_uri: '' }],
  ])('is worth nothing with %s', async (_, changed) => {
    const { form } = await allowed()
    expect((await sendForm(app, '/oauth/token', { ...form, ...changed })).body).toMatchObject({
      error: 'invalid_grant',
    })
    expect((await sendForm(app, '/oauth/token', form)).status).toBe(200)
  })

  test('is worth nothing to another program', async () => {
    const { form } = await allowed()
    const other = await register(app, [CALLBACK], 'Other')
    expect((await sendForm(app, '/oauth/token', { ...form, client_id: other })).body.error).toBe('invalid_grant')
    expect((await sendForm(app, '/oauth/token', { ...form, client_id: 'x.y' })).body.error).toBe('invalid_client')
  })

  test('is for this resource alone', async () => {
    const { form } = await allowed()
    const answer = await sendForm(app, '/oauth/token', { ...form, resource: 'https://elsewhere.test/mcp' })
    expect(answer.body.error).toBe('invalid_target')
  })
})

test('a refresh token that comes again takes along what came after it', async () => {
  const { refresh, clientId } = await connected(app, browser)
  const { body } = await refreshed(app, clientId, refresh)
  expect(await works(body.access_token)).toBe(true)
  expect((await refreshed(app, clientId, refresh)).body.error).toBe('invalid_grant')
  expect(await works(body.access_token)).toBe(false)
  expect((await refreshed(app, clientId, body.refresh_token)).body.error).toBe('invalid_grant')
})

test('a refresh token is no access token, nor of use to another program', async () => {
  const { access, refresh, clientId } = await connected(app, browser)
  expect(await works(refresh)).toBe(false)
  expect((await refreshed(app, clientId, access)).body.error).toBe('invalid_grant')
  expect((await refreshed(app, await register(app, [CALLBACK], 'Other'), refresh)).body.error).toBe('invalid_grant')
  expect((await refreshed(app, clientId, refresh)).status).toBe(200)
})

describe('nobody is led on', () => {
  test.each([
    ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
    ['the plain method', { code_challenge_method: 'plain' }],
    ['no method, which would mean plain', { code_challenge_method: '' }],
    ['another response type', { response_type: 'token' }],
    ['another resource', { resource: 'https://elsewhere.test/mcp' }],
    ['an address that was not registered', { redirect_uri: 'https://evil.test/callback' }],
    ['one that begins like it', { redirect_uri: `${CALLBACK}.evil.test` }],
    ['one below it', { redirect_uri: `${CALLBACK}/../x` }],
    ['one with more in it', { redirect_uri: `${CALLBACK}?x=1` }],
    ['one with another port', { redirect_uri: 'https://agent.test:444/callback' }],
    ['one with a name before', { redirect_uri: 'https://agent.test@evil.test/callback' }],
    ['one in other capitals', { redirect_uri: 'https://AGENT.test/callback' }],
    ['no address', { redirect_uri: '' }],
    ['a program that nobody knows', { client_id: 'nobody' }],
  ])('by a request with %s', async (_, changed) => {
    const clientId = await register(app)
    const asked = authorizationOf(app, clientId, pkce().challenge, changed)
    const page = await browser.get(`/console/authorize?${new URLSearchParams(asked)}`)
    expect([page.status, page.headers.get('location')]).toEqual([400, null])
    const posted = await browser.post('/console/authorize', { ...asked, scopes: ['forms:read'], decision: 'allow' })
    expect([posted.status, posted.headers.get('location')]).toEqual([400, null])
  })

  test('by a parameter that is given twice', async () => {
    const asked = new URLSearchParams(authorizationOf(app, await register(app), pkce().challenge))
    asked.append('redirect_uri', 'https://evil.test/callback')
    expect((await browser.get(`/console/authorize?${asked}`)).status).toBe(400)
  })

  test('by a registration that was changed', async () => {
    const [text = '', mac = ''] = (await register(app)).split('.')
    const forged = Buffer.from(JSON.stringify(['Agent', 'https://evil.test/callback'])).toString('base64url')
    for (const id of [`${forged}.${mac}`, `${text}.`, `${text}.${mac}A`, text]) {
      const asked = authorizationOf(app, id, pkce().challenge, { redirect_uri: 'https://evil.test/callback' })
      expect((await browser.get(`/console/authorize?${new URLSearchParams(asked)}`)).status).toBe(400)
    }
  })
})

describe('on one’s own machine', () => {
  const registered = ['http://127.0.0.1/callback', 'http://localhost:3000/callback', 'http://[::1]:1/callback']

  test.each(['http://127.0.0.1:51234/callback', 'http://localhost:1/callback', 'http://[::1]/callback'])(
    'the port is open: %s',
    async (uri) => {
      const { answer, form } = await allowed({ redirect_uri: uri }, registered)
      expect(answer.headers.get('location')).toStartWith(uri)
      expect((await sendForm(app, '/oauth/token', form)).status).toBe(200)
    },
  )

  test.each([
    'http://127.0.0.1:1/other',
    'http://127.0.0.2:1/callback',
    'https://127.0.0.1:1/callback',
    'http://127.0.0.1:1@evil.test/callback',
    'http://localhost.evil.test/callback',
    'http://127.0.0.1:1/callback?x=1',
    'http://127.0.0.1:1/x/../callback',
  ])('nothing else is: %s', async (uri) => {
    expect((await allowed({ redirect_uri: uri }, registered)).answer.status).toBe(400)
  })
})

describe('consent', () => {
  test('needs somebody who is signed in, who comes back to it from the sign-in', async () => {
    const path = `/console/authorize?${new URLSearchParams(authorizationOf(app, await register(app), pkce().challenge))}`
    const stranger = new ConsoleBrowser(app)
    const answer = await stranger.get(path)
    expect(answer.headers.get('location')).toBe(`/console/sign-in?next=${encodeURIComponent(path)}`)
  })

  test('is given by no form of another site, and in no frame', async () => {
    const asked = authorizationOf(app, await register(app), pkce().challenge)
    const page = await browser.get(`/console/authorize?${new URLSearchParams(asked)}`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('content-security-policy')).toContain(`form-action 'self' https://agent.test`)
    const fields = { ...(await fieldsIn(page.text)), scopes: ['forms:read'], decision: 'allow' }
    const stranger = await signedIn(app, acme)
    for (const csrf of ['', await stranger.csrf()]) {
      const answer = await browser.post('/console/authorize', { ...fields, csrf })
      expect([answer.status, answer.headers.get('location')]).toEqual([403, null])
    }
    const elsewhere = await browser.post('/console/authorize', fields, { origin: 'https://evil.test' })
    expect(elsewhere.status).toBe(403)
    expect((await browser.post('/console/authorize', fields)).status).toBe(303)
  })

  test('shows what a program calls itself as text', async () => {
    const clientId = await register(app, [CALLBACK], '<script>alert(1)</script>')
    const asked = authorizationOf(app, clientId, pkce().challenge, { state: '"><script>alert(2)</script>' })
    const { text } = await browser.get(`/console/authorize?${new URLSearchParams(asked)}`)
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toContain('<script>alert')
  })
})

describe('a registration', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://agent.test/callback',
    'http://localhost.evil.test/',
    'https://user:password@agent.test/',
    'https://agent.test/#fragment',
    '//agent.test/',
    'https:agent.test',
    'file:///etc/passwd',
    'https://agent.test/\n',
    `https://agent.test/${'x'.repeat(500)}`,
  ])('is refused for %p', async (uri) => {
    const answer = await app.request('POST', '/oauth/register', { body: { client_name: 'A', redirect_uris: [uri] } })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_redirect_uri'])
  })

  test.each(['https://agent.test/a?b=c', 'cursor://anysphere.cursor/callback', 'com.example.app:/callback'])(
    'is taken for %p',
    async (uri) => expect(await register(app, [uri])).toBeString(),
  )

  test('leaves nothing behind, and a large one is not read', async () => {
    const body = JSON.stringify({ client_name: 'A', redirect_uris: [CALLBACK], logo_uri: 'x'.repeat(16 * 1024) })
    const answer = await app.request('POST', '/oauth/register', { body })
    expect([answer.status, answer.body.error]).toEqual([413, 'invalid_request'])
    for (const broken of ['', '[]', '{', `${'['.repeat(5000)}`, '{"redirect_uris":"https://a.test"}']) {
      expect((await app.request('POST', '/oauth/register', { body: broken })).status).toBe(400)
    }
  })

  test('is counted for the address it comes from', async () => {
    const limited = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '2' } })
    for (let count = 0; count < 2; count++) await register(limited)
    const answer = await limited.request('POST', '/oauth/register', { body: { redirect_uris: [CALLBACK] } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
    await limited.close()
  })
})

describe('the endpoints', () => {
  test('say what they are', async () => {
    const resource = (await app.request('GET', '/.well-known/oauth-protected-resource/mcp')).body
    expect(resource).toMatchObject({ resource: `${app.url}/mcp`, authorization_servers: [app.url] })
    const server = (await app.request('GET', '/.well-known/oauth-authorization-server')).body
    expect(server).toMatchObject({
      issuer: app.url,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    })
    const unauthorized = await app.request('POST', '/mcp', { body: {} })
    expect(unauthorized.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`,
    )
  })

  test.each(['/oauth/token', '/oauth/revoke'])(
    '%s takes forms, each parameter once, and none in its address',
    async (path) => {
      const { form } = await allowed()
      const json = await app.request('POST', path, { body: form })
      expect([json.status, json.body.error]).toEqual([400, 'invalid_request'])
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const twice = await app.request('POST', path, { body: `${new URLSearchParams(form)}&code=x`, headers })
      expect([twice.status, twice.body.error_description]).toEqual([400, 'code: given twice'])
      expect((await app.request('POST', `${path}?${new URLSearchParams(form)}`, { body: 'a=b', headers })).status).toBe(
        400,
      )
      expect((await sendForm(app, path, { client_id: form.client_id, grant_type: 'password' })).status).not.toBe(500)
    },
  )

  test('a token in the address of /mcp is not looked at', async () => {
    const { access } = await connected(app, browser)
    expect((await app.request('POST', `/mcp?access_token=${access}`, { body: {} })).status).toBe(401)
  })

  test('what a person of one tenant allows, is of no other', async () => {
    const other = await app.createTenant('Other')
    const { body } = await other.post('/v1/contacts', { email: 'secret@other.test' })
    const { access } = await connected(app, browser)
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'getContact', arguments: { id: body.id } },
    }
    const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
    const answer = await app.request('POST', '/mcp', { key: access, body: message, headers })
    expect(answer.text).toContain('not_found')
    expect(answer.text).not.toContain('secret@other.test')
  })
})
