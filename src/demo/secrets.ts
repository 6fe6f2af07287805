import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FILE = 'demo.json'

/** What somebody holds who began a response and a conversation: "Try it out" goes on with both (decisions §10). */
export interface Guest {
  readonly formId: string
  readonly responseId: string
  readonly resumeToken: string
  readonly sourceId: string
  readonly conversationId: string
  readonly visitorToken: string
}

/**
 * What opens the demo tenant. The database only has hashes of keys and passwords, so they are kept in a file of the data
 * folder that its owner alone can read: every start prints the same ones, and a client that was set up with the key
 * yesterday works today. That is no habit for real tenants; this one holds nothing but invented people.
 */
export interface DemoSecrets {
  readonly key: string
  /** The admin's sign-in; all users have its password. Unknown when the file was lost. */
  readonly email?: string
  readonly password?: string
  /** Unknown in a folder that was filled before there was one. */
  readonly guest?: Guest
}

/** The secrets kept in the data folder, or null when the file is gone or cannot be read. */
export function readSecrets(dataDir: string): DemoSecrets | null {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(dataDir, FILE), 'utf8'))
    return isSecrets(kept) ? kept : null
  } catch {
    return null
  }
}

function isSecrets(kept: unknown): kept is DemoSecrets {
  return typeof kept === 'object' && kept !== null && 'key' in kept && typeof kept.key === 'string'
}

/** Replaces the file in one step; at no moment can others read it. */
export function keepSecrets(dataDir: string, secrets: DemoSecrets): void {
  const file = join(dataDir, FILE)
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(next, file)
}
