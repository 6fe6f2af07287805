import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { createCustomField, setCustomValue } from '../../src/contacts/fields/custom-fields.ts'
import { auditEntries, responses } from '../../src/db/schema.ts'
import { createGroup } from '../../src/groups/operations.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished } from '../support/forms/collecting.ts'
import { type ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant
let agent: ConsoleBrowser

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  acme = await app.createTenant()
  other = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

/** The names that a list of contacts shows, in order. */
const namesIn = (text: string) =>
  [...text.matchAll(/<th scope="row"><a href="\/console\/contacts\/[^"]+">([^<]*)</g)].map(([, name]) => name)
const named = (name: string, lastName: string | null, email?: string, more: object = {}) =>
  createTestContact(acme, { name, lastName, ...(email ? { email } : {}), ...more })
const read = async (id: string) => (await acme.get(`/v1/contacts/${id}`)).body

describe('the list of contacts', () => {
  test('finds people by how their email, first name or last name begins, emails first, whatever the capitals', async () => {
    await named('Zora', 'Quill', 'quirin@found.test')
    await named('Quentin', 'Zed', 'zed@found.test')
    await named('Quirin', 'Quast', 'quast@found.test')
    await named('Özgür', 'Quandt', 'o@found.test')
    expect(namesIn((await agent.get('/console/contacts?q=QUI')).text)).toEqual(['Zora Quill', 'Quirin Quast'])
    expect(namesIn((await agent.get('/console/contacts?q=qu')).text)).toEqual([
      'Quirin Quast',
      'Zora Quill',
      'Quentin Zed',
      'Özgür Quandt',
    ])
    expect(namesIn((await agent.get('/console/contacts?q=quirin+qua')).text)).toEqual(['Quirin Quast'])
    expect(namesIn((await agent.get(`/console/contacts?q=${encodeURIComponent('özg')}`)).text)).toEqual([
      'Özgür Quandt',
    ])
    await named('Quast', 'Quast', 'twice@found.test')
    await named('Quirina', 'Quasten', 'longer@found.test')
    for (const [text, names] of [
      ['quast qui', ['Quirin Quast']],
      ['Quast, Quirin', ['Quirin Quast']],
      ['quandt öz', ['Özgür Quandt']],
      ['quast quast', ['Quast Quast']],
      ['quas qui', []],
    ] as [string, string[]][]) {
      const found = await agent.get(`/console/contacts?q=${encodeURIComponent(text)}`)
      expect([text, namesIn(found.text)]).toEqual([text, names])
    }
    const nobody = await agent.get('/console/contacts?q=ui')
    expect(namesIn(nobody.text)).toEqual([])
    expect(nobody.text).toContain('No contacts match.')
  })

  test('is read in pages without gap or repeat, with text and without', async () => {
    const group = await createTestGroup(acme, 'Paged')
    const wanted: string[] = []
    for (let index = 0; index < 120; index++) {
      const name = index % 3 === 0 ? 'Pagina' : `Pagina${String(index).padStart(3, '0')}`
      const email = index % 2 === 0 ? `pagina${index}@p.test` : `x${index}@p.test`
      const lastName = index % 5 === 0 ? `Pagina ${index}` : `P${index}`
      await named(name, lastName, email, { groupIds: [group.id] })
      wanted.push(`${name} ${lastName}`)
    }
    for (const query of ['q=pagina', `group=${group.id}`, `q=pagina&group=${group.id}&emails=subscribed`]) {
      const seen: string[] = []
      for (let path: string | undefined = `/console/contacts?${query}`; path; ) {
        const { status, text } = await agent.get(path)
        expect(status).toBe(200)
        seen.push(...(namesIn(text) as string[]))
        path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      }
      expect(seen.toSorted()).toEqual(wanted.toSorted())
    }
  })

  test('is led back to as it was left: searched, filtered and on its page; from elsewhere, to its beginning', async () => {
    const { id } = await named('Back', 'Link')
    const backFrom = async (referer: string) => {
      const { text } = await agent.get(`/console/contacts/${id}`, { referer })
      return /<p class="back"><a href="([^"]*)"/.exec(text)?.[1]
    }
    const left = '/console/contacts?q=ba&amp;subscribed=no'
    expect(await backFrom(`${app.url}/console/contacts?q=ba&subscribed=no`)).toBe(left)
    for (const referer of [
      '',
      '/console/contacts/new?q=ba',
      '/console/audit?q=ba',
      '/console/contacts',
      '/elsewhere?q=ba',
    ])
      expect(await backFrom(`${app.url}${referer}`)).toBe('/console/contacts')
    expect(await backFrom(`${app.url}/console/contacts?q="><script>`)).toBe('/console/contacts?q=%22%3E%3Cscript%3E')
  })

  test('holds those alone that all filters fit', async () => {
    const group = await createTestGroup(acme, 'Filtered')
    const organisation = await createTestOrganisation(acme, { name: 'Filter Ltd' })
    const inBoth = { groupIds: [group.id], organisationId: organisation.id }
    const gone = await named('Fanny', 'Gone', undefined, inBoth)
    await named('Fanny', 'Here', undefined, inBoth)
    await named('Fanny', 'Elsewhere', undefined, { organisationId: organisation.id })
    await acme.post(`/v1/contacts/${gone.id}/unsubscribe`)
    const shown = async (query: string) => namesIn((await agent.get(`/console/contacts?${query}`)).text)
    expect(await shown(`group=${group.id}`)).toEqual(['Fanny Here', 'Fanny Gone'])
    expect(await shown(`organisation=${organisation.id}`)).toEqual(['Fanny Elsewhere', 'Fanny Here', 'Fanny Gone'])
    for (const text of ['', '&q=fan']) {
      expect(await shown(`group=${group.id}&organisation=${organisation.id}&emails=unsubscribed${text}`)).toEqual([
        'Fanny Gone',
      ])
      const subscribed = await shown(`organisation=${organisation.id}&emails=subscribed${text}`)
      expect(subscribed.toSorted()).toEqual(['Fanny Elsewhere', 'Fanny Here'])
    }
    expect(await shown('group=999999')).toEqual([])
  })

  test('shows nothing of other tenants, and hostile names as text', async () => {
    await createTestContact(other, { name: 'Secretive', email: 'secretive@other.test' })
    await named('<script>alert(1)</script>', null, 'hostile@found.test')
    expect(namesIn((await agent.get('/console/contacts?q=secretive')).text)).toEqual([])
    const { text } = await agent.get('/console/contacts?q=hostile')
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toContain('<script>alert')
  })

  test.each(['cursor=x', 'q=%00&cursor=x'])('refuses a cursor of another list: %s', async (query) => {
    expect((await agent.get(`/console/contacts?${query}`)).status).toBe(400)
  })

  test.each([
    'q=%00',
    'q=%25_',
    'group=x',
    'group=99999999999999999999',
    'organisation=x',
    'emails=x',
    `q=${'a'.repeat(500)}`,
  ])('takes whatever an address says: %s', async (query) => {
    expect((await agent.get(`/console/contacts?${query}`)).status).toBe(200)
  })
})

