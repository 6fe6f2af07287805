import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/db/index.ts'
import { planOnce } from '../../../src/db/sqlite/plan-once.ts'

/**
 * The floor: what the same answers cost with nothing around them. A bare Bun.serve, prepared statements, the same data
 * file, the same JSON; no keys, scopes, limits, validation, request ids, log or events, and each insert committed alone
 * at synchronous=FULL. Arguments: data folder, tenant id.
 */
const [dataDir, tenantId] = process.argv.slice(2) as [string, string]
const sqlite = new Sqlite(join(dataDir, DATABASE_FILE))
sqlite.run('PRAGMA busy_timeout = 5000')
sqlite.run('PRAGMA journal_mode = WAL')
sqlite.run('PRAGMA synchronous = FULL')
sqlite.run('PRAGMA foreign_keys = ON')
sqlite.run('PRAGMA cache_size = -32768')

const prepare = (statement: string) => sqlite.prepare(planOnce(statement))

const contact = `id, email, name, last_name AS lastName, phone, organisation_id AS organisationId,
  (SELECT group_concat(group_id) FROM contact_groups m WHERE m.tenant_id = contacts.tenant_id AND m.contact_id = contacts.id) AS groups,
  custom_values AS customValues, unsubscribed, unsubscribed_at AS unsubscribedAt, source, created_at AS createdAt, updated_at AS updatedAt`
const byId = prepare(`SELECT ${contact} FROM contacts WHERE tenant_id = ? AND id = ?`)
const first = prepare(`SELECT ${contact} FROM contacts WHERE tenant_id = ? ORDER BY id DESC LIMIT 26`)
const after = prepare(`SELECT ${contact} FROM contacts WHERE tenant_id = ? AND id < ? ORDER BY id DESC LIMIT 26`)
const filtered = prepare(
  `SELECT ${contact} FROM contacts WHERE tenant_id = ? AND unsubscribed = ? ORDER BY id DESC LIMIT 26`,
)
const groups = prepare(
  'SELECT id, name, consent_wording AS consentWording, consent_group_type AS consentGroupType FROM groups WHERE tenant_id = ?',
)
const fields = prepare('SELECT id, name FROM custom_fields WHERE tenant_id = ?')
const insert = prepare(
  `INSERT INTO contacts (tenant_id, id, email, normalised_email, name, source, created_at, updated_at)
   VALUES (?, ?, ?, ?, ?, 'api', ?, ?)`,
)
const owner = sqlite.query('SELECT id FROM users WHERE tenant_id = ?').get(tenantId) as { id: string }
const workspace = sqlite.query('SELECT id FROM workspaces WHERE tenant_id = ?').get(tenantId) as { id: string }
const insertForm = prepare(
  `INSERT INTO forms (tenant_id, id, workspace_id, owner_id, title, launch_code, status, pages, created_at, updated_at)
   VALUES (?, ?, ?, ?, ?, ?, 'inactive', ?, ?, ?)`,
)

const logged = prepare(
  `SELECT number, event_id AS eventId, event, timestamp, payload FROM events
   WHERE tenant_id = ? AND transaction_number = 0 AND number > ? ORDER BY number LIMIT 26`,
)

// biome-ignore lint/suspicious/noExplicitAny: rows as they come, with as little around them as can be
type Row = any

function complete(rows: Row[]): Row[] {
  const groupOf = new Map((groups.all(tenantId) as Row[]).map((group) => [String(group.id), group]))
  const nameOf = new Map((fields.all(tenantId) as Row[]).map((field) => [field.id, field.name]))
  for (const row of rows) {
    row.unsubscribed = row.unsubscribed === 1
    row.groups = row.groups === null ? [] : row.groups.split(',').map((id: string) => groupOf.get(id))
    row.customValues =
      row.customValues === null
        ? []
        : JSON.parse(row.customValues).map((value: Row) => ({ fieldName: nameOf.get(value.fieldId), ...value }))
  }
  return rows
}

function page(rows: Row[]): Response {
  rows.pop()
  return Response.json({ items: complete(rows), nextCursor: rows[rows.length - 1].id })
}

/** Of what is JSON already nothing is read. */
function log(after: number): Response {
  const rows = logged.all(tenantId, after) as Row[]
  rows.pop()
  const items = rows.map(({ eventId, event, timestamp, payload }) => {
    const head = JSON.stringify({ eventId, event, eventType: 2, timestamp })
    return `${head.slice(0, -1)},"payload":${payload}}`
  })
  const body = `{"items":[${items.join()}],"nextCursor":"${rows.at(-1).number}"}`
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

async function create(request: Request): Promise<Response> {
  const { email, name } = (await request.json()) as Row
  const id = Bun.randomUUIDv7()
  const at = new Date().toISOString()
  insert.run(tenantId, id, email, email.toLowerCase(), name, at, at)
  return Response.json(
    {
      id,
      email,
      name,
      lastName: null,
      phone: null,
      organisationId: null,
      groups: [],
      customValues: [],
      unsubscribed: false,
      unsubscribedAt: null,
      source: 'api',
      createdAt: at,
      updatedAt: at,
    },
    { status: 201 },
  )
}

async function createForm(request: Request): Promise<Response> {
  const { title, questions } = (await request.json()) as Row
  const id = Bun.randomUUIDv7()
  const at = new Date().toISOString()
  const pages = [
    { id: 1, title: null, questions: questions.map((question: Row, i: number) => ({ id: i + 1, ...question })) },
  ]
  insertForm.run(tenantId, id, workspace.id, owner.id, title, id.slice(-12), JSON.stringify(pages), at, at)
  return Response.json({ id, title, pages, createdAt: at, updatedAt: at }, { status: 201 })
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const url = request.url
    const path = url.slice(url.indexOf('/', 8))
    if (request.method === 'POST') return path === '/v1/forms' ? createForm(request) : create(request)
    if (path === '/v1/contacts') return page(first.all(tenantId))
    if (path.startsWith('/v1/contacts?cursor=')) return page(after.all(tenantId, path.slice(20)))
    if (path.startsWith('/v1/events?cursor=')) return log(Number(path.slice(18)))
    if (path.startsWith('/v1/contacts?')) return page(filtered.all(tenantId, 1))
    return Response.json(complete([byId.get(tenantId, path.slice(13))])[0])
  },
})
process.stdout.write(`${server.port}\n`)
