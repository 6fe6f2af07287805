import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type RecordKind, recordNames } from '../../src/console/audit/record-names.ts'
import { createCustomField } from '../../src/contacts/fields/custom-fields.ts'
import { createGroup } from '../../src/groups/operations.ts'
import { auditActions } from '../../src/kinds/audit.ts'
import { removeUser } from '../../src/privacy/user-removal.ts'
import { addView } from '../../src/tickets/inbox/views.ts'
import { addCannedReply } from '../../src/tickets/writing/canned-replies.ts'
import { createTestOrganisation } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { complete, createPublished } from '../support/forms/collecting.ts'
import { signedIn } from '../support/pages/console.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const DAY = 24 * 3_600_000
let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>
let contactId: string

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  contactId = (await acme.post('/v1/contacts', { email: 'ada@example.com', name: 'Ada' })).body.id
  app.clock.advance(DAY)
  await acme.put(`/v1/contacts/${contactId}`, { name: 'Ada L.' })
  for (let i = 0; i < 60; i++) await acme.post('/v1/contacts', { email: `n${i}@example.com` })
  app.clock.advance(DAY)
  admin = await signedIn(app, acme)
  const other = await app.createTenant('Other')
  await other.post('/v1/contacts', { email: 'other@example.com' })
  await app.runDue()
})
afterAll(() => app.close())