describe('a new contact', () => {
  test('is made by hand, by this person, and shown', async () => {
    const group = await createTestGroup(acme, 'Makers')
    const sent = { email: ' New@made.test ', name: 'Nell', lastName: '', phone: '', groupIds: [String(group.id)] }
    const answer = await agent.post('/console/contacts/new', sent)
    expect(answer.status).toBe(303)
    const page = await agent.follow(answer)
    expect(page.text).toContain('The contact was created.')
    const id = (answer.headers.get('location') as string).split('/').at(-1) as string
    expect(await read(id)).toMatchObject({
      email: 'New@made.test',
      name: 'Nell',
      lastName: null,
      source: 'manual',
      groups: [{ name: 'Makers' }],
    })
    const [noted] = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, id))
      .orderBy(auditEntries.number)
    expect(noted).toMatchObject({ action: 'contact.created', via: 'console', authorType: 'agent' })
  })

  test.each([
    [{ email: '' }, 'Is required|Must be'],
    [{ email: 'nobody' }, 'Must be an email address of at most 320 characters.'],
    [{ email: 'a@b.test', name: 'x'.repeat(256) }, 'Must be at most 255 characters.'],
    [{ email: 'a@b.test', groupIds: ['999'] }, 'There is no such group.'],
    [{ email: 'a@b.test', groupIds: ['x'] }, 'Must be a whole number'],
  ])('is refused with what was typed, and why: %j', async (fields, why) => {
    const { status, text } = await agent.post('/console/contacts/new', { lastName: 'Kept here', ...fields })
    expect(status).toBe(400)
    expect(text).toMatch(new RegExp(why))
    expect(text).toContain('value="Kept here"')
  })

  test('with an email that somebody has leads to them', async () => {
    const known = await named('Known', 'Person', 'known@made.test')
    const { status, text } = await agent.post('/console/contacts/new', { email: 'KNOWN@made.test', name: 'Twin' })
    expect(status).toBe(409)
    expect(text).toContain('Another contact has this email already.')
    expect(text).toContain(`<a href="/console/contacts/${known.id}">Open Known Person</a>`)
    expect(text).toContain('value="Twin"')
  })
})

