import { type Client, connect } from './client.ts'
import { explainUnreachable } from './faults.ts'
import { ofDatabase } from './url.ts'

/* A database beside ours for as long as a backup is tried out in it. */

/** Begins the name of such a database; then come the number of ours, whose server several installations may share, and a part by chance. */
const PREFIX = 'frontdesk_drill_'
/** Of the locks by which those that are used are known, each with the hash of its name. Any number that nobody else uses. */
const LOCK = 723_611_491

/**
 * Makes an empty database on the server of ours, has `use` work with it, and drops it. Others that killed drills left go
 * first. Returns null, making none, where our user may not.
 */
export async function withSpareDatabase<T>(url: string, use: (spareUrl: string) => Promise<T>): Promise<T | null> {
  const client = connect(url, { max: 1, access: 'read write' })
  try {
    const prefix = await prefixFor(client)
    if (prefix === null) return null
    await dropAbandoned(client, prefix)
    const name = prefix + crypto.randomUUID().slice(0, 8)
    // Held by the connection, so that it is given up by whoever is killed.
    await client.unsafe('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK, name])
    await client.unsafe(`CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8'`)
    try {
      return await use(ofDatabase(url, name))
    } finally {
      await client.unsafe(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
    }
  } catch (error) {
    throw explainUnreachable(error)
  } finally {
    await client.end({ timeout: 5 })
  }
}

/** How ours are called; null where this user may make none. */
async function prefixFor(client: Client): Promise<string | null> {
  const [row] = await client.unsafe<{ may: boolean; oid: string }[]>(`
    SELECT (rolcreatedb OR rolsuper) AS may, (SELECT oid::text FROM pg_database WHERE datname = current_database()) AS oid
    FROM pg_roles WHERE rolname = current_user
  `)
  return row?.may ? `${PREFIX}${row.oid}_` : null
}

async function dropAbandoned(client: Client, prefix: string): Promise<void> {
  const found = await client.unsafe<{ name: string }[]>(
    'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
    [prefix],
  )
  for (const { name } of found) {
    const [row] = await client.unsafe<{ free: boolean }[]>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS free', [
      LOCK,
      name,
    ])
    if (!row?.free) continue
    await client.unsafe(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
    await client.unsafe('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK, name])
  }
}
