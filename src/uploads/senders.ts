import type { Database, Tx } from '../db/index.ts'
import { installationValue, noteOnce } from '../db/installation-values.ts'
import type { Client } from '../lib/network/client-address.ts'

/** Characters of a hash: 132 bits. */
const LENGTH = 22

/** Who sent an upload, as its record knows it: the limit needs to tell senders apart, nobody needs to know them. */
export interface Sender {
  /** Begins with `siteHash` and a full stop where there is one, so that a site's uploads stand together. */
  readonly hash: string
  readonly siteHash: string | null
}

/** Says which sender a client is. The hash is keyed: the addresses there are could all be tried otherwise. */
export function senders(database: Database) {
  let key: Promise<string> | null = null

  async function findKey(): Promise<string> {
    key ??= database.transaction(senderKey).catch((error) => {
      key = null
      throw error
    })
    return key
  }

  return async function senderOf({ network, site }: Pick<Client, 'network' | 'site'>): Promise<Sender> {
    const key = await findKey()
    const hashOf = (text: string) =>
      new Bun.CryptoHasher('sha256', key).update(text).digest('base64url').slice(0, LENGTH)
    if (site === null) return { hash: hashOf(network), siteHash: null }
    const siteHash = hashOf(site)
    return { hash: `${siteHash}.${hashOf(network)}`, siteHash }
  }
}

/** Made at first need, and kept: limits hold over a restart. */
async function senderKey(tx: Tx): Promise<string> {
  const value = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  await noteOnce(tx, 'sender_key', value)
  const kept = await installationValue(tx, 'sender_key')
  if (kept === null) throw new Error('a row that was just written is gone')
  return kept
}
