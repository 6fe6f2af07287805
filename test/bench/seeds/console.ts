import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { loadConfig } from '../../../src/config.ts'
import { DATABASE_FILE, openDatabase } from '../../../src/db/index.ts'
import { prepareDemo } from '../../../src/demo/index.ts'
import { openFiles } from '../../../src/files/index.ts'
import { openSecrets } from '../../../src/installation/secret-key.ts'
import { newId } from '../../../src/lib/ids.ts'
import { print } from '../harness/report.ts'

/** How much there is of each: the demo about a hundred times. */
const TARGETS = { contacts: 50_000, responses: 300_000, tickets: 20_000, messages: 200_000, audit: 300_000 }

export interface ConsoleData {
  email: string
  password: string
}

type Row = Record<string, string | number | null>

/** Fills a folder with the demo, then with copies of its contacts, responses, tickets and messages, straight as rows. */
export async function seedConsole(dataDir: string): Promise<ConsoleData> {
  const config = loadConfig({}, { dataDir })
  const database = await openDatabase(config)
  const secrets = await openSecrets(config, database)
  const { admin } = await prepareDemo(database, { dataDir, files: openFiles(config), secrets }, Date.now())
  await database.close()
  const sqlite = new Sqlite(join(dataDir, DATABASE_FILE))
  sqlite.run('PRAGMA synchronous = OFF')
  sqlite.run('PRAGMA foreign_keys = OFF')
  sqlite.run('BEGIN')
  const contacts = copyContacts(sqlite)
  copyResponses(sqlite, contacts)
  copyTickets(sqlite, contacts)
  noteTickets(sqlite)
  copyAudit(sqlite)
  sqlite.run('COMMIT')
  sqlite.run('ANALYZE')
  sqlite.run('DROP TABLE IF EXISTS sqlite_stat1')
  for (const table of ['contacts', 'responses', 'tickets', 'messages', 'audit_entries']) {
    print(`${table}: ${count(sqlite, table)}`)
  }
  sqlite.close()
  return { email: admin.email, password: admin.password ?? '' }
}

function count(sqlite: Sqlite, table: string): number {
  return (sqlite.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }).n
}

/** Inserts rows of a table as they are read, changed. */
function copier(sqlite: Sqlite, table: string) {
  const rows = sqlite.query(`SELECT * FROM ${table}`).all() as Row[]
  const columns = Object.keys(rows[0] ?? {})
  const insert = sqlite.prepare(
    `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join()}) VALUES (${columns.map(() => '?').join()})`,
  )
  return {
    rows,
    copy(row: Row, changes: Row) {
      const changed = { ...row, ...changes }
      insert.run(...columns.map((name) => changed[name] ?? null))
    },
  }
}

/** Times of a copy: somewhat before those of what it is copied from, so that no two are alike. */
function earlier(row: Row, names: readonly string[], ms: number): Row {
  return Object.fromEntries(
    names.map((name) => {
      const time = row[name] ?? null
      return [name, time === null ? null : new Date(Date.parse(String(time)) - ms).toISOString()]
    }),
  )
}

const createdAt = (row: Row) => Date.parse(String(row.created_at))
const someTime = () => Math.floor(Math.random() * 3_600_000)

/** The copies of each contact, by its id. */
type Copies = ReadonlyMap<string, readonly string[]>

function copyContacts(sqlite: Sqlite): Copies {
  const { rows, copy } = copier(sqlite, 'contacts')
  const groups = copier(sqlite, 'contact_groups')
  const groupsOf = Map.groupBy(groups.rows, ({ contact_id }) => contact_id)
  const copies = new Map(rows.map(({ id }) => [String(id), [String(id)]]))
  for (let i = rows.length; i < TARGETS.contacts; i++) {
    const row = rows[i % rows.length] as Row
    const ms = someTime()
    const id = newId(createdAt(row) - ms)
    const email = row.email === null ? null : `${i}.${row.email}`
    copy(row, {
      ...earlier(row, ['created_at', 'updated_at'], ms),
      id,
      email,
      normalised_email: email?.toLowerCase() ?? null,
    })
    for (const group of groupsOf.get(row.id as string) ?? []) groups.copy(group, { contact_id: id })
    copies.get(String(row.id))?.push(id)
  }
  return copies
}

