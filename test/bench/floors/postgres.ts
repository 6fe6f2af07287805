import postgres from 'postgres'

/**
 * The floor of `bun run bench postgres`: the same as http.ts, over the driver's prepared statements. A create writes
 * what the service writes (contact, event, audit entry) in one serialisable transaction, or with `--row-alone` the
 * contact's row and nothing else. Both as durably as the service. Arguments: URL of the database, tenant id.
 */
const [url, tenantId, mode] = process.argv.slice(2) as [string, string, string | undefined]
const sql = postgres(url, {
  max: 8,
  fetch_types: false,
  types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  connection: { enable_seqscan: 'off', jit: 'off' },
} as object)

// biome-ignore lint/suspicious/noExplicitAny: rows as they come, with as little around them as can be
type Row = any

const run = (text: string, ...values: unknown[]): Promise<Row[]> =>
  sql.unsafe(text, values as never[], { prepare: true }) as unknown as Promise<Row[]>

const contact = `SELECT id, email, name, last_name AS "lastName", phone, organisation_id AS "organisationId",
  (SELECT string_agg(group_id::text, ',') FROM contact_groups m WHERE m.tenant_id = contacts.tenant_id AND m.contact_id = contacts.id) AS groups,
  custom_values AS "customValues", unsubscribed, unsubscribed_at AS "unsubscribedAt", source, created_at AS "createdAt", updated_at AS "updatedAt"
  FROM contacts WHERE tenant_id = $1`
const groups = `SELECT id, name, consent_wording AS "consentWording", consent_group_type AS "consentGroupType"
  FROM groups WHERE tenant_id = $1`
const fields = 'SELECT id, name FROM custom_fields WHERE tenant_id = $1'
const insert = `INSERT INTO contacts (tenant_id, id, email, normalised_email, name, source, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, 'api', $6, $7)`
const event = `INSERT INTO events (tenant_id, event_id, event, timestamp, payload)
  VALUES ($1, $2, 'contact.created_or_updated', $3, $4)`
const auditEntry = `INSERT INTO audit_entries (tenant_id, at, via, author_type, author_id, author_name, address, action, record_id)
  VALUES ($1, $2, 'api', 'api', $3, 'bench', '127.0.0.1', 'contact.created', $3)`

const groupOf = new Map((await run(groups, tenantId)).map((group) => [String(group.id), group]))
const nameOf = new Map((await run(fields, tenantId)).map((field) => [field.id, field.name]))

function complete(rows: Row[]): Row[] {
  for (const row of rows) {
    row.groups = row.groups === null ? [] : row.groups.split(',').map((id: string) => groupOf.get(id))
    row.customValues =
      row.customValues === null
        ? []
        : JSON.parse(row.customValues).map((value: Row) => ({ fieldName: nameOf.get(value.fieldId), ...value }))
  }
  return rows
}

async function page(): Promise<Response> {
  const rows = await run(`${contact} ORDER BY id DESC LIMIT 26`, tenantId)
  rows.pop()
  return Response.json({ items: complete(rows), nextCursor: rows[rows.length - 1].id })
}

async function byId(id: string): Promise<Response> {
  return Response.json(complete(await run(`${contact} AND id = $2`, tenantId, id))[0])
}

async function create(request: Request): Promise<Response> {
  const { email, name } = (await request.json()) as Row
  const id = Bun.randomUUIDv7()
  const at = new Date().toISOString()
  const row = [tenantId, id, email, email.toLowerCase(), name, at, at]
  if (mode === '--row-alone') await run(insert, ...row)
  else await createWhole(row, id, at)
  const none = { lastName: null, phone: null, organisationId: null, groups: [], customValues: [], unsubscribedAt: null }
  const made = { id, email, name, ...none, unsubscribed: false, source: 'api', createdAt: at, updatedAt: at }
  return Response.json(made, { status: 201 })
}

async function createWhole(row: unknown[], id: string, at: string): Promise<void> {
  const payload = JSON.stringify({ id, email: row[2], name: row[4], lastName: null, phone: null })
  await sql.begin('ISOLATION LEVEL SERIALIZABLE', (tx) => {
    const send = (text: string, ...values: unknown[]) => tx.unsafe(text, values as never[], { prepare: true })
    return Promise.all([
      send(insert, ...row),
      send(auditEntry, tenantId, at, id),
      send(event, tenantId, Bun.randomUUIDv7(), at, payload),
    ])
  })
}

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const url = request.url
    const path = url.slice(url.indexOf('/', 8))
    if (request.method === 'POST') return create(request)
    return path === '/v1/contacts' ? page() : byId(path.slice(13))
  },
})
process.stdout.write(`${server.port}\n`)
