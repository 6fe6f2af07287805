import { isIP } from 'node:net'
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { OAuthClient } from './channels/email/mailboxes/oauth.ts'
import { isThisMachine } from './channels/email/mailboxes/server-url.ts'
import { UserError } from './errors.ts'
import { isEmail } from './lib/email.ts'
import { nearest } from './lib/nearest.ts'
import { KEY_LENGTH, parseKey } from './secrets/seal.ts'

/** Everything that can be configured (decisions §11). Durations are milliseconds, rates are per minute, sizes bytes. */
export interface Config {
  /** Folder of the database, uploads and unsent mail. */
  readonly dataDir: string
  /** `postgres://user:pass@host/db`, or null: SQLite in the data folder (decisions §15). */
  readonly databaseUrl: string | null
  readonly host: string
  readonly port: number
  /** Address people reach us at, without a trailing slash; used in links. */
  readonly baseUrl: string
  readonly rateLimit: number
  readonly publicRateLimit: number
  /** Below this much room on the disk no uploads are taken. */
  readonly minFree: number
  /** Where uploads and attachments lie; null: in the data folder. */
  readonly files: SharedFolder | S3Config | null
  /** Encrypts secrets in the database; null: the key that the data folder holds. */
  readonly secretKey: Uint8Array | null
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly webhook: {
    readonly windowMs: number
    readonly retryBaseMs: number
    readonly timeoutMs: number
    readonly allowPrivate: boolean
  }
  /** `smtp://user:pass@host:port`, or null: replies become files under `dataDir/outbox`. */
  readonly smtpUrl: string | null
  /** Whom mails about accounts and responses are from (decisions §14); null: no-reply at the base URL's host. */
  readonly systemFrom: string | null
  /** Where incoming mail is taken, or null: nowhere. */
  readonly inboundSmtp: InboundSmtp | null
  /** As whom we ask for access to mailboxes; null: mailboxes of that provider cannot be connected. */
  readonly oauth: { readonly microsoft: OAuthClient | null; readonly google: OAuthClient | null }
  /** Who says who somebody is, besides the console's own passwords and passkeys; null: nobody does. */
  readonly oidc: OidcConfig | null
  /** The language model that answers questions from articles, or null: then the passages stand alone. */
  readonly llm: LlmConfig | null
  /** How payments of hosted forms are taken, or null: then they stay pending. */
  readonly stripe: StripeConfig | null
}

