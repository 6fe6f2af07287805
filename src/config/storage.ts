import { fileURLToPath } from 'node:url'
import { KEY_LENGTH, parseKey } from '../secrets/seal.ts'
import { base, urlOfHosts } from './values.ts'
import { ConfigError, type Environment, type s3Variables, type Variable } from './variables.ts'

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
  /** What was configured, which holds no secret. */
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

/** The value is left out of the message: somebody may have put a password into it. */
export function files(env: Environment): SharedFolder | S3Config | null {
  const text = env.FRONTDESK_FILES_URL
  if (!text) return null
  const parsed = URL.canParse(text) ? new URL(text) : null
  const isPlain = parsed && !parsed.username && !parsed.password && !parsed.search && !parsed.hash
  if (isPlain && parsed.protocol === 'file:' && !parsed.host && text.startsWith('file:///')) {
    return { kind: 'folder', url: text, folder: fileURLToPath(parsed) }
  }
  const found = isPlain ? bucketAt(env, text, 'FRONTDESK_FILES_URL') : null
  if (!found) throw new ConfigError('FRONTDESK_FILES_URL: must be file:///shared/folder or s3://bucket/prefix')
  return found
}

/** The bucket that the value of a variable names, or null where it names none. */
export function bucketAt(env: Environment, text: string, name: Variable): S3Config | null {
  const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/.exec(text) ?? []
  if (bucket === undefined) return null
  const needed = (variable: (typeof s3Variables)[number]) => {
    const value = env[variable]
    if (!value) throw new ConfigError(`${variable}: must be set where ${name} begins with s3://`)
    return value
  }
  return {
    kind: 's3',
    url: text,
    bucket,
    prefix: prefix === '' ? '' : `${prefix.slice(1)}/`,
    endpoint: base(env, 'AWS_ENDPOINT_URL'),
    region: env.AWS_REGION || null,
    accessKeyId: needed('AWS_ACCESS_KEY_ID'),
    secretAccessKey: needed('AWS_SECRET_ACCESS_KEY'),
    sessionToken: env.AWS_SESSION_TOKEN || null,
  }
}

/** The value is left out of the message: it is a secret. */
export function secretKey(env: Environment): Uint8Array | null {
  const text = env.FRONTDESK_SECRET_KEY
  if (!text) return null
  const key = parseKey(text)
  if (!key) {
    throw new ConfigError(`FRONTDESK_SECRET_KEY: must be ${KEY_LENGTH} random bytes in Base64: openssl rand -base64 32`)
  }
  return key
}

const POSTGRES = ['postgres:', 'postgresql:']

/** With a database that several nodes share, each has to read what another encrypted. */
export function databaseUrl(env: Environment): string | null {
  const found = urlOfHosts(env, 'FRONTDESK_DATABASE_URL', POSTGRES)
  if (found && !env.FRONTDESK_SECRET_KEY) {
    throw new ConfigError('FRONTDESK_SECRET_KEY: must be set where FRONTDESK_DATABASE_URL is, the same on every node')
  }
  return found
}

/** Only a server has replicas. */
export function databaseReplicaUrl(env: Environment): string | null {
  const found = urlOfHosts(env, 'FRONTDESK_DATABASE_REPLICA_URL', POSTGRES)
  if (found && !env.FRONTDESK_DATABASE_URL) {
    throw new ConfigError(
      'FRONTDESK_DATABASE_REPLICA_URL: only PostgreSQL has replicas: set FRONTDESK_DATABASE_URL to the primary too',
    )
  }
  return found
}
