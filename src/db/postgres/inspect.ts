import type { FileName } from '../../files/names.ts'
import { type FileKind, fileKinds } from '../../kinds/files.ts'
import { type FileRow, hasFile, type Inspection } from '../inspection.ts'
import { type Client, connect, reach } from './client.ts'
import { explainUnreachable } from './faults.ts'
import { drizzleOver } from './handle.ts'
import { countApplied } from './migrations.ts'
import { committedPosition, faultOf, identityOf, replayedPosition, tooFarBehind, unusable } from './positions.ts'

/**
 * Looks at a database; null where it holds nothing yet. Its constraints hold by themselves, and what the disk does to it
 * its server notices: nothing of that is asked. Throws UserError when it cannot be reached or was written by another
 * version.
 */
export async function inspectPostgres(url: string): Promise<Inspection | null> {
  const client = await reach(url, { max: 1, access: 'read only' })
  const close = () => client.end({ timeout: 5 })
  try {
    if ((await countApplied(client)) > 0) return { ...(await rowsOf(client)), close }
    await close()
    return null
  } catch (error) {
    await close()
    throw explainUnreachable(error)
  }
}

/** How long a replica may take to get what the primary had when it was asked, and how often that is looked at, in milliseconds. */
const LATE = 5_000
const LOOK_EVERY = 100

/** Why lists cannot be read from a replica of a database, or null. Throws where the database itself cannot be reached. */
export async function inspectReplica(url: string, replicaUrl: string): Promise<string | null> {
  const primary = connect(url, { max: 1, access: 'read only' })
  const replica = connect(replicaUrl, { max: 1, access: 'read only', role: 'standby' })
  try {
    const [wanted, identity] = [await committedPosition(primary), await identityOf(primary)]
    const deadline = performance.now() + LATE
    for (;;) {
      const found = await replayedPosition(replica).catch((error) => unusable(error))
      if (typeof found === 'string') return found
      const fault = faultOf(found, wanted, identity)
      if (fault !== null || found.bytes >= wanted.bytes) return fault
      if (performance.now() > deadline) return tooFarBehind(LATE)
      await Bun.sleep(LOOK_EVERY)
    }
  } finally {
    await Promise.all([primary.end({ timeout: 5 }), replica.end({ timeout: 5 })])
  }
}

async function rowsOf(client: Client) {
  const kinds = await kindsWithFiles(client)
  return {
    faults: () => [],
    async files() {
      const rows: FileRow[] = []
      for (const kind of kinds) rows.push(...(await client.unsafe<FileRow[]>(selectFiles(kind))))
      return rows
    },
    async file({ kind, tenantId, id }: FileName) {
      const select = `${selectFiles(kind)} AND tenant_id = $1 AND id = $2`
      const [row] = kinds.includes(kind) ? await client.unsafe<FileRow[]>(select, [tenantId, id]) : []
      return row ?? null
    },
    async keyFingerprint() {
      const [row] = await client.unsafe<{ fingerprint: string }[]>('SELECT fingerprint FROM secret_key')
      return row?.fingerprint ?? null
    },
    async installationId() {
      const [table] = await client.unsafe<{ name: string | null }[]>("SELECT to_regclass('installation')::text AS name")
      if (table?.name == null) return null
      const [row] = await client.unsafe<{ value: string }[]>("SELECT value FROM installation WHERE name = 'id'")
      return row?.value ?? null
    },
    keepsAudit: () => true,
    sealsAudit: () => headsHave(client, 'seal'),
    dropsAudit: () => headsHave(client, 'dropped'),
    async keepsMailboxes() {
      const [row] = await client.unsafe<{ name: string | null }[]>("SELECT to_regclass('mailboxes')::text AS name")
      return row?.name != null
    },
    db: drizzleOver(async (text, params, rows) => {
      const query = client.unsafe(text, params as never[], { prepare: true })
      return (rows === 'values' ? await query.values() : await query) as unknown[]
    }),
  }
}

/** The first version of ours on PostgreSQL had records of attachments without files. */
async function kindsWithFiles(client: Client): Promise<FileKind[]> {
  const tables = await client.unsafe<{ name: FileKind }[]>(`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'sha256'
  `)
  return fileKinds.filter((kind) => tables.some(({ name }) => name === kind))
}

function selectFiles(kind: FileKind): string {
  return `SELECT '${kind}' AS kind, tenant_id AS "tenantId", id, size, sha256 FROM "${kind}" WHERE ${hasFile(kind)}`
}

async function headsHave(client: Client, column: 'seal' | 'dropped'): Promise<boolean> {
  const found = await client.unsafe(`
    SELECT 1 FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = 'audit_heads' AND column_name = '${column}'
  `)
  return found.length > 0
}
