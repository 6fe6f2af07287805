import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, desc, eq } from 'drizzle-orm'
import { createContact } from '../../../src/contacts/operations.ts'
import { auditEntries, messages, tickets } from '../../../src/db/schema.ts'
import { archiveInbox } from '../../../src/inboxes/operations.ts'
import { mergeTickets } from '../../../src/tickets/merging/operations.ts'
import { buildReply } from '../../../src/tickets/replies/build-reply.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { signedIn } from '../../support/pages/console.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let inboxId: string
let id: string
let path: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  inboxId = (await createEmailInbox(acme)).id
  id = (await createTicket(acme, { inboxId })).id
  path = `/console/tickets/${id}`
})
afterAll(() => app.close())

const rowOf = async (ticketId = id) => {
  const [row] = await app.database.db.select().from(tickets).where(eq(tickets.id, ticketId))
  if (!row) throw new Error('no such ticket')
  const { contactId, requesterEmail, requesterName, customerSince, subject, inboxId: lies } = row
  return { contactId, requesterEmail, requesterName, customerSince, subject, inboxId: lies }
}
const lastAudit = async () => {
  const [entry] = await app.database.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.tenantId, acme.tenantId), eq(auditEntries.recordId, id)))
    .orderBy(desc(auditEntries.number))
    .limit(1)
  return entry && { action: entry.action, via: entry.via, authorId: entry.authorId }
}
const newContact = async (email: string | null, name = 'Grace') =>
  (await acme.perform((tx, caller) => createContact(tx, caller, { email, name, lastName: 'Hopper' }, 'api'))).id
/** Presses the button beside what was said. */
async function undo(answer: Answer): Promise<Answer> {
  expect(answer.status).toBe(303)
  const { text } = await agent.follow(answer)
  const [, form = ''] = /data-said>.*?action="\/console\/inbox\/undo">(.*?)<\/form>/s.exec(text) ?? []
  const inputs = [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]))
  expect(fields.was).toBeDefined()
  return agent.post('/console/inbox/undo', { ...fields, csrf: await agent.csrf() })
}
const said = async (answer: Answer) => /data-said><p[^>]*>([^<]*)/.exec((await agent.follow(answer)).text)?.[1]

describe('the subject of a ticket', () => {
  test('is changed at once, for its answers too, stands in the audit log, tells no event, and can be taken back', async () => {
    const before = await rowOf()
    const events = (await acme.events()).length
    const answer = await agent.post(`${path}/subject`, { subject: '  Order 17 & more  ' })
    expect(answer.headers.get('location')).toBe(path)
    expect(await rowOf()).toEqual({ ...before, subject: 'Order 17 & more' })
    expect(await lastAudit()).toEqual({
      action: 'ticket.subject_changed',
      via: 'console',
      authorId: agent.person.userId,
    })
    expect((await acme.events()).length).toBe(events)
    const { body } = await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>Soon.</p>' })
    expect(body.subject).toBe('Re: Order 17 & more')
    await undo(answer)
    expect(await rowOf()).toEqual(before)
  })

  test.each([
    ['', 400],
    [' \t ', 400],
    ['x'.repeat(501), 400],
  ])('is refused beside its field when it is %p', async (subject, status) => {
    const before = await rowOf()
    const answer = await agent.post(`${path}/subject`, { subject })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain('id="field-subject-error"')
    expect(await rowOf()).toEqual(before)
  })

  test('is changed in a chat, too', async () => {
    const chat = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    const answer = await agent.post(`/console/tickets/${chat.id}/subject`, { subject: 'A chat about shoes' })
    expect(answer.status).toBe(303)
    expect((await rowOf(chat.id)).subject).toBe('A chat about shoes')
  })
})

