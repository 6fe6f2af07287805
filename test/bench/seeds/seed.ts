import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { commandCaller } from '../../../src/caller.ts'
import { createCustomField } from '../../../src/contacts/fields/custom-fields.ts'
import { DATABASE_FILE, openDatabase } from '../../../src/db/index.ts'
import { createGroup } from '../../../src/groups/operations.ts'
import { createKey } from '../../../src/keys/operations.ts'
import { scopes } from '../../../src/kinds/scopes.ts'
import { createOrganisation } from '../../../src/organisations/operations.ts'
import { createTenant } from '../../../src/tenants/operations.ts'
import { createUser } from '../../../src/users/accounts.ts'

/** What the benches need to know of their data. */
export interface BenchData {
  dataDir: string
  tenantId: string
  /** Twenty keys: requests are spread over them, as they would be over a tenant's integrations. */
  keys: string[]
  contacts: number
  /** Ids of contacts all over the table. */
  sampleIds: string[]
  /** The contact at row 90 % of the list, newest first. */
  deepId: string
}

/** A tenant with `count` contacts, a third of them in groups and a third with custom values, written straight as rows. */
export async function seed(dataDir: string, count: number): Promise<BenchData> {
  const database = await openDatabase({ dataDir })
  const at = Date.now()
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Bench' }, at))
  const caller = commandCaller(tenantId, at)
  const made = await database.transaction(async (tx) => {
    await createUser(tx, caller, { email: 'owner@bench.test', role: 'admin', billable: true, passwordHash: '-' })
    const keys: string[] = []
    for (let i = 0; i < 20; i++)
      keys.push((await createKey(tx, caller, { name: `k${i}`, scopes, expiresAt: null })).key)
    const groups = [1, 2, 3, 4, 5, 6]
    for (const n of groups) await createGroup(tx, caller, { name: `Group ${n}` })
    const organisation = await createOrganisation(tx, caller, { name: 'Acme', domain: 'acme.test' })
    const field = await createCustomField(tx, caller, { name: 'Plan' })
    return { keys, groups, organisationId: organisation.id, fieldId: field.id }
  })
  await database.close()
  const ids = insertContacts(dataDir, count, { ...made, tenantId, at })
  const sampleIds = Array.from({ length: 1000 }, (_, i) => ids[Math.floor((i * count) / 1000)] as string)
  return {
    dataDir,
    tenantId,
    keys: made.keys,
    contacts: count,
    sampleIds,
    deepId: ids[Math.floor(count * 0.1)] as string,
  }
}

function insertContacts(
  dataDir: string,
  count: number,
  of: { tenantId: string; at: number; groups: number[]; organisationId: string; fieldId: string },
): string[] {
  const sqlite = new Sqlite(join(dataDir, DATABASE_FILE))
  const contact = sqlite.prepare(
    `INSERT INTO contacts (tenant_id, id, email, normalised_email, name, last_name, phone, organisation_id,
       custom_values, unsubscribed, unsubscribed_at, source, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, 'import', ?, ?)`,
  )
  const membership = sqlite.prepare('INSERT INTO contact_groups (tenant_id, contact_id, group_id) VALUES (?, ?, ?)')
  const ids: string[] = []
  sqlite.run('PRAGMA synchronous = OFF')
  sqlite.run('BEGIN')
  for (let i = 0; i < count; i++) {
    const created = of.at - (count - i) * 1000
    const time = new Date(created).toISOString()
    const id = Bun.randomUUIDv7('hex', created)
    ids.push(id)
    const values = [{ fieldId: of.fieldId, stringValue: 'pro', numberValue: null, dateValue: null }]
    const unsubscribed = i % 10 === 0
    contact.run(
      of.tenantId,
      id,
      `person${i}@acme.test`,
      `person${i}@acme.test`,
      `Person ${i}`,
      'Lovelace',
      of.organisationId,
      i % 3 === 1 ? JSON.stringify(values) : null,
      unsubscribed ? 1 : 0,
      unsubscribed ? time : null,
      time,
      time,
    )
    if (i % 3 === 0) membership.run(of.tenantId, id, of.groups[i % of.groups.length] as number)
  }
  sqlite.run('COMMIT')
  sqlite.close()
  return ids
}

/** Twenty questions of five types, as a form is created with; `common` goes into each. */
export function twentyQuestions(common: object = {}): object[] {
  const kinds = [
    { type: 'choose_one', options: ['Red', 'Green', 'Blue'] },
    { type: 'nps' },
    { type: 'textbox', rows: 3 },
    { type: 'star_rating' },
    { type: 'matrix', rowHeadings: ['Speed', 'Price'], columnHeadings: ['Bad', 'Fair', 'Good'] },
  ]
  return Array.from({ length: 20 }, (_, i) => ({ ...kinds[i % kinds.length], ...common, text: `Question ${i + 1}` }))
}
