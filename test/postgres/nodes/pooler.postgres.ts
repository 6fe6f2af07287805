import { afterAll, describe, expect, test } from 'bun:test'
import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { openDatabase } from '../../../src/db/index.ts'
import { migrateBehind, migrations } from '../../../src/db/postgres/migrations.ts'
import { emptyDatabase } from '../../support/processes/nodes.ts'
import { refusalOf } from '../../support/refusal.ts'

/** Fields of a startup packet that every pooler passes on. */
const PASSED_ON = new Set(['user', 'database', 'client_encoding', 'application_name'])

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})

/** A startup packet's fields: `int32 length, int32 protocol, name, value, …, 0`. */
function fieldsOf(packet: Buffer): [string, string][] {
  const texts = packet.toString('utf8', 8).split('\0')
  return texts.flatMap((name, i) => (i % 2 === 0 && name ? [[name, texts[i + 1] ?? ''] as [string, string]] : []))
}

function startup(fields: readonly [string, string][]): Buffer {
  const body = Buffer.from(`${fields.flat().join('\0')}\0\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + body.length, 0)
  head.writeInt32BE(0x3_0000, 4)
  return Buffer.concat([head, body])
}

/** What PgBouncer answers to a field it does not know. */
function refusal(name: string): Buffer {
  const body = Buffer.from(`SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}

/** Stands before a server as a pooler: refuses settings of a session, or swallows them as `ignore_startup_parameters` does. */
async function pool(url: string, does: 'refuse' | 'ignore'): Promise<string> {
  const { hostname, port } = new URL(url)
  const server = createServer((client: Socket) => {
    client.on('error', () => {})
    client.once('data', (packet: Buffer) => {
      const fields = fieldsOf(packet)
      const strange = fields.find(([name]) => !PASSED_ON.has(name))
      if (strange && does === 'refuse') return client.end(refusal(strange[0]))
      const upstream = dial(Number(port), hostname)
      upstream.on('error', () => client.destroy())
      upstream.write(startup(fields.filter(([name]) => PASSED_ON.has(name))))
      client.pipe(upstream).pipe(client)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const pooled = new URL(url)
  pooled.port = String((server.address() as { port: number }).port)
  return pooled.href
}

describe('behind a pooler that keeps settings from the server a node does not start, and says what to do', () => {
  test.each(['refuse', 'ignore'] as const)('which is told to %s them', async (does) => {
    const { url, sql } = await emptyDatabase()
    const opened = openDatabase({ dataDir: '', databaseUrl: await pool(url, does) })
    expect(await refusalOf(opened)).toMatch(
      /^FRONTDESK_DATABASE_URL: leads to a pooler .*: connect to PostgreSQL itself$/,
    )
    expect(await sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`).toHaveLength(0)
    await sql.end()
  })

  test.each(['refuse', 'ignore'] as const)(
    'which is told to %s them, also where the database would be migrated: no backup is made, and no lock stays',
    async (does) => {
      const { url, sql } = await emptyDatabase()
      await sql.unsafe('CREATE TABLE migrations (position bigint PRIMARY KEY, hash text NOT NULL)')
      await sql`INSERT INTO migrations VALUES (0, ${migrations[0]?.hash as string})`
      const prepared: string[] = []
      const behind = migrateBehind(
        await pool(url, does),
        async () => void prepared.push('a backup'),
        () => {},
      )
      expect(await refusalOf(behind)).toMatch(
        /^FRONTDESK_DATABASE_URL: leads to a pooler .*: connect to PostgreSQL itself$/,
      )
      const locks = await sql`
        SELECT 1 FROM pg_locks WHERE locktype = 'advisory'
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      expect([prepared, [...locks]]).toEqual([[], []])
      await sql.end()
    },
  )
})