describe('the inbox of a ticket', () => {
  test('is another one at once, from whose address it is answered, and can be taken back', async () => {
    const other = await createEmailInbox(acme, { name: 'Billing' })
    const events = (await acme.events()).length
    expect((await agent.get(path)).text).toContain(`name="inboxId" value="${other.id}"`)
    const answer = await agent.post(`${path}/inbox`, { inboxId: other.id })
    expect(await said(answer)).toBe('The ticket was moved.')
    expect((await rowOf()).inboxId).toBe(other.id)
    expect(await lastAudit()).toMatchObject({ action: 'ticket.inbox_changed' })
    expect((await acme.events()).length).toBe(events)
    const { body } = await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>Soon.</p>' })
    expect(body.from).toBe(other.emailAddress)
    await undo(await agent.post(`${path}/inbox`, { inboxId }))
    expect((await rowOf()).inboxId).toBe(other.id)
  })

  test('is the one it was when an answer was written: that goes out as it was addressed', async () => {
    const other = await createEmailInbox(acme, { name: 'Billing' })
    const { body } = await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>Soon.</p>' })
    await agent.post(`${path}/inbox`, { inboxId: other.id })
    const { message } = await buildReply(app.database.db, app.deps.secrets, acme.tenantId, {
      ...{ id: body.id, mailId: null, at: app.clock.now() },
    })
    expect(message).toMatchObject({ inboxId, from: body.from })
  })

  test('is never one of another tenant, of another channel, or an archived one', async () => {
    const globex = await app.createTenant()
    const foreign = await createEmailInbox(globex)
    const retired = await createEmailInbox(acme)
    await acme.perform((tx, caller) => archiveInbox(tx, caller, retired.id))
    const chats = await createChatInbox(acme)
    const page = (await agent.get(path)).text
    for (const { id: wrong } of [foreign, retired, chats]) {
      expect(page).not.toContain(wrong)
      expect((await agent.post(`${path}/inbox`, { inboxId: wrong })).status).toBeGreaterThanOrEqual(400)
      expect((await rowOf()).inboxId).toBe(inboxId)
    }
  })
})