/** An identity provider, where people sign in with the account of their organisation (OpenID Connect). */
export interface OidcConfig {
  /** As the provider writes it: one with a slash at its end is another than one without. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** A listener for mail that others send to the inboxes' addresses. */
export interface InboundSmtp {
  readonly host: string
  readonly port: number
  /** Paths of the certificate and its key, PEM; null: STARTTLS is not offered. */
  readonly tls: { readonly cert: string; readonly key: string } | null
}

/** A folder that several nodes have mounted. */
export interface SharedFolder {
  readonly kind: 'folder'
  /** FRONTDESK_FILES_URL, which holds no secret. */
  readonly url: string
  readonly folder: string
}

/** A bucket of an S3-compatible store, and how to sign in there. */
export interface S3Config {
  readonly kind: 's3'
  /** FRONTDESK_FILES_URL, which holds no secret. */
  readonly url: string
  readonly bucket: string
  /** What the key of every object begins with: nothing, or a path that ends with a slash. */
  readonly prefix: string
  /** Null: Amazon's own, of the region. */
  readonly endpoint: string | null
  readonly region: string | null
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | null
}

/** An endpoint that speaks OpenAI's API. */
export interface LlmConfig {
  /** What `/chat/completions` and `/embeddings` are appended to. */
  readonly url: string
  /** Null: the endpoint chooses. */
  readonly model: string | null
  /** Makes vectors for the search; null: the endpoint chooses. */
  readonly embeddingModel: string | null
  readonly key: string | null
}

export interface StripeConfig {
  readonly key: string
  /** What Stripe signs its webhooks with. */
  readonly webhookSecret: string
  /** Where Stripe's API is, without a path. */
  readonly apiBase: string
}

/** A variable whose value cannot be used; its message is the one line an administrator sees. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError'
}

/** Every variable there is. Readers take their names from it, so that none is read that a start would refuse. */
export const variables = [
  'FRONTDESK_DATA',
  'FRONTDESK_DATABASE_URL',
  'FRONTDESK_HOST',
  'FRONTDESK_MIN_FREE_MB',
  'FRONTDESK_PORT',
  'FRONTDESK_BASE_URL',
  'FRONTDESK_RATE_LIMIT',
  'FRONTDESK_PUBLIC_RATE_LIMIT',
  'FRONTDESK_TRUSTED_PROXIES',
  'FRONTDESK_WEBHOOK_WINDOW_MS',
  'FRONTDESK_WEBHOOK_RETRY_BASE_MS',
  'FRONTDESK_WEBHOOK_TIMEOUT_MS',
  'FRONTDESK_WEBHOOK_ALLOW_PRIVATE',
  'FRONTDESK_FILES_URL',
  'FRONTDESK_SECRET_KEY',
  'FRONTDESK_SMTP_URL',
  'FRONTDESK_SYSTEM_FROM',
  'FRONTDESK_INBOUND_SMTP_HOST',
  'FRONTDESK_INBOUND_SMTP_PORT',
  'FRONTDESK_INBOUND_SMTP_TLS_CERT',
  'FRONTDESK_INBOUND_SMTP_TLS_KEY',
  'FRONTDESK_MICROSOFT_CLIENT_ID',
  'FRONTDESK_MICROSOFT_CLIENT_SECRET',
  'FRONTDESK_GOOGLE_CLIENT_ID',
  'FRONTDESK_GOOGLE_CLIENT_SECRET',
  'FRONTDESK_OIDC_ISSUER',
  'FRONTDESK_OIDC_CLIENT_ID',
  'FRONTDESK_OIDC_CLIENT_SECRET',
  'FRONTDESK_LLM_URL',
  'FRONTDESK_LLM_MODEL',
  'FRONTDESK_LLM_KEY',
  'FRONTDESK_STRIPE_KEY',
  'FRONTDESK_STRIPE_WEBHOOK_SECRET',
  'FRONTDESK_STRIPE_API_BASE',
] as const
/** Named as all tools for S3 name them. Read where FRONTDESK_FILES_URL says s3:// alone. */
export const s3Variables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_ENDPOINT_URL',
] as const
type Variable = (typeof variables)[number] | (typeof s3Variables)[number]

const STRIPE_API = 'https://api.stripe.com'

type Environment = Readonly<Partial<Record<Variable, string | undefined>>>
type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Reads the configuration from the process environment (the only reader of it). An empty value counts as unset.
 * `overrides` are the command line's, and win. Throws ConfigError naming the variable, for a `FRONTDESK_…` that we do
 * not know too (decisions §11): a mistyped name would otherwise leave its default in force without a word.
 */
