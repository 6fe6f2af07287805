import { UserError } from '../errors.ts'
import { nearest } from '../lib/text/nearest.ts'

/** A variable whose value cannot be used; its message is the one line an administrator sees. */
export class ConfigError extends UserError {
  override readonly name = 'ConfigError'
}

/** Every variable there is. Readers take their names from it, so that none is read that a start would refuse. */
export const variables = [
  'FRONTDESK_DATA',
  'FRONTDESK_DATABASE_URL',
  'FRONTDESK_DATABASE_REPLICA_URL',
  'FRONTDESK_HOST',
  'FRONTDESK_METRICS_HOST',
  'FRONTDESK_METRICS_PORT',
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
  'FRONTDESK_BACKUP_TO',
  'FRONTDESK_BACKUP_EVERY',
  'FRONTDESK_BACKUP_KEEP',
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
/** Named as all tools for S3 name them. Read only where FRONTDESK_FILES_URL or FRONTDESK_BACKUP_TO says s3://. */
export const s3Variables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_REGION',
  'AWS_ENDPOINT_URL',
] as const
export type Variable = (typeof variables)[number] | (typeof s3Variables)[number]

export type Environment = Readonly<Partial<Record<Variable, string | undefined>>>
export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/** The variables alone; throws ConfigError for a `FRONTDESK_…` that there is not, with the name it is nearest to. */
export function refuseUnknown(env: ProcessEnvironment): Environment {
  const known: readonly string[] = variables
  const unknown = Object.keys(env).find((name) => name.startsWith('FRONTDESK_') && env[name] && !known.includes(name))
  if (unknown) throw new ConfigError(`${unknown}: there is no such variable; did you mean ${nearest(unknown, known)}?`)
  return env
}
