import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createGroup } from '../../src/groups/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { signedIn } from '../support/console.ts'
import { createTicket } from '../support/tickets.ts'

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
  const recordsOf = async (query: string) => {
    const { text } = await admin.get(`/console/audit${query}`)
    return [
      ...text.matchAll(
        /<td[^>]*><a (?:class="code" )?href="[^"]*record=([^"&]*)"(?: title="([^"]*)" dir="auto")?>([^<]*)</g,
      ),
    ].map(([, id = '', title, shown = '']) => ({ id, title, shown }))
  }

  test('is told by the name that people know, and leads to all that happened with it by its id', async () => {
    const ticket = await createTicket(acme, { email: 'grace@example.com', name: 'Grace Hopper' })
    await acme.perform((tx, caller) => createGroup(tx, caller, { name: 'Beta', consentWording: null }))
    await app.runDue()
    const shownOf = async (kind: string) => (await recordsOf(`?what=${kind}`))[0]
    expect(await shownOf('ticket')).toEqual({ id: ticket.id, title: ticket.id, shown: ticket.ticketReference })
    expect(await recordsOf(`?record=${ticket.id}`)).toHaveLength(1)
    const names = await Promise.all(
      ['contact', 'group', 'inbox', 'key', 'user', 'workspace', 'tenant'].map(
        async (kind) => (await shownOf(kind))?.shown,
      ),
    )
    expect(names).toEqual(['Grace Hopper', 'Beta', 'Support', 'test', admin.person.email, 'Acme', 'Acme'])
    expect((await recordsOf(`?record=${contactId}`))[0]?.shown).toBe('Ada L.')
  })

  test('that is gone is told by its id, and never by another tenant’s name', async () => {
    const { id } = (await acme.post('/v1/contacts', { email: 'gone@example.com', name: 'Gone' })).body
    await acme.delete(`/v1/contacts/${id}`)
    await app.runDue()
    const found = await recordsOf(`?record=${id}`)
    expect(new Set(found.map(({ shown }) => shown))).toEqual(new Set([id]))
    expect(found).toHaveLength(2)
  })
})
