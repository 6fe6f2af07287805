import { eq } from 'drizzle-orm'
import { contactGroups, contactImports, contacts } from '../../../src/db/schema.ts'
import { createGroup } from '../../../src/groups/operations.ts'
import { newId } from '../../../src/lib/ids.ts'
import { formatTime } from '../../../src/lib/time.ts'
import { createOrganisation } from '../../../src/organisations/operations.ts'
import type { TestTenant } from '../app.ts'

/** A contact through the API; `email` is made up unless given. */
export async function createTestContact(tenant: TestTenant, input: object = {}) {
  const answer = await tenant.post('/v1/contacts', { email: `c-${crypto.randomUUID()}@acme.test`, ...input })
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body
}

export function createTestGroup(tenant: TestTenant, name = 'News') {
  return tenant.perform((tx, caller) => createGroup(tx, caller, { name }))
}

export function createTestOrganisation(tenant: TestTenant, input: { name?: string; domain?: string } = {}) {
  return tenant.perform((tx, caller) => createOrganisation(tx, caller, { name: 'Acme', ...input }))
}

/** Rows of so many contacts, of an organisation or in a group if wanted: more than it is worth making one by one. */
export async function addContacts(
  tenant: TestTenant,
  count: number,
  { organisationId = null, groupId }: { organisationId?: string | null; groupId?: number } = {},
): Promise<void> {
  const STEP = 1000
  for (let from = 0; from < count; from += STEP) {
    await tenant.perform(async (tx, { tenantId, at }) => {
      const ids = Array.from({ length: Math.min(STEP, count - from) }, () => newId(at))
      const times = { createdAt: formatTime(at), updatedAt: formatTime(at) }
      const row = (id: string) => ({ tenantId, id, email: `${id}@many.test`, normalisedEmail: `${id}@many.test` })
      const rows = ids.map((id) => ({ ...row(id), organisationId, source: 'import' as const, ...times }))
      await tx.insert(contacts).values(rows)
      if (groupId === undefined) return
      await tx.insert(contactGroups).values(ids.map((contactId) => ({ tenantId, contactId, groupId })))
    })
  }
}

/** A file that is being taken in, whose contacts join these groups; to be ended by what is returned. */
export async function beginImport(tenant: TestTenant, groupIds: number[]) {
  const plan = { hasHeadings: false, columns: ['email' as const], existing: 'update' as const, groupIds }
  await tenant.perform((tx, { tenantId, at }) =>
    tx.insert(contactImports).values({
      tenantId,
      id: newId(at),
      fileName: 'guests.csv',
      ...{ size: 1, sha256: '-', encoding: 'utf-8', delimiter: ',', lines: 1, state: 'running' },
      plan,
      ...{ userId: tenant.userId, userName: 'Admin', dueAt: formatTime(at + 60_000), createdAt: formatTime(at) },
    }),
  )
  return () =>
    tenant.perform((tx) =>
      tx.update(contactImports).set({ state: 'done', dueAt: null }).where(eq(contactImports.tenantId, tenant.tenantId)),
    )
}
