import type { ProviderEndpoint, ProviderEndpoints } from '../../../src/ports/mail-providers.ts'

export type Provider = Awaited<ReturnType<typeof startProvider>>

/**
 * Gives and renews access as Microsoft and Google do, for one user: a code is good once, for who asked for it, and so is a
 * refresh token, which gives the next. Also tells mail servers whose an access token is. Close it when done.
 */
export async function startProvider(user: string) {
  let asked: Record<string, string>[] = []
  let refusal: string | null = null
  let valid = new Set<string>()
  let count = 0
  let isLasting = true
  const codes = new Map<string, URLSearchParams>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const url = new URL(request.url)
      if (url.pathname === '/info') {
        const isValid = valid.has(url.searchParams.get('token') ?? '')
        return isValid
          ? Response.json({ email: user, active: 'true' })
          : Response.json({ error: 'invalid_token' }, { status: 401 })
      }
      const form = Object.fromEntries(new URLSearchParams(await request.text()))
      asked.push(form)
      if (refusal) return Response.json({ error: refusal }, { status: 400 })
      if (form.grant_type === 'authorization_code') {
        const consent = codes.get(form.code ?? '')
        codes.delete(form.code ?? '')
        const challenge = new Bun.CryptoHasher('sha256').update(form.code_verifier ?? '').digest('base64url')
        const isOwn =
          consent?.get('code_challenge') === challenge &&
          consent.get('redirect_uri') === form.redirect_uri &&
          consent.get('client_id') === form.client_id
        if (!isOwn) return Response.json({ error: 'invalid_grant' }, { status: 400 })
        const lasting = isLasting ? { refresh_token: `refresh-${asked.length + 1}` } : {}
        return Response.json({ access_token: `unused-${++count}`, expires_in: 3600, ...lasting })
      }
      if (form.refresh_token !== `refresh-${asked.length}`)
        return Response.json({ error: 'invalid_grant' }, { status: 400 })
      const accessToken = `access-${++count}`
      valid.add(accessToken)
      return Response.json({
        access_token: accessToken,
        expires_in: 3600,
        refresh_token: `refresh-${asked.length + 1}`,
      })
    },
  })
  const nowhere = { host: '127.0.0.1', port: 1, security: 'starttls' } as const
  const endpoint: { -readonly [K in keyof ProviderEndpoint]: ProviderEndpoint[K] } = {
    url: `http://127.0.0.1:${server.port}/token`,
    scope: 'mail offline_access',
    consent: {
      url: `http://127.0.0.1:${server.port}/authorize`,
      scope: 'mail offline_access',
      more: { access_type: 'offline' },
    },
    imap: nowhere,
    smtp: nowhere,
  }
  return {
    endpoints: { microsoft: endpoint, google: endpoint } satisfies ProviderEndpoints,
    /** Where its mailboxes are, on this machine. */
    setServers(ports: { imap: number; smtp: number }) {
      endpoint.imap = { ...nowhere, port: ports.imap }
      endpoint.smtp = { ...nowhere, port: ports.smtp }
    },
    /** Somebody consents on the page at that address: the query with which they are sent back. */
    consent(address: string): URLSearchParams {
      const query = new URL(address).searchParams
      const code = `code-${crypto.randomUUID()}`
      codes.set(code, query)
      return new URLSearchParams({ code, state: query.get('state') ?? '' })
    },
    /** It gives access for an hour, and no more than that. */
    giveNoRefreshToken() {
      isLasting = false
    },
    tokenInfoUrl: `http://127.0.0.1:${server.port}/info`,
    get asked() {
      return asked
    },
    isValid: (accessToken: string) => valid.has(accessToken),
    /** Every access token there is ends before its time. */
    revokeAccess() {
      valid = new Set()
    },
    /** From now on, until `reset`. */
    refuse(error: string) {
      refusal = error
    },
    reset() {
      asked = []
      refusal = null
      isLasting = true
      valid = new Set()
    },
    close: () => server.stop(true),
  }
}