export function loadConfig(environment: ProcessEnvironment, overrides: { dataDir?: string | undefined } = {}): Config {
  const env = refuseUnknown(environment)
  const host = env.FRONTDESK_HOST || '127.0.0.1'
  const port = integer(env, 'FRONTDESK_PORT', 3000, 0, 65_535)
  return {
    dataDir: overrides.dataDir || env.FRONTDESK_DATA || './data',
    databaseUrl: databaseUrl(env),
    host,
    port,
    baseUrl: base(env, 'FRONTDESK_BASE_URL') ?? defaultBaseUrl(host, port),
    rateLimit: integer(env, 'FRONTDESK_RATE_LIMIT', 120, 1, 1_000_000_000),
    publicRateLimit: integer(env, 'FRONTDESK_PUBLIC_RATE_LIMIT', 60, 1, 1_000_000_000),
    minFree: integer(env, 'FRONTDESK_MIN_FREE_MB', 200, 0, 1_000_000_000) * 1_000_000,
    files: files(env),
    secretKey: secretKey(env),
    trustedProxies: addressRanges(env, 'FRONTDESK_TRUSTED_PROXIES'),
    webhook: {
      windowMs: integer(env, 'FRONTDESK_WEBHOOK_WINDOW_MS', 20_000, 0, 3_600_000),
      retryBaseMs: integer(env, 'FRONTDESK_WEBHOOK_RETRY_BASE_MS', 30_000, 1, 3_600_000),
      timeoutMs: integer(env, 'FRONTDESK_WEBHOOK_TIMEOUT_MS', 30_000, 1, 600_000),
      allowPrivate: boolean(env, 'FRONTDESK_WEBHOOK_ALLOW_PRIVATE', false),
    },
    smtpUrl: url(env, 'FRONTDESK_SMTP_URL', ['smtp:', 'smtps:']),
    systemFrom: email(env, 'FRONTDESK_SYSTEM_FROM'),
    inboundSmtp: inboundSmtp(env),
    oauth: { microsoft: oauthClient(env, 'MICROSOFT'), google: oauthClient(env, 'GOOGLE') },
    oidc: oidc(env),
    llm: llm(env),
    stripe: stripe(env),
  }
}

/** The base address that follows from where the service listens. */
export function defaultBaseUrl(host: string, port: number): string {
  return `http://${authority(host, port)}`
}

/** Where mail is taken, as mail programs are told. */
export function inboundSmtpUrl({ host, port }: Pick<InboundSmtp, 'host' | 'port'>): string {
  return `smtp://${authority(host, port)}`
}

function authority(host: string, port: number): string {
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
}

function refuseUnknown(env: ProcessEnvironment): Environment {
  const known: readonly string[] = variables
  const unknown = Object.keys(env).find((name) => name.startsWith('FRONTDESK_') && env[name] && !known.includes(name))
  if (unknown) throw new ConfigError(`${unknown}: there is no such variable; did you mean ${nearest(unknown, known)}?`)
  return env
}

function integer(env: Environment, name: Variable, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name}: must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
  }
  return value
}

function boolean(env: Environment, name: Variable, fallback: boolean): boolean {
  const text = env[name]
  if (!text) return fallback
  if (text !== 'true' && text !== 'false') {
    throw new ConfigError(`${name}: must be true or false, not ${JSON.stringify(text)}`)
  }
  return text === 'true'
}

function email(env: Environment, name: Variable): string | null {
  const text = env[name]?.trim()
  if (!text) return null
  if (!isEmail(text)) throw new ConfigError(`${name}: must be an email address alone, such as no-reply@acme.example`)
  return text
}

