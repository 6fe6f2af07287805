import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

export type TestIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** What the provider does otherwise than it should, until `reset`. */
export interface Lies {
  /** Claims of the ID token that replace its own; undefined takes one away. */
  claims?: Record<string, unknown>
  /** Claims of the userinfo endpoint. */
  userinfo?: Record<string, unknown>
  /** Signs with a key that it does not publish. */
  forged?: boolean
  /** Answers the token endpoint so. */
  token?: () => Response
  /** What it says of itself. */
  metadata?: Record<string, unknown>
}

/**
 * An identity provider (OpenID Connect) of the tests' own: one client, codes that are good once, PKCE checked. Who signs
 * in there is what `account` says. Close it when done.
 */
export async function startIdentityProvider(client = { clientId: 'desk', clientSecret: 'hush &=+ %' }) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const foreign = await generateKeyPair('RS256')
  const codes = new Map<string, URLSearchParams>()
  const asked: { path: string; authorization: string | null }[] = []
  let account: Record<string, unknown> = {}
  let lies: Lies = {}
  let count = 0

  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => answer(request) })
  const issuer = `http://127.0.0.1:${server.port}`

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    asked.push({ path: url.pathname, authorization: request.headers.get('authorization') })
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          ...lies.metadata,
        })
      case '/jwks':
        return Response.json({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', use: 'sig', alg: 'RS256' }] })
      case '/token':
        return lies.token?.() ?? token(request, new URLSearchParams(await request.text()))
      case '/userinfo':
        return Response.json({ ...account, ...lies.userinfo })
      default:
        return new Response(null, { status: 404 })
    }
  }

  async function token(request: Request, form: URLSearchParams): Promise<Response> {
    const encoded = [client.clientId, client.clientSecret].map((text) =>
      new URLSearchParams({ x: text }).toString().slice(2),
    )
    const own = `Basic ${Buffer.from(encoded.join(':')).toString('base64')}`
    const refuse = (error: string) => Response.json({ error }, { status: 400 })
    const sent = form.has('client_secret')
      ? form.get('client_id') === client.clientId && form.get('client_secret') === client.clientSecret
      : decodeURIComponent(request.headers.get('authorization') ?? '') === decodeURIComponent(own)
    if (!sent) return refuse('invalid_client')
    const code = form.get('code') ?? ''
    const request_ = codes.get(code)
    codes.delete(code)
    const challenge = new Bun.CryptoHasher('sha256').update(form.get('code_verifier') ?? '').digest('base64url')
    if (
      !request_ ||
      request_.get('code_challenge') !== challenge ||
      request_.get('redirect_uri') !== form.get('redirect_uri')
    ) {
      return refuse('invalid_grant')
    }
    const now = Math.floor(Date.now() / 1000)
    const claims: JWTPayload = {
      iss: issuer,
      aud: client.clientId,
      iat: now,
      exp: now + 3600,
      nonce: request_.get('nonce'),
      ...account,
      ...lies.claims,
    }
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(lies.forged ? foreign.privateKey : privateKey)
    return Response.json({ access_token: `access-${++count}`, token_type: 'Bearer', id_token: idToken })
  }

  return {
    issuer,
    /** What a service that signs people in here is told. */
    environment: {
      FRONTDESK_OIDC_ISSUER: issuer,
      FRONTDESK_OIDC_CLIENT_ID: client.clientId,
      FRONTDESK_OIDC_CLIENT_SECRET: client.clientSecret,
    },
    /** What was asked of it since the last `reset`. */
    asked,
    /** Who signs in there, with what is said of them: somebody new, unless `sub` says who. */
    setAccount(claims: Record<string, unknown>) {
      account = { sub: `sub-${crypto.randomUUID()}`, ...claims }
    },
    lie(next: Lies) {
      lies = next
    },
    /** Somebody lets us know who they are: the query with which they are sent back. */
    consent(authorize: string): URLSearchParams {
      const query = new URL(authorize).searchParams
      const code = `code-${crypto.randomUUID()}`
      codes.set(code, query)
      return new URLSearchParams({ code, state: query.get('state') ?? '' })
    },
    reset() {
      asked.length = 0
      lies = {}
    },
    close: () => server.stop(true),
  }
}
