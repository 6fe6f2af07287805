import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries, cannedReplies, events } from '../../../../src/db/schema.ts'
import { removeUser } from '../../../../src/privacy/user-removal.ts'
import { startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../../../support/tickets/tickets.ts'

const OWN = '/console/canned-replies'
const SHARED = '/console/shared-canned-replies'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
})
beforeEach(async () => {
  app.clock.advance(1000)
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  admin = await signedIn(app, acme, 'admin')
})
afterAll(() => app.close())

const stored = () => app.database.db.select().from(cannedReplies).where(eq(cannedReplies.tenantId, acme.tenantId))
const add = async (path: string, name: string, text: string, by = agent) => {
  const { status } = await by.post(path, { name, text })
  expect(status).toBe(303)
  return (await stored()).find((reply) => reply.name === name)?.id as string
}

describe('canned replies', () => {
  test('are listed by how they begin, and a long one shows that it goes on', async () => {
    await add(OWN, 'Short', 'Thank you,\n\nwe look into it.')
    await add(OWN, 'Long', `${'long '.repeat(40)}and its end`)
    const { text } = await agent.get(OWN)
    expect(text).toContain('>Thank you, we look into it.<')
    expect(text).toContain('>long long ')
    expect(text).toContain('long long …<')
    expect(text).not.toContain('and its end')
  })

  test('are written, changed and deleted by their owner, and seen by nobody else', async () => {
    const answer = await agent.post(OWN, { name: 'Greeting <1>', text: 'Hello {{contact.name}},\n' })
    expect((await agent.follow(answer)).text).toContain('Greeting &lt;1&gt;')
    const [reply] = await stored()
    expect(reply).toMatchObject({ userId: agent.person.userId, text: 'Hello {{contact.name}},' })
    const path = `${OWN}/${reply?.id}`
    const version = (page: string) => /name="version" value="([^"]*)"/.exec(page)?.[1] as string
    const { text } = await agent.get(path)
    expect(text).toContain('Hello {{contact.name}},')
    app.clock.advance(1000)
    expect((await agent.post(path, { name: 'Hello', text: 'Hi', version: version(text) })).status).toBe(303)
    for (const other of [admin, await signedIn(app, await app.createTenant(), 'admin')]) {
      expect((await other.get(OWN)).text).not.toContain('>Hello<')
      expect((await other.get(path)).status).toBe(404)
      expect((await other.get(`${SHARED}/${reply?.id}`)).status).toBe(404)
      expect((await other.post(path, { name: 'Mine', text: 'x' })).status).toBe(404)
      expect((await other.post(`${path}/delete`)).status).toBe(404)
    }
    expect((await stored()).map(({ name }) => name)).toEqual(['Hello'])
    expect((await agent.post(`${path}/delete`)).status).toBe(303)
    expect(await stored()).toEqual([])
    const log = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, reply?.id ?? ''))
      .orderBy(auditEntries.number)
    expect(log.map(({ action }) => action)).toEqual([
      'canned_reply.created',
      'canned_reply.updated',
      'canned_reply.deleted',
    ])
    expect(await app.database.db.select().from(events).where(eq(events.tenantId, acme.tenantId))).toEqual([])
  })

  test('for everybody are the admins’ to write; agents read them', async () => {
    const id = await add(SHARED, 'Refund', 'You get your money back.', admin)
    const { text } = await agent.get(OWN)
    expect(text).toContain('Refund')
    expect(text).not.toContain(SHARED)
    for (const path of [`${SHARED}/new`, `${SHARED}/${id}`]) expect((await agent.get(path)).status).toBe(403)
    for (const path of [SHARED, `${SHARED}/${id}`, `${SHARED}/${id}/delete`]) {
      expect((await agent.post(path, { name: 'x', text: 'x' })).status).toBe(403)
    }
    expect((await admin.get(`${SHARED}/${id}`)).status).toBe(200)
    expect((await stored()).map(({ name }) => name)).toEqual(['Refund'])
  })

  test('refuse what they cannot be, beside its field, and keep what was typed', async () => {
    const cases: [name: string, text: string, field: string, said: string][] = [
      ['', 'Hello', 'name', 'Must be 1 to 255'],
      ['Hello', ' ', 'text', ''],
      [
        'Hello',
        'Hi {{contact.nam}} and {{agent.name}}',
        'text',
        'There is no placeholder {{contact.nam}}. There are {{contact.name}}',
      ],
      ['Hello', 'Hi {{ }}', 'text', 'There is no placeholder {{ }}'],
      ['Hello', 'x'.repeat(10_001), 'text', '10,000'],
    ]
    for (const [name, text, field, said] of cases) {
      const answer = await agent.post(OWN, { name, text })
      expect([text.slice(0, 40), answer.status]).toEqual([text.slice(0, 40), 400])
      expect(answer.text).toContain(`id="field-${field}-error"`)
      expect(answer.text).toContain(said)
      expect(answer.text).toContain(text.trim())
    }
    expect(await stored()).toEqual([])
    await add(OWN, 'Braces', 'a { b } {{ contact.name }} {{')
  })

  test('tell the second of two who change one', async () => {
    const id = await add(SHARED, 'Refund', 'Old', admin)
    const { text } = await admin.get(`${SHARED}/${id}`)
    const version = /name="version" value="([^"]*)"/.exec(text)?.[1] as string
    app.clock.advance(1000)
    expect((await admin.post(`${SHARED}/${id}`, { name: 'Refund', text: 'First', version })).status).toBe(303)
    const second = await admin.post(`${SHARED}/${id}`, { name: 'Refund', text: 'Second', version })
    expect([second.status, second.text.includes('Somebody else has changed it')]).toEqual([409, true])
    expect(second.text).toContain('Second')
    expect((await stored())[0]?.text).toBe('First')
  })

  test('go with who wrote them', async () => {
    await add(OWN, 'Mine', 'x')
    const caller = { ...acme.caller(), author: { type: 'agent', id: admin.person.userId, name: null } } as const
    await app.database.transaction((tx) => removeUser(tx, caller, agent.person.userId))
    expect(await stored()).toEqual([])
  })
})