/** The value is left out of the message: it can hold a password. */
function url(env: Environment, name: Variable, protocols: readonly string[]): string | null {
  const text = env[name]
  if (!text) return null
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (!parsed || !protocols.includes(parsed.protocol) || !parsed.hostname) {
    throw new ConfigError(`${name}: must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
  }
  return text.replace(/\/+$/, '')
}

/** An address that paths are appended to. */
function base(env: Environment, name: Variable): string | null {
  const found = url(env, name, ['http:', 'https:'])
  if (found && /[@?#\s]/.test(found)) {
    throw new ConfigError(`${name}: must be an address alone, without a user, a query (?), a fragment (#) or blanks`)
  }
  return found
}

/** The value is left out of the message: somebody may have put a password into it. */
function files(env: Environment): SharedFolder | S3Config | null {
  const text = env.FRONTDESK_FILES_URL
  if (!text) return null
  const parsed = URL.canParse(text) ? new URL(text) : null
  const isPlain = parsed && !parsed.username && !parsed.password && !parsed.search && !parsed.hash
  if (isPlain && parsed.protocol === 'file:' && !parsed.host && text.startsWith('file:///')) {
    return { kind: 'folder', url: text, folder: fileURLToPath(parsed) }
  }
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(text) ?? []
  if (!isPlain || bucket === undefined) {
    throw new ConfigError('FRONTDESK_FILES_URL: must be file:///shared/folder or s3://bucket/prefix')
  }
  return {
    kind: 's3',
    url: text,
    bucket,
    prefix: prefix === '' ? '' : `${prefix.slice(1)}/`,
    endpoint: base(env, 'AWS_ENDPOINT_URL'),
    region: env.AWS_REGION || null,
    accessKeyId: needed(env, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed(env, 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: env.AWS_SESSION_TOKEN || null,
  }
}

function needed(env: Environment, name: (typeof s3Variables)[number]): string {
  const value = env[name]
  if (!value) throw new ConfigError(`${name}: must be set where FRONTDESK_FILES_URL begins with s3://`)
  return value
}

/** The value is left out of the message: it is a secret. */
function secretKey(env: Environment): Uint8Array | null {
  const text = env.FRONTDESK_SECRET_KEY
  if (!text) return null
  const key = parseKey(text)
  if (!key) {
    throw new ConfigError(`FRONTDESK_SECRET_KEY: must be ${KEY_LENGTH} random bytes in Base64: openssl rand -base64 32`)
  }
  return key
}

/** With a database that several nodes share, each has to read what another encrypted. */
function databaseUrl(env: Environment): string | null {
  const found = url(env, 'FRONTDESK_DATABASE_URL', ['postgres:', 'postgresql:'])
  if (found && !env.FRONTDESK_SECRET_KEY) {
    throw new ConfigError('FRONTDESK_SECRET_KEY: must be set where FRONTDESK_DATABASE_URL is, the same on every node')
  }
  return found
}

const withoutPort = [
  'FRONTDESK_INBOUND_SMTP_HOST',
  'FRONTDESK_INBOUND_SMTP_TLS_CERT',
  'FRONTDESK_INBOUND_SMTP_TLS_KEY',
] as const

function inboundSmtp(env: Environment): InboundSmtp | null {
  const set = withoutPort.find((name) => env[name])
  if (!env.FRONTDESK_INBOUND_SMTP_PORT) {
    if (set) throw new ConfigError(`FRONTDESK_INBOUND_SMTP_PORT: must be set where ${set} is, or no mail is taken`)
    return null
  }
  const port = integer(env, 'FRONTDESK_INBOUND_SMTP_PORT', 0, 0, 65_535)
  const { FRONTDESK_INBOUND_SMTP_TLS_CERT: cert, FRONTDESK_INBOUND_SMTP_TLS_KEY: key } = env
  if (cert && !key)
    throw new ConfigError('FRONTDESK_INBOUND_SMTP_TLS_KEY: must be set too: the path of its private key')
  if (key && !cert)
    throw new ConfigError('FRONTDESK_INBOUND_SMTP_TLS_CERT: must be set too: the path of its certificate')
  return { host: env.FRONTDESK_INBOUND_SMTP_HOST || '127.0.0.1', port, tls: cert && key ? { cert, key } : null }
}

/** The model may be two, of which the second makes vectors. */
function llm(env: Environment): LlmConfig | null {
  const found = base(env, 'FRONTDESK_LLM_URL')
  const lacking = (['FRONTDESK_LLM_MODEL', 'FRONTDESK_LLM_KEY'] as const).find((name) => env[name])
  if (!found && lacking) throw new ConfigError(`FRONTDESK_LLM_URL: must be set where ${lacking} is`)
  if (!found) return null
  if (/\/(chat\/completions|embeddings)$/.test(found)) {
    throw new ConfigError(
      'FRONTDESK_LLM_URL: must end before /chat/completions and /embeddings, which are appended to it',
    )
  }
  const models = (env.FRONTDESK_LLM_MODEL ?? '').split(',').map((name) => name.trim())
  if (models.length > 2 || (env.FRONTDESK_LLM_MODEL && models.includes(''))) {
    throw new ConfigError('FRONTDESK_LLM_MODEL: must be the name of a model, or of two with a comma between')
  }
  if (env.FRONTDESK_LLM_KEY && !/^[\x21-\x7e]+$/.test(env.FRONTDESK_LLM_KEY)) {
    throw new ConfigError('FRONTDESK_LLM_KEY: must be printable ASCII without blanks')
  }
  const [model = '', embeddingModel = model] = models
  return {
    url: found,
    model: model || null,
    embeddingModel: embeddingModel || null,
    key: env.FRONTDESK_LLM_KEY || null,
  }
}

/** The values are left out of the messages: they are secrets. */
function stripe(env: Environment): StripeConfig | null {
  const key = env.FRONTDESK_STRIPE_KEY
  const webhookSecret = env.FRONTDESK_STRIPE_WEBHOOK_SECRET
  const { origin, href } = new URL(url(env, 'FRONTDESK_STRIPE_API_BASE', ['http:', 'https:']) ?? STRIPE_API)
  if (href !== `${origin}/`) {
    throw new ConfigError('FRONTDESK_STRIPE_API_BASE: must be a host and a port alone, such as http://127.0.0.1:12111')
  }
  if (key && !/^[sr]k_\w+$/.test(key)) {
    throw new ConfigError('FRONTDESK_STRIPE_KEY: must be a secret key (sk_…) or a restricted one (rk_…)')
  }
  if (webhookSecret && !/^whsec_\S+$/.test(webhookSecret)) {
    throw new ConfigError('FRONTDESK_STRIPE_WEBHOOK_SECRET: must be the signing secret of a webhook endpoint (whsec_…)')
  }
  if (key && !webhookSecret) {
    throw new ConfigError(
      'FRONTDESK_STRIPE_WEBHOOK_SECRET: must be set too, or nobody would learn that anything was paid',
    )
  }
  if (webhookSecret && !key) {
    throw new ConfigError('FRONTDESK_STRIPE_KEY: must be set where FRONTDESK_STRIPE_WEBHOOK_SECRET is')
  }
  return key && webhookSecret ? { key, webhookSecret, apiBase: origin } : null
}

function oauthClient(env: Environment, provider: 'MICROSOFT' | 'GOOGLE'): OAuthClient | null {
  const names = [`FRONTDESK_${provider}_CLIENT_ID`, `FRONTDESK_${provider}_CLIENT_SECRET`] as const
  const [clientId, clientSecret] = names.map((name) => env[name])
  if (clientId && clientSecret) return { clientId, clientSecret }
  if (clientId || clientSecret) {
    const [present, missing] = clientId ? names : [names[1], names[0]]
    throw new ConfigError(`${missing}: must be set where ${present} is`)
  }
  return null
}

const oidcVariables = ['FRONTDESK_OIDC_ISSUER', 'FRONTDESK_OIDC_CLIENT_ID', 'FRONTDESK_OIDC_CLIENT_SECRET'] as const

/** All three or none. Without TLS, whoever is on the way could sign in as anybody: on this machine nobody is. */
function oidc(env: Environment): OidcConfig | null {
  const [issuer, clientId, clientSecret] = oidcVariables.map((name) => env[name])
  const present = oidcVariables.find((name) => env[name])
  if (present === undefined) return null
  const missing = oidcVariables.find((name) => !env[name])
  if (!issuer || !clientId || !clientSecret) throw new ConfigError(`${missing}: must be set where ${present} is`)
  const parsed = URL.canParse(issuer) ? new URL(issuer) : null
  const isSafe =
    parsed?.protocol === 'https:' ||
    (parsed?.protocol === 'http:' && isThisMachine(parsed.hostname.replace(/[[\]]/g, '')))
  if (!parsed?.hostname || !isSafe || parsed.username || parsed.search || parsed.hash) {
    throw new ConfigError('FRONTDESK_OIDC_ISSUER: must be the https:// address that the provider names as its issuer')
  }
  return { issuer, clientId, clientSecret }
}

function addressRanges(env: Environment, name: Variable): string[] {
  const ranges = (env[name] ?? '').split(/[\s,]+/).filter(Boolean)
  const bad = ranges.find((range) => !(range.includes('/') ? ipaddr.isValidCIDR(range) : isIP(range)))
  if (bad) throw new ConfigError(`${name}: ${JSON.stringify(bad)} is neither an address nor a range such as 10.0.0.0/8`)
  return ranges
}
