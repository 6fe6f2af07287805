import { defaultBaseUrl } from './config/addresses.ts'
import { type BackupConfig, backup } from './config/backup.ts'
import { type LlmConfig, llm } from './config/language-model.ts'
import type { OAuthClient } from './config/mail.ts'
import { type InboundSmtp, inboundSmtp, oauthClient } from './config/mail.ts'
import { type MetricsListener, metrics } from './config/metrics.ts'
import { type StripeConfig, stripe } from './config/payments.ts'
import { type OidcConfig, oidc } from './config/sign-in.ts'
import {
  databaseReplicaUrl,
  databaseUrl,
  files,
  type S3Config,
  type SharedFolder,
  secretKey,
} from './config/storage.ts'
import { addressRanges, base, boolean, email, integer, url } from './config/values.ts'
import { type ProcessEnvironment, refuseUnknown } from './config/variables.ts'

export { addressHere, defaultBaseUrl, inboundSmtpUrl } from './config/addresses.ts'
export type { BackupConfig, Keep } from './config/backup.ts'
export { backupEnvironment } from './config/backup-environment.ts'
export type { LlmConfig } from './config/language-model.ts'
export type { InboundSmtp } from './config/mail.ts'
export type { MetricsListener } from './config/metrics.ts'
export type { StripeConfig } from './config/payments.ts'
export type { OidcConfig } from './config/sign-in.ts'
export type { S3Config, SharedFolder } from './config/storage.ts'
export { ConfigError, s3Variables } from './config/variables.ts'

/** Everything that can be configured (decisions §11). Durations are milliseconds, rates are per minute, sizes bytes. */
export interface Config {
  /** Folder of the database, uploads and unsent mail. */
  readonly dataDir: string
  /** `postgres://user:pass@host/db`, or null: SQLite in the data folder (decisions §15). */
  readonly databaseUrl: string | null
  /** A replica of it, from which lists and reports are read, or null. */
  readonly databaseReplicaUrl: string | null
  readonly host: string
  readonly port: number
  /** Where metrics are served, or null: nowhere. */
  readonly metrics: MetricsListener | null
  /** Address people reach us at, without a trailing slash; used in links. */
  readonly baseUrl: string
  readonly rateLimit: number
  readonly publicRateLimit: number
  /** Below this much room on the disk no uploads are taken. */
  readonly minFree: number
  /** Where uploads and attachments lie; null: in the data folder. */
  readonly files: SharedFolder | S3Config | null
  /** Backups that are made by themselves, or null: none are. */
  readonly backup: BackupConfig | null
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
    databaseReplicaUrl: databaseReplicaUrl(env),
    host,
    port,
    metrics: metrics(env),
    baseUrl: base(env, 'FRONTDESK_BASE_URL') ?? defaultBaseUrl(host, port),
    rateLimit: integer(env, 'FRONTDESK_RATE_LIMIT', 120, 1, 1_000_000_000),
    publicRateLimit: integer(env, 'FRONTDESK_PUBLIC_RATE_LIMIT', 60, 1, 1_000_000_000),
    minFree: integer(env, 'FRONTDESK_MIN_FREE_MB', 200, 0, 1_000_000_000) * 1_000_000,
    files: files(env),
    backup: backup(env),
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