describe('a contact', () => {
  /** The form of the page to edit it, as it is shown now. */
  async function formOf(id: string) {
    const { text } = await agent.get(`/console/contacts/${id}/edit`)
    const typed = (name: string) => new RegExp(`name="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? ''
    const version = /name="version" value="([^"]*)"/.exec(text)?.[1] ?? ''
    return {
      version,
      email: typed('email'),
      name: typed('name'),
      lastName: typed('lastName'),
      phone: typed('phone'),
    }
  }

  test('is changed with groups and further fields at once; nothing else of it is', async () => {
    const group = await acme.perform((tx, caller) =>
      createGroup(tx, caller, { name: 'Consenting', consentWording: 'I want <b>news</b>.' }),
    )
    const field = async (name: string) =>
      (await acme.perform((tx, caller) => createCustomField(tx, caller, { name }))).id
    const [plan, seats, since, gone] = [
      await field('Plan'),
      await field('Seats'),
      await field('Since'),
      await field('Gone'),
    ]
    const organisation = await createTestOrganisation(acme, { name: 'Owner Ltd' })
    const { id } = await named('Ed', 'Before', undefined, { phone: '123', organisationId: organisation.id })
    await acme.perform((tx, caller) =>
      setCustomValue(tx, caller, { contactId: id, fieldId: gone, value: { stringValue: 'old' } }),
    )
    const shown = await agent.get(`/console/contacts/${id}/edit`)
    expect(shown.text).toContain('I want &lt;b&gt;news&lt;/b&gt;.')
    const answer = await agent.post(`/console/contacts/${id}/edit`, {
      ...(await formOf(id)),
      name: 'Edda',
      organisationId: organisation.id,
      groupIds: [String(group.id)],
      ...{ [`field-${plan}`]: 'pro', [`kind-${plan}`]: 'text' },
      ...{ [`field-${seats}`]: '12.5', [`kind-${seats}`]: 'number' },
      ...{ [`field-${since}`]: '2026-03-31', [`kind-${since}`]: 'date' },
      ...{ [`field-${gone}`]: '', [`kind-${gone}`]: 'text' },
    })
    expect(answer.status).toBe(303)
    const page = await agent.follow(answer)
    for (const part of ['The contact was saved.', 'Edda Before', 'Owner Ltd', 'pro', '12.5', 'Mar 31, 2026<'])
      expect(page.text).toContain(part)
    const after = await read(id)
    expect(after).toMatchObject({ name: 'Edda', lastName: 'Before', phone: '123', organisationId: organisation.id })
    expect(after.groups.map(({ name }: { name: string }) => name)).toEqual(['Consenting'])
    expect(
      after.customValues.map((value: Record<string, unknown>) => [
        value.fieldName,
        value.stringValue ?? value.numberValue ?? value.dateValue,
      ]),
    ).toEqual([
      ['Plan', 'pro'],
      ['Seats', 12.5],
      ['Since', '2026-03-31T00:00:00.000Z'],
    ])
    // Sent again as it is shown, it changes nothing.
    const again = await agent.post(`/console/contacts/${id}/edit`, {
      ...(await formOf(id)),
      organisationId: organisation.id,
      groupIds: [String(group.id)],
    })
    expect((await agent.follow(again)).text).toContain('There was nothing to change.')
    expect(await read(id)).toEqual(after)
  })

  test('is not changed in part: a bad field is refused beside it, and all stays', async () => {
    const [field] = await Promise.all([acme.perform((tx, caller) => createCustomField(tx, caller, { name: 'Amount' }))])
    const contact = await named('Stays', 'Whole')
    for (const [kind, why] of [
      ['number', 'Must be a number'],
      ['date', 'Must be a date'],
    ] as const) {
      const sent = { [`field-${field?.id}`]: '31 February', [`kind-${field?.id}`]: kind }
      const { status, text } = await agent.post(`/console/contacts/${contact.id}/edit`, {
        ...(await formOf(contact.id)),
        name: 'Moved',
        ...sent,
      })
      expect(status).toBe(400)
      expect(text).toContain(`id="field-field-${field?.id}-error">${why}`)
      expect(text).toContain('value="Moved"')
    }
    expect(
      (await agent.post(`/console/contacts/${contact.id}/edit`, { ...(await formOf(contact.id)), email: '' })).status,
    ).toBe(400)
    expect(await read(contact.id)).toEqual(contact)
  })

  test('that somebody else has changed meanwhile is not overwritten unseen', async () => {
    const { id } = await named('First', 'Version')
    const form = await formOf(id)
    app.clock.advance(1000)
    await acme.put(`/v1/contacts/${id}`, { phone: '+49 30 1' })
    const late = await agent.post(`/console/contacts/${id}/edit`, { ...form, name: 'Second' })
    expect(late.status).toBe(400)
    expect(late.text).toContain('Somebody else has changed this contact')
    expect(late.text).toContain('+49 30 1')
    expect(late.text).toContain('value="Second"')
    expect((await read(id)).name).toBe('First')
    const version = /name="version" value="([^"]*)"/.exec(late.text)?.[1] as string
    expect(
      (await agent.post(`/console/contacts/${id}/edit`, { ...form, name: 'Second', phone: '+49 30 1', version }))
        .status,
    ).toBe(303)
    expect(await read(id)).toMatchObject({ name: 'Second', phone: '+49 30 1' })
  })

  test('cannot take an email that another has', async () => {
    const holder = await named('Holder', null, 'holder@made.test')
    const contact = await named('Wants', null)
    const { status, text } = await agent.post(`/console/contacts/${contact.id}/edit`, {
      ...(await formOf(contact.id)),
      email: 'Holder@made.test',
    })
    expect(status).toBe(409)
    expect(text).toContain(`<a href="/console/contacts/${holder.id}">Open Holder</a>`)
    expect(await read(contact.id)).toEqual(contact)
  })

  test('has one timeline of tickets, responses and consent, newest first, in pages', async () => {
    const { id, email } = await named('Tina', 'Line')
    const stranger = await named('Not', 'Tina')
    const { id: inboxId } = await createEmailInbox(acme)
    const form = await createPublished(acme, [{ type: 'nps' }], 'How was it?')
    const expected: string[] = []
    for (let index = 0; index < 15; index++) {
      app.clock.advance(60_000)
      await createTicket(acme, { inboxId, email, subject: `Question ${index}` })
      expected.unshift(`Question ${index}`)
      app.clock.advance(60_000)
      await acme.post(`/v1/contacts/${id}/${index % 2 === 0 ? 'unsubscribe' : 'subscribe'}`)
      expected.unshift(index % 2 === 0 ? 'Unsubscribed from emails' : 'Subscribed to emails')
    }
    await createTicket(acme, { inboxId, email: stranger.email, subject: 'Of somebody else' })
    app.clock.advance(60_000)
    await answered(form, id)
    expected.unshift('How was it?')
    const seen: string[] = []
    for (let path: string | undefined = `/console/contacts/${id}`; path; ) {
      const { text } = await agent.get(path)
      seen.push(
        ...[...text.matchAll(/<p class="what">(?:<\w+[^>]*>)?([^<]+)/g)].map(([, what]) => (what as string).trim()),
      )
      path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(expected)
  })

  test('is unsubscribed and subscribed again, once each', async () => {
    const { id } = await named('Uma', null)
    for (const [step, unsubscribed, word] of [
      ['unsubscribe', true, 'Is left out when emails are sent, since'],
      ['unsubscribe', true, 'Is left out'],
      ['subscribe', false, 'Is included when emails are sent.'],
    ] as const) {
      const page = await agent.follow(await agent.post(`/console/contacts/${id}/${step}`))
      expect(page.text).toContain(word)
      expect((await read(id)).unsubscribed).toBe(unsubscribed)
    }
    const page = (await agent.get(`/console/contacts/${id}`)).text
    expect(page.match(/Unsubscribed from emails/g)).toHaveLength(1)
    expect(page).toContain('by agent-')
  })

  test('joins and leaves groups: its timeline, what is handed out and the log tell of each, with who and when', async () => {
    const group = (name: string, consentWording: string) =>
      acme.perform((tx, caller) => createGroup(tx, caller, { name, consentWording }))
    const fair = await group('Fair <b>', 'Yes, write to me about <i>fairs</i>.')
    const news = await group('Newsletter', 'Yes, news.')
    const { body } = await acme.post('/v1/contacts', { email: 'joiner@acme.test', groupIds: [fair.id] })
    const path = `/console/contacts/${body.id}`
    for (const groupIds of [[news.id, fair.id], [news.id, fair.id], [news.id]]) {
      app.clock.advance(60_000)
      await acme.put(`/v1/contacts/${body.id}`, { groupIds })
    }
    const page = (await agent.get(path)).text
    expect([...page.matchAll(/<p class="what">([^<]+)/g)].map(([, what]) => what)).toEqual([
      'Left the group Fair &lt;b&gt;',
      'Joined the group Newsletter',
      'Joined the group Fair &lt;b&gt;',
    ])
    expect(page.match(/Yes, write to me about &lt;i&gt;fairs/g)).toHaveLength(1)
    expect(page).toContain('by test · ')
    const { consent } = JSON.parse((await agent.get(`${path}/export`)).text)
    expect(consent).toMatchObject([
      { joined: false, group: { id: fair.id, consentWording: fair.consentWording } },
      { joined: true, group: { name: 'Newsletter' } },
      { joined: true, group: { name: 'Fair <b>' } },
    ])
    await app.runDue()
    const admin = await signedIn(app, acme)
    const log = (await admin.get(`/console/audit?record=${body.id}`)).text
    expect(log).toContain('Contact: left a group<br><span class="help">Fair &lt;b&gt;</span>')
    const entries = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, body.id))
      .orderBy(auditEntries.number)
    expect(entries.map(({ action }) => action)).toEqual([
      'contact.created',
      'contact.group_joined',
      'contact.updated',
      'contact.group_joined',
      'contact.updated',
      'contact.group_left',
      'contact.exported',
    ])
  })

  test('is handed out whole, to download; the log tells of it', async () => {
    const { id, email } = await named('Dana', 'Whole')
    const stranger = await named('Not', 'Dana')
    const { id: inboxId } = await createEmailInbox(acme)
    const ticket = await createTicket(acme, { inboxId, email, subject: 'Mine' })
    await createTicket(acme, { inboxId, email: stranger.email, subject: 'Not mine' })
    await acme.post(`/v1/contacts/${id}/unsubscribe`)
    const form = await createPublished(acme, [{ type: 'nps' }], 'Asked')
    await answered(form, id)
    const answer = await agent.get(`/console/contacts/${id}/export`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="contact-${id}.json"`)
    const given = JSON.parse(answer.text)
    expect(given.contact).toEqual(await read(id))
    expect(given.consent).toMatchObject([{ subscribed: false }])
    const thread = (await acme.get(`/v1/tickets/${ticket.id}`)).body
    expect(given.tickets).toEqual([thread])
    expect(given.responses).toMatchObject([{ formTitle: 'Asked', formId: form.id, answers: [{ value: 9 }] }])
    const entries = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, id))
      .orderBy(auditEntries.number)
    expect(entries.map(({ action }) => action)).toContain('contact.exported')
  })

  test('is deleted, and its tickets stay', async () => {
    const { id, email } = await named('Ophelia', null)
    const { id: inboxId } = await createEmailInbox(acme)
    const ticket = await createTicket(acme, { inboxId, email, subject: 'Stays' })
    const answer = await agent.post(`/console/contacts/${id}/delete`)
    expect((await agent.follow(answer)).text).toContain('The contact was deleted.')
    expect((await agent.get(`/console/contacts/${id}`)).status).toBe(404)
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.contactId).toBeNull()
  })

  test('of another tenant is not there, on any page or by any form', async () => {
    const foreign = await createTestContact(other, { name: 'Foreign' })
    const path = `/console/contacts/${foreign.id}`
    for (const page of ['', '/edit', '/export']) expect((await agent.get(path + page)).status).toBe(404)
    for (const step of ['/edit', '/subscribe', '/unsubscribe', '/delete'])
      expect((await agent.post(path + step, { name: 'Mine now' })).status).toBe(404)
    expect((await other.get(`/v1/contacts/${foreign.id}`)).body).toEqual(foreign)
  })
})

/** A response of this contact. */
async function answered(form: Awaited<ReturnType<typeof createPublished>>, contactId: string) {
  const { response } = await complete(acme, form, [9])
  const own = and(eq(responses.tenantId, acme.tenantId), eq(responses.id, response.id))
  await app.database.transaction((tx) => tx.update(responses).set({ contactId }).where(own))
}
