import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import type { Config } from '../config.ts'
import { type Database, lockForService, type Place, type Reader } from '../db/index.ts'
import { idempotencyKeys, secretKey, webhooks } from '../db/schema.ts'
import { UserError } from '../errors.ts'
import { KEY_FILE } from '../folder/names.ts'
import { replaceFile } from '../lib/disk/durable.ts'
import { fingerprintOf, KEY_LENGTH, parseKey, type Secrets, sealerWith } from '../secrets/seal.ts'
import { adopt } from './adopt-secrets.ts'

type KeyConfig = Pick<Config, 'dataDir' | 'secretKey'>

/**
 * The secrets of a data folder (decisions §11): with the key of FRONTDESK_SECRET_KEY, else the one in the folder's
 * `secret.key`, which is made where nothing was sealed yet. The database remembers which key it was; what an earlier
 * version stored in clear text is sealed then, too. Throws UserError naming the variable and the file when that key is
 * missing or another. Needs the folder's lock, unless FRONTDESK_SECRET_KEY is set.
 */
export async function openSecrets(config: KeyConfig, database: Database): Promise<Secrets> {
  const known = await requireKey(config, database.db)
  const key = configuredKey(config) ?? makeKey(config.dataDir)
  const secrets = sealerWith(key)
  if (known === null) {
    if (await adopt(database, fingerprintOf(key), secrets)) await database.purge([webhooks, idempotencyKeys])
    // Another node's may have come first.
    await requireKey(config, database.db)
  }
  return secrets
}

/**
 * As `openSecrets`, beside a service that may be running: where there is no key yet, it is made while nobody serves the
 * data. Throws UserError where somebody does, too.
 */
export async function openSecretsBeside(config: KeyConfig & Place, database: Database): Promise<Secrets> {
  if (config.secretKey || (await knownFingerprint(database.db)) !== null) return openSecrets(config, database)
  const unlock = lockForService(config)
  try {
    return await openSecrets(config, database)
  } finally {
    unlock()
  }
}

/** For who can do without: the secrets whose key has the fingerprint `known`, or null where that key is not here. */
export function availableSecrets(config: KeyConfig, known: string | null): Secrets | null {
  if (known === null || keyProblem(config, known) !== null) return null
  return sealerWith(configuredKey(config) as Uint8Array)
}

/** The fingerprint that is known. Throws UserError when the configured key is not the one it is of. */
async function requireKey(config: KeyConfig, db: Reader): Promise<string | null> {
  const known = await knownFingerprint(db)
  const problem = keyProblem(config, known)
  if (problem !== null) throw new UserError(problem)
  return known
}

/** The fingerprint of the key that the database's values were sealed with, or null when there are none yet. */
export async function knownFingerprint(db: Reader): Promise<string | null> {
  const [known] = await db.select().from(secretKey).where(eq(secretKey.id, 1))
  return known?.fingerprint ?? null
}

/** One line that says why the configured key does not open what was sealed with the `known` one, or null. */
export function keyProblem(config: KeyConfig, known: string | null): string | null {
  const file = join(config.dataDir, KEY_FILE)
  let key: Uint8Array | null
  try {
    key = configuredKey(config)
  } catch (error) {
    return (error as Error).message
  }
  if (known === null || (key && fingerprintOf(key) === known)) return null
  const where = config.secretKey ? 'FRONTDESK_SECRET_KEY' : file
  const what = key ? `${where} is another key than` : `FRONTDESK_SECRET_KEY is not set and ${file} is missing:`
  return `${what} the one that the secrets in the database were encrypted with: set FRONTDESK_SECRET_KEY to that key, or put ${file} back from a backup`
}

/** Throws UserError for a file that holds no key. */
function configuredKey({ dataDir, secretKey }: KeyConfig): Uint8Array | null {
  if (secretKey) return secretKey
  const file = join(dataDir, KEY_FILE)
  if (!existsSync(file)) return null
  const key = parseKey(readFileSync(file, 'utf8').trim())
  if (!key) throw new UserError(`${file} holds no key (${KEY_LENGTH} bytes in Base64): put it back from a backup`)
  return key
}

/** On the disk before anything is sealed with it, and in one step: half a key would be worse than none. */
function makeKey(dataDir: string): Uint8Array {
  const key = randomBytes(KEY_LENGTH)
  replaceFile(join(dataDir, KEY_FILE), `${key.toString('base64')}\n`)
  return key
}
