import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/db/index.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../../support/api/contacts.ts'
import { startApp } from '../../support/app.ts'
import { noteStatements, planOf, slowSteps } from '../../support/data/plans.ts'
import { signedIn } from '../../support/pages/console.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

/** What is read by an index made for it, though the statement names more columns than that one has. */
const BY_INDEX =
  /^SEARCH contacts .*contacts_(name|last_name|organisation|unsubscribed) |^SEARCH contact_groups USING COVERING INDEX|^SEARCH messages USING INDEX messages_ticket /

test('no page of contacts reads a whole table or sorts, whatever it is asked for', async () => {
  const noted = noteStatements()
  const app = await startApp()
  const database = new Database(join(app.dataDir, DATABASE_FILE), { readonly: true })
  try {
    const acme = await app.createTenant()
    const agent = await signedIn(app, acme, 'agent')
    const admin = await signedIn(app, acme, 'admin')
    const group = await createTestGroup(acme)
    const organisation = await createTestOrganisation(acme)
    const filters = {
      group: String(group.id),
      organisation: organisation.id,
      emails: 'unsubscribed',
      q: 'ann lee',
      from: '2026-01-01',
    }
    const { id } = await createTestContact(acme, { organisationId: organisation.id, groupIds: [group.id] })
    const before = new Set(noted.statements)
    const queries = Object.entries(filters).reduce<string[][]>(
      (all, [name, value]) => all.concat(all.map((some) => some.concat(`${name}=${encodeURIComponent(value)}`))),
      [[], ['q=ann']],
    )
    for (const query of queries) expect((await agent.get(`/console/contacts?${query.join('&')}`)).status).toBe(200)
    for (const page of ['', '/edit', '/export']) await agent.get(`/console/contacts/${id}${page}`)
    for (const page of ['', '?q=a', `/${organisation.id}`]) {
      expect((await agent.get(`/console/organisations${page}`)).status).toBe(200)
    }
    for (const page of ['groups', `groups/${group.id}`, 'fields', 'export.csv'])
      expect((await agent.get(`/console/contacts/${page}`)).status).toBe(200)
    expect((await agent.post(`/console/organisations/${organisation.id}/delete`)).status).toBe(303)
    const [kept, other] = [await createTestContact(acme), await createTestContact(acme)]
    await createTicket(acme, { email: other.email })
    const merge = `/console/contacts/${kept.id}/merge`
    expect((await admin.get(`${merge}?q=a`)).status).toBe(200)
    const page = await admin.get(`${merge}?with=${other.id}`)
    const version = /name="version" value="([^"]*)"/.exec(page.text)?.[1] as string
    expect((await admin.post(merge, { with: other.id, version })).status).toBe(303)
    expect((await admin.get(`/console/contacts/${kept.id}/erase`)).status).toBe(200)
    expect((await admin.post(`/console/contacts/${kept.id}/erase`, { sure: 'on' })).status).toBe(303)
    const plans = [...noted.statements]
      .filter((statement) => !before.has(statement))
      .flatMap((statement) => planOf(database, statement) ?? [])
    expect(plans.length).toBeGreaterThan(20)
    const tables = ['contacts', 'contact_groups', 'organisations', 'tickets', 'responses', 'audit_entries', 'messages']
    for (const plan of plans) {
      // Of what begins with a text, of a group's members and of a ticket's messages, other filters are checked one by one.
      const slow = slowSteps(plan, tables).filter((step) => !BY_INDEX.test(step))
      expect(slow.length ? [plan.statement, ...slow] : []).toEqual([])
    }
  } finally {
    noted.stop()
    database.close()
    await app.close()
  }
})
