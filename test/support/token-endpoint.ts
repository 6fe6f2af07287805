import type { TokenEndpoints } from '../../src/channels/email/mailboxes/oauth.ts'

export type Provider = Awaited<ReturnType<typeof startProvider>>

/**
 * Renews access as Microsoft and Google do, for one user: a refresh token is good once, and gives the next. Also tells
 * mail servers whose an access token is. Close it when done.
 */
export async function startProvider(user: string) {
  let asked: Record<string, string>[] = []
  let refusal: string | null = null
  let valid = new Set<string>()
  let count = 0
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
  const endpoint = { url: `http://127.0.0.1:${server.port}/token`, scope: 'mail offline_access' }
  return {
    endpoints: { microsoft: endpoint, google: endpoint } satisfies TokenEndpoints,
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
      valid = new Set()
    },
    close: () => server.stop(true),
  }
}
