import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { AppError, RuleError } from '../../errors.ts'
import { statusOf } from '../../http/answers/errors.ts'
import { api } from '../../http/api.ts'
import { decode, parseJsonObject, readPublicBytes } from '../../http/requests/body.ts'
import { noQuery } from '../../http/requests/schemas.ts'
import { clientOf, registerClient } from '../../users/oauth/clients.ts'
import { exchangeCode, refreshTokens, revokeToken, type Tokens } from '../../users/oauth/grants.ts'
import { resourceOf } from '../../users/oauth/resource.ts'
import { authorizationServer, protectedResource } from './metadata.ts'

/** The largest body of a request, in bytes: any stranger may send one. */
const MAX_BODY = 16 * 1024

/**
 * OAuth 2.1 for agents that take no key (decisions §23): where they learn of it, register, and get and give back tokens. People
 * allow them in the console.
 */
export function oauthRoutes(deps: Deps) {
  const { config, database, clock, secrets } = deps
  const route = { scope: 'public', query: noQuery } as const
  const resource = Response.json(protectedResource(config))
  const server = Response.json(authorizationServer(config))

  /** Every error is one of RFC 6749: of what breaks a rule the sentence goes along. */
  const answering = (answer: (request: Request) => Promise<Response>) => async (context: { request: Request }) => {
    try {
      return await answer(context.request)
    } catch (error) {
      if (error instanceof OAuthRefusal) return refusedWith(error.status, error.code, error.message)
      if (error instanceof AppError && ['invalid_request', 'too_large'].includes(error.code)) {
        return refusedWith(statusOf(error), 'invalid_request', error.message)
      }
      throw error
    }
  }

  async function register(request: Request): Promise<Response> {
    const body = parseJsonObject(decode(await bytesOf(request)), { maxKeys: 200 }) as Record<string, unknown>
    const uris = body.redirect_uris
    if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) {
      throw new OAuthRefusal('invalid_redirect_uri', 'redirect_uris: a list of addresses is required')
    }
    const name = typeof body.client_name === 'string' ? body.client_name.trim() : ''
    const client = { name: name || hostOf(uris[0]), redirectUris: uris }
    return Response.json(
      {
        client_id: idOf(client),
        client_id_issued_at: Math.floor(clock.now() / 1000),
        client_name: client.name,
        redirect_uris: uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      { status: 201 },
    )
  }

  function idOf(client: Parameters<typeof registerClient>[1]): string {
    try {
      return registerClient(secrets, client)
    } catch (error) {
      if (!(error instanceof RuleError)) throw error
      throw new OAuthRefusal(
        error.place === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata',
        error.message,
      )
    }
  }

  async function token(request: Request): Promise<Response> {
    const form = await formOf(request)
    const clientId = knownClient(form)
    const named = form.get('resource')
    if (named !== '' && named !== resourceOf(config)) throw new OAuthRefusal('invalid_target', 'resource: is not ours')
    const tokens = await database.transaction(async (tx) => {
      switch (form.get('grant_type')) {
        case 'authorization_code': {
          const [code, redirectUri, verifier] = [form.get('code'), form.get('redirect_uri'), form.get('code_verifier')]
          return exchangeCode(tx, { code, clientId, redirectUri, verifier }, clock.now())
        }
        case 'refresh_token':
          return refreshTokens(tx, { refreshToken: form.get('refresh_token'), clientId }, clock.now())
        default:
          throw new OAuthRefusal('unsupported_grant_type', 'grant_type: must be authorization_code or refresh_token')
      }
    })
    if (!tokens) throw new OAuthRefusal('invalid_grant', 'the code or token does not work, or not for this client')
    return Response.json(answerOf(tokens))
  }

  async function revoke(request: Request): Promise<Response> {
    const form = await formOf(request)
    const clientId = knownClient(form)
    await database.transaction((tx) => revokeToken(tx, { token: form.get('token'), clientId }))
    return new Response(null, { status: 200 })
  }

  function knownClient(form: Form): string {
    const id = form.get('client_id')
    if (!clientOf(secrets, id)) throw new OAuthRefusal('invalid_client', 'client_id: nobody registered with it here')
    return id
  }

  return new Elysia({ detail: { hide: true } })
    .use(api(deps))
    .get('/.well-known/oauth-protected-resource', () => resource.clone(), route)
    .get('/.well-known/oauth-protected-resource/mcp', () => resource.clone(), route)
    .get('/.well-known/oauth-authorization-server', () => server.clone(), route)
    .post('/oauth/register', answering(register), route)
    .post('/oauth/token', answering(token), route)
    .post('/oauth/revoke', answering(revoke), route)
}

/** An error of RFC 6749 or 7591, by its word. */
class OAuthRefusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status = 400,
  ) {
    super(message)
  }
}

function refusedWith(status: number, error: string, description: string): Response {
  return Response.json({ error, error_description: description }, { status })
}

function answerOf({ accessToken, refreshToken, expiresIn, scopes }: Tokens) {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  }
}

async function bytesOf(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY) throw tooLarge()
  const bytes = await readPublicBytes(request)
  if (bytes.length > MAX_BODY) throw tooLarge()
  return bytes
}

const tooLarge = () => new OAuthRefusal('invalid_request', `a request may be at most ${MAX_BODY} bytes`, 413)

/** Parameters of a form; one that is given twice is refused (RFC 6749 §3.2), one that is not given is ''. */
interface Form {
  get(name: string): string
}

async function formOf(request: Request): Promise<Form> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthRefusal('invalid_request', 'must be sent as content-type application/x-www-form-urlencoded')
  }
  const fields = new URLSearchParams(decode(await bytesOf(request)))
  for (const name of new Set(fields.keys())) {
    if (fields.getAll(name).length > 1) throw new OAuthRefusal('invalid_request', `${name.slice(0, 50)}: given twice`)
  }
  return { get: (name) => fields.get(name) ?? '' }
}

function hostOf(uri: string | undefined): string {
  return uri !== undefined && URL.canParse(uri) ? (new URL(uri).host || new URL(uri).protocol).slice(0, 100) : ''
}
