import { createGroup } from '../../src/groups/operations.ts'
import { createOrganisation } from '../../src/organisations/operations.ts'
import type { TestTenant } from './app.ts'

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