/** What each row says that was done, on all pages. */
async function rows(query = ''): Promise<string[]> {
  const found: string[] = []
  for (let path: string | undefined = `/console/audit${query}`; path; ) {
    const { status, text } = await admin.get(path)
    expect(status).toBe(200)
    const body = /<tbody>(.*)<\/tbody>/s.exec(text)?.[1] ?? ''
    for (const [row] of body.matchAll(/<tr>.*?<\/tr>/gs)) found.push(/<td[^>]*>([^<]*: [^<]*)/.exec(row)?.[1] ?? row)
    path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  return found
}

describe('the audit log', () => {
  test('shows every change of the tenant, newest first, over several pages, and nobody else’s', async () => {
    const all = await rows()
    expect(all[0]).toBe('User: signed in')
    expect(all.at(-1)).toBe('Company: created')
    expect(all.filter((what) => what === 'Contact: created').length).toBe(61)
    expect(all.filter((what) => what === 'Company: created').length).toBe(1)
  })

  test('says who, from where, and which fields', async () => {
    const { text } = await admin.get(`/console/audit?record=${contactId}`)
    expect(text).toContain('test (API key)')
    expect(text).toContain('127.0.0.1')
    expect(text).toContain('Changed: name')
  })

  test('is filtered by who, what, record and day', async () => {
    expect(await rows(`?record=${contactId}`)).toEqual(['Contact: changed', 'Contact: created'])
    expect(await rows(`?who=${admin.person.userId}`)).toEqual(['User: signed in'])
    expect((await rows(`?who=${acme.keyId}`)).length).toBe(62)
    expect(await rows('?who=command&what=user')).toEqual(['User: created', 'User: created'])
    expect((await rows('?what=contact')).length).toBe(62)
    expect((await rows('?what=contact&from=2026-03-02&to=2026-03-02')).length).toBe(61)
    expect(await rows('?what=contact&to=2026-03-01')).toEqual(['Contact: created'])
    expect(await rows('?what=contact&from=2026-03-03')).toEqual([])
    expect((await admin.get('/console/audit?from=2026-03-09')).text).toContain('Nothing matches these filters.')
  })

  test('takes what is no filter for none, and a foreign cursor for a mistake', async () => {
    expect((await rows('?what=nonsense&from=soon&to=&who=&record=')).length).toBe((await rows()).length)
    const foreign = await admin.get('/console/audit?cursor=nonsense')
    expect([foreign.status, foreign.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  })
})

describe('a record', () => {
  /** The records of a page: what is shown, and the id that it leads to. */
  const recordsOf = async (query: string) => {
    const { text } = await admin.get(`/console/audit${query}`)
    return [...text.matchAll(/<td[^>]*><a href="[^"]*record=([^"&]*)"[^>]*>(.*?)<\/a>/g)].map(
      ([, id = '', shown = '']) => ({
        id,
        shown: shown.replace(/<[^>]*>/g, ''),
      }),
    )
  }
  const shownOf = async (kind: string) => (await recordsOf(`?what=${kind}`))[0]?.shown

  test('is told by the name that people know, and leads to all that happened with it by its id', async () => {
    const ticket = await createTicket(acme, { email: 'grace@example.com', name: 'Grace Hopper' })
    const group = await acme.perform((tx, caller) => createGroup(tx, caller, { name: 'Beta', consentWording: null }))
    await acme.put(`/v1/contacts/${contactId}`, { groupIds: [group.id] })
    const form = await createPublished(acme, [{ type: 'nps' }], 'How are we doing?')
    const { response } = await complete(acme, form, [9])
    const source = await createTestSource(acme)
    await acme.put(`/v1/livechat/sources/${source.id}/articles/refunds`, { title: 'Refunds', content: 'x' })
    await acme.post('/v1/webhooks', { name: 'Sync', url: 'https://acme.test/hook', events: ['ticket.created'] })
    await createTestOrganisation(acme, { name: 'Analytical Engines' })
    await acme.perform(async (tx, caller) => {
      await createCustomField(tx, caller, { name: 'Plan' })
      await addView(tx, caller, null, { name: 'Ours', filters: 'priority=high' })
      await addCannedReply(tx, caller, null, { name: 'Refund', text: 'Dear customer' })
    })
    await app.runDue()
    expect(await recordsOf('?what=ticket')).toEqual([{ id: ticket.id, shown: ticket.ticketReference }])
    expect(await recordsOf(`?record=${ticket.id}`)).toHaveLength(1)
    const { email } = admin.person
    for (const [kind, name] of [
      ['contact', 'Ada L.'],
      ['organisation', 'Analytical Engines'],
      ['group', 'Beta'],
      ['custom_field', 'Plan'],
      ['form', 'How are we doing?'],
      ['inbox', 'Support'],
      ['view', 'Ours'],
      ['canned_reply', 'Refund'],
      ['source', source.name],
      ['article', 'refunds'],
      ['key', 'test'],
      ['webhook', 'Sync'],
      ['user', email],
      ['workspace', 'Main'],
      ['tenant', 'Acme'],
    ] as const)
      expect([kind, await shownOf(kind)]).toEqual([kind, name])
    // A response goes by what it answers.
    const responseOf = { kind: 'response', id: response.id } as const
    expect((await recordNames(app.database.db, acme.tenantId, [responseOf]))(responseOf)).toBe('How are we doing?')
    // A group that somebody joined has its name, too.
    expect((await admin.get(`/console/audit?record=${contactId}`)).text).toContain('<span class="help">Beta</span>')
  })

  test('that is gone is told by its kind and the end of its id', async () => {
    const { id } = (await acme.post('/v1/contacts', { email: 'gone@example.com', name: 'Gone' })).body
    await acme.delete(`/v1/contacts/${id}`)
    await app.runDue()
    const shown = `Contact …${id.slice(-8)}`
    expect(await recordsOf(`?record=${id}`)).toEqual([
      { id, shown },
      { id, shown },
    ])
    expect((await admin.get(`/console/audit?record=${id}`)).text).toContain(`title="${id}"`)
  })

  test('that is somebody who is gone is told by the name that they had when they did something themselves', async () => {
    const colleague = await signedIn(app, acme, 'agent')
    const { userId, email } = colleague.person
    const author = { type: 'agent', id: admin.person.userId, name: null } as const
    await acme.perform((tx, caller) => removeUser(tx, { ...caller, author }, userId))
    await app.runDue()
    const shown = (await recordsOf(`?record=${userId}`)).map((record) => record.shown)
    expect(new Set(shown)).toEqual(new Set([email.split('@')[0] as string, `User …${userId.slice(-8)}`]))
  })

  test('of another tenant has no name here, whatever its kind', async () => {
    const kinds = [...new Set(auditActions.map((action) => action.slice(0, action.indexOf('.')) as RecordKind))]
    const other = await app.createTenant()
    const ids = [contactId, acme.tenantId, acme.workspaceId, acme.keyId, admin.person.userId]
    const records = kinds.filter((kind) => kind !== 'article').flatMap((kind) => ids.map((id) => ({ kind, id })))
    const nameOf = await recordNames(app.database.db, other.tenantId, records)
    expect(records.map(nameOf).filter((name) => name !== null)).toEqual([])
    const own = await recordNames(app.database.db, acme.tenantId, records)
    expect(records.map(own).filter((name) => name !== null)).toHaveLength(ids.length)
  })
})