function copyOf(contacts: Copies, id: unknown, i: number): string | null {
  const copies = id === null ? undefined : contacts.get(String(id))
  return copies?.[i % copies.length] ?? null
}

function copyResponses(sqlite: Sqlite, contacts: Copies): void {
  const { rows, copy } = copier(sqlite, 'responses')
  for (let i = rows.length; i < TARGETS.responses; i++) {
    const row = rows[i % rows.length] as Row
    const ms = someTime()
    copy(row, {
      ...earlier(row, ['created_at', 'submitted_at', 'updated_at'], ms),
      id: `r_${newId(createdAt(row) - ms).replaceAll('-', '')}`,
      contact_id: copyOf(contacts, row.contact_id, Math.floor(i / rows.length)),
    })
  }
}

/** What operations note of tickets, of those that were copied: closings, and that their figures are to be made. */
function noteTickets(sqlite: Sqlite): void {
  sqlite.run(
    'INSERT OR IGNORE INTO ticket_closings (tenant_id, ticket_id, closed_at) ' +
      'SELECT tenant_id, id, closed_at FROM tickets WHERE closed_at IS NOT NULL',
  )
  sqlite.run(
    'INSERT OR IGNORE INTO changed_tickets (tenant_id, ticket_id, changes) SELECT tenant_id, id, 1 FROM tickets',
  )
}

/** Of mail alone: a chat needs a visitor. */
function copyTickets(sqlite: Sqlite, contacts: Copies): void {
  const tickets = copier(sqlite, 'tickets')
  const messages = copier(sqlite, 'messages')
  const messagesOf = Map.groupBy(messages.rows, ({ ticket_id }) => ticket_id)
  const chats = new Set(sqlite.query("SELECT id FROM inboxes WHERE channel <> 'email'").values().flat())
  const rows = tickets.rows.filter(({ inbox_id }) => !chats.has(inbox_id ?? null))
  const first = Math.max(...tickets.rows.map(({ sequential_number }) => Number(sequential_number))) + 1
  const each = TARGETS.messages / TARGETS.tickets
  for (let i = tickets.rows.length; i < TARGETS.tickets; i++) {
    const row = rows[i % rows.length] as Row
    const ms = someTime()
    const id = newId(createdAt(row) - ms)
    const own = messagesOf.get(row.id as string) ?? []
    tickets.copy(row, {
      ...earlier(row, ['created_at', 'updated_at', 'last_message_at', 'closed_at'], ms),
      id,
      sequential_number: first + i,
      contact_id: copyOf(contacts, row.contact_id, Math.floor(i / rows.length)),
      message_count: each,
    })
    for (let j = 0; j < each && own.length > 0; j++) {
      const message = own[j % own.length] as Row
      messages.copy(message, {
        ...earlier(message, ['created_at'], ms),
        id: newId(createdAt(message) - ms),
        ticket_id: id,
        written_in_id: null,
        mail_id: null,
      })
    }
  }
  sqlite.run(`UPDATE counters SET value = ${first + TARGETS.tickets} WHERE name = 'ticket'`)
}

function copyAudit(sqlite: Sqlite): void {
  sqlite.run("UPDATE audit_entries SET position = number, hash = 'x' WHERE position IS NULL")
  const { rows, copy } = copier(sqlite, 'audit_entries')
  const last = rows.length === 0 ? 0 : Math.max(...rows.map(({ number }) => Number(number)))
  for (let i = rows.length; i < TARGETS.audit && rows.length > 0; i++) {
    copy(rows[i % rows.length] as Row, { number: last + i, position: last + i, hash: 'x' })
  }
  sqlite.run('DELETE FROM audit_heads')
  sqlite.run(`INSERT INTO audit_heads (tenant_id, count, hash) SELECT id, ${last + TARGETS.audit}, 'x' FROM tenants`)
}