describe('an answer', () => {
  const ticketOn = async (channel: 'email' | 'chat', more: object = {}) => {
    const inbox = await (channel === 'email' ? createEmailInbox(acme) : createChatInbox(acme))
    return createTicket(acme, { inboxId: inbox.id, subject: 'My <kettle>', ...more })
  }
  const written = (page: string) => /<textarea[^>]*name="answer"[^>]*>\n([^<]*)</.exec(page)?.[1]

  test('takes a canned reply after what was written, without a script, its placeholders filled in', async () => {
    const everything =
      '{{contact.name}}|{{ contact.first_name }}|{{contact.email}}|{{ticket.number}}|{{ticket.subject}}|{{inbox.name}}'
    const id = await add(SHARED, 'Everything', everything, admin)
    const { id: ticketId, ticketReference } = await ticketOn('email')
    const page = await agent.get(`/console/tickets/${ticketId}`)
    expect(page.text).toContain(`<option value="${id}">Everything</option>`)
    const answer = await agent.post(`/console/tickets/${ticketId}/canned`, { answer: 'Dear you,', canned: id, cc: '' })
    expect(answer.headers.get('location')).toBe(`/console/tickets/${ticketId}#answer`)
    const { text } = await agent.get(`/console/tickets/${ticketId}`)
    expect(written(text)).toBe(
      `Dear you,\n\nAda Lovelace|Ada Lovelace|ada@acme.test|${ticketReference}|My &lt;kettle&gt;|Support`,
    )
    expect((await acme.get(`/v1/tickets/${ticketId}`)).body.messageCount).toBe(1)
  })

  test('takes it from a script, by the name of who asks', async () => {
    const id = await add(OWN, 'Mine', 'Yours, {{agent.name}}')
    const { id: ticketId } = await ticketOn('chat', { email: null, name: null })
    const { status, text } = await agent.get(`/console/tickets/${ticketId}/canned/${id}`)
    expect([status, JSON.parse(text).text]).toEqual([200, `Yours, ${agent.person.email.split('@')[0]}`])
  })

  test('takes none that is not there, or somebody else’s, and says so where none was chosen', async () => {
    const id = await add(OWN, 'Mine', 'x')
    const { id: ticketId } = await ticketOn('email')
    const elsewhere = await signedIn(app, await app.createTenant(), 'admin')
    const path = `/console/tickets/${ticketId}/canned`
    for (const by of [admin, elsewhere]) {
      expect((await by.get(`${path}/${id}`)).status).toBe(404)
      expect((await by.post(path, { answer: '', canned: id })).status).toBe(404)
    }
    expect((await agent.get(`${path}/${crypto.randomUUID()}`)).status).toBe(404)
    expect((await admin.get(`/console/tickets/${ticketId}`)).text).not.toContain('data-canned')
    const nothing = await agent.post(path, { answer: 'Kept <so far>', canned: '' })
    expect([nothing.status, nothing.text.includes('Choose a canned reply first.')]).toEqual([400, true])
    expect(written(nothing.text)).toBe('Kept &lt;so far&gt;')
  })
})
