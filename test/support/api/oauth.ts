import type { Answer, TestApp } from '../app.ts'
import type { ConsoleBrowser } from '../pages/console.ts'
import { fieldsIn } from '../pages/page-fields.ts'

/** Where a program of the tests wants to be answered. */
export const CALLBACK = 'https://agent.test/callback'

/** A verifier of PKCE and what is told of it beforehand. */
export function pkce() {
  const verifier = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const challenge = new Bun.CryptoHasher('sha256').update(verifier).digest('base64url')
  return { verifier, challenge }
}

export async function register(
  app: TestApp,
  redirectUris: readonly string[] = [CALLBACK],
  name = 'Agent',
): Promise<string> {
  const body = { client_name: name, redirect_uris: redirectUris }
  const answer = await app.request('POST', '/oauth/register', { body })
  if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${answer.text}`)
  return answer.body.client_id
}

/** Sends a form to an endpoint of OAuth. */
export function sendForm(app: TestApp, path: string, fields: Record<string, string>): Promise<Answer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.request('POST', path, { body: new URLSearchParams(fields).toString(), headers })
}

/** What a program leads somebody to, as its address says. */
export function authorizationOf(
  app: TestApp,
  clientId: string,
  challenge: string,
  changed: Record<string, string> = {},
): Record<string, string> {
  return {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'state-1',
    resource: `${app.url}/mcp`,
    ...changed,
  }
}

/** The page that asks whether to let a program in, looked at and answered as a browser would. */
export async function consent(
  browser: ConsoleBrowser,
  asked: Record<string, string>,
  { scopes, decision = 'allow' }: { scopes?: readonly string[]; decision?: 'allow' | 'deny' } = {},
): Promise<Answer> {
  const page = await browser.get(`/console/authorize?${new URLSearchParams(asked)}`)
  if (page.status !== 200) return page
  const ticked = [...page.text.matchAll(/name="scopes" value="([^"]*)" checked/g)].map(([, scope = '']) => scope)
  return browser.post('/console/authorize', { ...(await fieldsIn(page.text)), scopes: scopes ?? ticked, decision })
}

/** The parameters of the address that somebody is led on to. */
export function ledTo(answer: Answer): URLSearchParams {
  return new URL(answer.headers.get('location') ?? 'about:blank').searchParams
}

/** Goes all the way, and returns what the program has in the end. */
export async function connected(app: TestApp, browser: ConsoleBrowser, scopes?: readonly string[]) {
  const { verifier, challenge } = pkce()
  const clientId = await register(app)
  const led = ledTo(await consent(browser, authorizationOf(app, clientId, challenge), scopes ? { scopes } : {}))
  const code = led.get('code') ?? ''
  const exchange = {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  }
  const { body, status } = await sendForm(app, '/oauth/token', exchange)
  if (status !== 200) throw new Error(`token: ${status}`)
  return { clientId, exchange, access: body.access_token as string, refresh: body.refresh_token as string, body }
}

/** New tokens for a refresh token. */
export function refreshed(app: TestApp, clientId: string, refresh: string): Promise<Answer> {
  return sendForm(app, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh })
}