describe('the customer of a ticket', () => {
  test('is found by how a name or an address begins, and chosen', async () => {
    const grace = await newContact('grace@navy.test')
    await newContact(null, 'Grace No-Address')
    const globex = await app.createTenant()
    const { body: foreign } = await globex.post('/v1/contacts', { email: 'grace@globex.test', name: 'Grace' })
    const page = await agent.get(`${path}?customer=grace`)
    expect(page.text).toContain(`name="contactId" value="${grace}"`)
    expect(page.text).not.toContain(foreign.id)
    expect(page.text).toContain('No email address')
    expect(page.text).not.toContain('name="email" value="grace"')
    const before = await rowOf()
    const events = (await acme.events()).length
    expect(await said(await agent.post(`${path}/customer`, { contactId: grace }))).toBe(
      'The customer is now Grace Hopper.',
    )
    const at = new Date(app.clock.now()).toISOString()
    const hers = {
      contactId: grace,
      requesterEmail: 'grace@navy.test',
      requesterName: 'Grace Hopper',
      customerSince: at,
    }
    expect(await rowOf()).toEqual({ ...before, ...hers })
    expect(await lastAudit()).toMatchObject({ action: 'ticket.customer_changed' })
    expect((await acme.events()).length).toBe(events)
    // It stands in her history, and no longer in the other one's.
    expect((await agent.get(`/console/contacts/${grace}`)).text).toContain(path)
    expect((await agent.get(`/console/contacts/${before.contactId}`)).text).not.toContain(path)
    const hersNow = await rowOf()
    await undo(await agent.post(`${path}/customer`, { email: 'new@navy.test' }))
    expect(await rowOf()).toEqual(hersNow)
  })

  test('may be an address that nobody has yet, which becomes a contact', async () => {
    const page = await agent.get(`${path}?customer=new%40navy.test`)
    expect(page.text).toContain('name="email" value="new@navy.test"')
    await agent.post(`${path}/customer`, { email: 'new@navy.test' })
    const row = await rowOf()
    expect(row).toMatchObject({ requesterEmail: 'new@navy.test', requesterName: null })
    const { body } = await acme.get(`/v1/contacts/${row.contactId}`)
    expect(body).toMatchObject({ email: 'new@navy.test', source: 'manual' })
  })

  test('alone gets the answers from then on, until somebody else writes', async () => {
    const { contactId } = await rowOf()
    await agent.post(`${path}/customer`, { email: 'new@navy.test' })
    app.clock.advance(1000)
    expect((await agent.get(path)).text).toContain('<bdi>new@navy.test</bdi>')
    const { body } = await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>Soon.</p>' })
    expect(body.to).toEqual(['new@navy.test'])
    // What was said before stays as it was.
    const [first] = await app.database.db.select().from(messages).where(eq(messages.ticketId, id)).orderBy(messages.id)
    expect(first).toMatchObject({ fromAddress: 'ada@acme.test', authorId: contactId })
  })

  test('is not one of another tenant, an inbox, nobody, or no address; what was typed comes back', async () => {
    const globex = await app.createTenant()
    const { body: foreign } = await globex.post('/v1/contacts', { email: 'grace@globex.test' })
    const inbox = await createEmailInbox(acme)
    const before = await rowOf()
    const silent = await newContact(null)
    const wrong: Record<string, string>[] = [
      { contactId: foreign.id },
      { contactId: silent },
      { email: inbox.emailAddress as string },
      { email: 'no address' },
      {},
    ]
    for (const fields of wrong) {
      const answer = await agent.post(`${path}/customer`, fields)
      expect(answer.status).toBe(400)
      expect(await rowOf()).toEqual(before)
    }
    const { text } = await agent.post(`${path}/customer`, { email: 'no address' })
    expect(text).toContain('value="no address"')
    expect(text).toContain('id="field-customer-error"')
  })

  test('of a chat, or of a ticket that was merged, cannot be changed, and none of another tenant’s ticket can', async () => {
    const chat = await createTicket(acme, { inboxId: (await createChatInbox(acme)).id })
    const other = await createTicket(acme, { inboxId })
    await acme.perform((tx, caller) => mergeTickets(tx, caller, id, other.id))
    const globex = await app.createTenant()
    const foreign = await createTicket(globex)
    const elsewhere = await createEmailInbox(acme)
    for (const [ticketId, status] of [
      [chat.id, 422],
      [id, 422],
      [foreign.id, 404],
    ] as const) {
      const before = await rowOf(ticketId)
      for (const [what, fields] of [
        ['customer', { email: 'new@navy.test' }],
        ['inbox', { inboxId: elsewhere.id }],
      ] as const) {
        expect((await agent.post(`/console/tickets/${ticketId}/${what}`, fields)).status).toBe(status)
        expect(await rowOf(ticketId)).toEqual(before)
      }
    }
    expect((await agent.get(`/console/tickets/${chat.id}?customer=`)).text).not.toContain('choose-customer')
    expect((await agent.get(`/console/tickets/${chat.id}`)).text).not.toContain('?customer=')
  })

  test('is whose it was, name, address and answers, once the change is taken back', async () => {
    const before = await rowOf()
    await undo(await agent.post(`${path}/customer`, { email: 'new@navy.test' }))
    expect(await rowOf()).toEqual(before)
  })

  test('taken back by a form that somebody made up is no contact of another tenant', async () => {
    const globex = await app.createTenant()
    const { body: foreign } = await globex.post('/v1/contacts', { email: 'grace@globex.test' })
    const before = await rowOf()
    const packed = Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')
    for (const was of [`${foreign.id} a@b.test  X`, ` not-an-address  `, `${before.contactId} a b c d`]) {
      const answer = await agent.post('/console/inbox/undo', { part: 'customer', was: `${packed} ${was}` })
      expect(answer.status).toBeLessThan(500)
      expect(await rowOf()).toEqual(before)
    }
  })
})
