import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { quarantineHeader } from '../../src/channels/email/receiving/receive.ts'
import { createCustomField, setCustomValue } from '../../src/contacts/fields/custom-fields.ts'
import { auditEntries, responseSegments, responses } from '../../src/db/schema.ts'
import { fileKinds } from '../../src/kinds/files.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { splitMessage } from '../../src/tickets/merging/splitting.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { begin, complete, createPublished, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { createMailbox, rawMail } from '../support/mail/mails.ts'
import { type ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let agent: ConsoleBrowser
let admin: ConsoleBrowser

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  admin = await signedIn(app, acme, 'admin')
})
afterAll(() => app.close())

const read = async (id: string) => (await acme.get(`/v1/contacts/${id}`)).body
const notedOf = async (recordId: string) =>
  (
    await app.database.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(and(eq(auditEntries.tenantId, acme.tenantId), eq(auditEntries.recordId, recordId)))
      .orderBy(asc(auditEntries.number))
  ).map(({ action }) => action)

describe('two contacts that are one person', () => {
  /** The form that compares them, as it is shown now. */
  async function formOf(id: string, other: string) {
    const { text, status } = await agent.get(`/console/contacts/${id}/merge?with=${other}`)
    expect(status).toBe(200)
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
    const fields = Object.fromEntries(hidden.map(([, name, value]) => [name, value])) as Record<string, string>
    return { text, fields }
  }

  test('are found, compared and made one, with tickets, responses, chats, groups and consent', async () => {
    const [news, club] = [await createTestGroup(acme, 'News'), await createTestGroup(acme, 'Club')]
    const organisation = await createTestOrganisation(acme, { name: 'Lovelace Ltd' })
    const field = await acme.perform((tx, caller) => createCustomField(tx, caller, { name: 'Plan' }))
    const kept = await createTestContact(acme, { email: 'ada@work.test', name: 'Ada', groupIds: [news.id] })
    const other = await createTestContact(acme, {
      email: 'ada@home.test',
      name: 'Augusta',
      lastName: 'Lovelace',
      phone: '123',
      organisationId: organisation.id,
      groupIds: [news.id, club.id],
    })
    await acme.perform((tx, caller) =>
      setCustomValue(tx, caller, { contactId: other.id, fieldId: field.id, value: { stringValue: 'pro' } }),
    )
    const own = await createTicket(acme, { email: 'ada@work.test', subject: 'From work' })
    const theirs = await createTicket(acme, { email: 'ada@home.test', subject: 'From home' })
    const form = await createPublished(acme, [
      { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
    ])
    const { response } = await complete(acme, form, [{ email: 'ada@home.test' }])
    await acme.post(`/v1/contacts/${other.id}/unsubscribe`)

    const found = await agent.get(`/console/contacts/${kept.id}/merge?q=augusta`)
    expect(found.text).toContain(`?with=${other.id}`)
    expect((await agent.get(`/console/contacts/${kept.id}/merge?q=ada%40work`)).text).toContain('No contacts match.')
    const { text, fields } = await formOf(kept.id, other.id)
    for (const part of ['ada@home.test', 'Lovelace Ltd', 'News, Club', 'pro']) expect(text).toContain(part)
    app.clock.advance(1000)
    const before = (await acme.events()).length
    const answer = await agent.post(`/console/contacts/${kept.id}/merge`, { ...fields, name: 'kept', email: 'other' })
    expect((await agent.follow(answer)).text).toContain('Augusta Lovelace was merged into this contact.')

    expect(await read(kept.id)).toMatchObject({
      ...{ email: 'ada@home.test', name: 'Ada', lastName: 'Lovelace', phone: '123', organisationId: organisation.id },
      ...{ unsubscribed: true, customValues: [{ fieldName: 'Plan', stringValue: 'pro' }] },
    })
    const groups = (await read(kept.id)).groups.map(({ name }: { name: string }) => name)
    expect(groups.toSorted()).toEqual(['Club', 'News'])
    const { items } = (await acme.get(`/v1/tickets?contact_id=${kept.id}`)).body
    expect(items.map(({ id }: { id: string }) => id).toSorted()).toEqual([own.id, theirs.id].toSorted())
    const thread = (await acme.get(`/v1/tickets/${theirs.id}`)).body
    expect(thread.messages[0].author.id).toBe(kept.id)
    expect((await acme.get(`/v1/forms/${form.id}/responses/${response.id}`)).body.contactId).toBe(kept.id)
    expect((await agent.get(`/console/contacts/${kept.id}`)).text).toContain('Unsubscribed from emails')
    expect((await acme.events()).slice(before).map(({ event }) => event)).toEqual([
      'contact.created_or_updated',
      'contact.unsubscribed',
    ])
    expect(await notedOf(other.id)).toContain('contact.merged')
    expect(await notedOf(kept.id)).toContain('contact.merge_received')

    expect((await acme.get(`/v1/contacts/${other.id}`)).status).toBe(404)
    const old = await agent.get(`/console/contacts/${other.id}`)
    expect([old.status, old.text.includes(`/console/contacts/${kept.id}`)]).toEqual([404, true])
  })

  test('one of whom was two before: what was noted of all of them stays together', async () => {
    const [a, b, c] = await Promise.all([1, 2, 3].map(() => createTestContact(acme)))
    await acme.post(`/v1/contacts/${c.id}/unsubscribe`)
    await acme.post(`/v1/contacts/${c.id}/subscribe`)
    for (const [into, gone] of [
      [b, c],
      [a, b],
    ]) {
      const { fields } = await formOf(into.id, gone.id)
      expect((await agent.post(`/console/contacts/${into.id}/merge`, fields)).status).toBe(303)
    }
    const { text } = await agent.get(`/console/contacts/${a.id}`)
    for (const part of ['Subscribed to emails', 'Unsubscribed from emails']) expect(text).toContain(part)
    expect(JSON.parse((await agent.get(`/console/contacts/${a.id}/export`)).text).consent).toHaveLength(2)
    expect((await agent.get(`/console/contacts/${c.id}`)).text).toContain(`/console/contacts/${a.id}`)
  })

  test('hundreds of tickets go along', async () => {
    const [kept, other] = await Promise.all([1, 2].map(() => createTestContact(acme)))
    for (let index = 0; index < 205; index++) await createTicket(acme, { email: other.email })
    const { fields } = await formOf(kept.id, other.id)
    expect((await agent.post(`/console/contacts/${kept.id}/merge`, fields)).status).toBe(303)
    let count = 0
    for (let cursor = ''; ; ) {
      const { body } = await acme.get(`/v1/tickets?contact_id=${kept.id}&limit=100${cursor}`)
      count += body.items.length
      if (body.nextCursor === null) break
      cursor = `&cursor=${body.nextCursor}`
    }
    expect(count).toBe(205)
  })

  test('a mail that is split off later belongs to the contact that its sender is now', async () => {
    const mailbox = await createMailbox(app, acme)
    const { ticketId } = await mailbox.deliver({ from: 'first@split.test', id: '<split1@x.test>' })
    const headers = { References: '<split1@x.test>' }
    const cc = { ...headers, Cc: 'second@split.test' }
    await mailbox.deliver({ from: 'first@split.test', id: '<split2@x.test>', headers: cc })
    const { messageId } = await mailbox.deliver({
      from: 'second@split.test',
      headers: { References: '<split2@x.test>' },
    })
    const [second] = (await acme.get('/v1/contacts?email=second@split.test')).body.items
    const kept = await createTestContact(acme)
    const { fields } = await formOf(kept.id, second.id)
    expect((await agent.post(`/console/contacts/${kept.id}/merge`, fields)).status).toBe(303)
    const split = await acme.perform((tx, caller) => splitMessage(tx, caller, messageId as string))
    expect(split.id).not.toBe(ticketId as string)
    expect(split.contactId).toBe(kept.id)
  })

  test('are not merged where one has changed meanwhile, is the same, or is not there', async () => {
    const [kept, other] = await Promise.all([1, 2].map(() => createTestContact(acme, { name: 'Twin' })))
    const { fields } = await formOf(kept.id, other.id)
    app.clock.advance(1000)
    await acme.put(`/v1/contacts/${other.id}`, { name: 'Changed' })
    const late = await agent.post(`/console/contacts/${kept.id}/merge`, fields)
    expect([late.status, late.text.includes('One of the contacts has changed')]).toEqual([400, true])
    expect(late.text).toContain('Changed')
    const version = `${(await read(kept.id)).updatedAt} ${(await read(kept.id)).updatedAt}`
    const itself = await agent.post(`/console/contacts/${kept.id}/merge`, { with: kept.id, version })
    expect([itself.status, itself.text.includes('Must be another contact.')]).toEqual([400, true])
    expect((await agent.post(`/console/contacts/${kept.id}/merge`, { with: 'x' })).status).toBe(400)
    const foreign = await createTestContact(await app.createTenant())
    expect((await agent.get(`/console/contacts/${kept.id}/merge?with=${foreign.id}`)).status).toBe(404)
    expect((await agent.post(`/console/contacts/${kept.id}/merge`, { with: foreign.id })).status).toBe(404)
    expect((await read(other.id)).name).toBe('Changed')
  })
})

describe('a person who wants to be forgotten', () => {
  /** Stands in all that they ever sent. */
  const MARK = 'forgetme'
  const EMAIL = `zoe.${MARK}@gone.test`

  /** What the page says of how much goes. */
  const countsOn = (text: string) =>
    Object.fromEntries([...text.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)/g)].map(([, name, count]) => [name, count]))

  test('is gone with everything: nothing of theirs is left in any table or file', async () => {
    const tenant = await app.createTenant()
    const browser = await signedIn(app, tenant, 'admin')
    const mailbox = await createMailbox(app, tenant)
    const from = `Zoe ${MARK} <${EMAIL}>`
    const { ticketId } = await mailbox.deliver({ from, subject: `Help ${MARK}`, text: MARK })
    await mailbox.deliver({ from, subject: 'Large', text: MARK.repeat(20_000) })
    await tenant.perform((tx, caller) => addNote(tx, caller, ticketId as string, { text: `Note on ${MARK}` }))
    await tenant.post(`/v1/tickets/${ticketId}/replies`, { html: `<p>Dear ${MARK}</p>` })
    const attachment = await createTestAttachment(tenant)
    await createTicket(tenant, { email: EMAIL, text: MARK, attachments: [attachment] })
    // Merged into somebody else's, and among each other.
    const bystander = await mailbox.deliver({ from: 'Bob <bob@stays.test>', subject: 'Bob asks', text: 'Bob’s words' })
    const merged = await mailbox.deliver({ from, subject: 'Same matter', text: MARK })
    await tenant.perform((tx, caller) =>
      mergeTickets(tx, caller, merged.ticketId as string, bystander.ticketId as string),
    )
    const [one, two] = [await mailbox.deliver({ from, text: MARK }), await mailbox.deliver({ from, text: MARK })]
    await tenant.perform((tx, caller) => mergeTickets(tx, caller, one.ticketId as string, two.ticketId as string))
    const inbox = { tenantId: tenant.tenantId, id: mailbox.id }
    const aside = { raw: rawMail({ from }), at: app.clock.now(), inbox }
    await quarantineHeader(app.deps, aside, 'is too large')
    const form = await createPublished(tenant, [
      { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
      { type: 'textbox' },
      { type: 'file_upload', fileUploadSlots: ['File'] },
    ])
    const { uploadId } = (await respondent(app, form).upload(MARK, `${MARK}.txt`)).body
    await respondent(app, form).begin([{ email: EMAIL }, MARK, [{ slot: 0, uploadId }]], true)
    const chat = await openChat(app, tenant)
    const visitor = await chat.visitor({ name: MARK, email: `chat.${MARK}@gone.test` })
    await chat.start(visitor.token, MARK)
    const [person] = (await tenant.get(`/v1/contacts?email=${EMAIL}`)).body.items
    const [chatter] = (await tenant.get(`/v1/contacts?email=chat.${MARK}@gone.test`)).body.items
    const merge = await browser.get(`/console/contacts/${person.id}/merge?with=${chatter.id}`)
    const version = /name="version" value="([^"]*)"/.exec(merge.text)?.[1] as string
    await browser.post(`/console/contacts/${person.id}/merge`, { with: chatter.id, version })
    const whole = JSON.parse((await browser.get(`/console/contacts/${person.id}/export`)).text)
    expect(whole).toMatchObject({
      chats: [{ name: MARK }],
      responses: [{}],
      quarantinedMails: [{ subject: 'Where is my order?' }],
    })
    expect(whole.tickets).toHaveLength(7)

    const page = await browser.get(`/console/contacts/${person.id}/erase`)
    expect(countsOn(page.text)).toMatchObject({
      Tickets: '7',
      'Responses to forms': '1',
      Files: '2',
      'Sign-ins to the chat': '1',
    })
    expect(page.text).toContain(
      '<input type="checkbox" id="field-sure-box" name="sure" value="on"><label for="field-sure-box">',
    )
    const unsure = await browser.post(`/console/contacts/${person.id}/erase`)
    expect([unsure.status, unsure.text.includes('Tick the box if that is what you want.')]).toEqual([400, true])
    const others = (await tenant.events()).filter(({ payload }) => /Bob/.test(JSON.stringify(payload)))
    expect(others.length).toBeGreaterThan(0)
    const done = await browser.post(`/console/contacts/${person.id}/erase`, { sure: 'on' })
    expect((await browser.follow(done)).text).toContain('The person was deleted with everything.')

    // No event tells of it, and those that told of the person are out of the log.
    const ofPeople = (await tenant.events()).filter(({ event }) => event !== 'form.published')
    expect(ofPeople).toEqual(others)
    const left = Object.entries(await snapshot(app)).flatMap(([table, lines]) =>
      lines.filter((line) => line.includes(MARK) || line.includes(person.id)).map((line) => [table, line] as const),
    )
    expect(left.filter(([table]) => table !== 'audit_entries')).toEqual([])
    expect(left.map(([, line]) => line).join()).not.toContain(MARK)
    for (const kind of fileKinds) {
      for await (const { tenantId, files } of app.deps.files.list(kind))
        if (tenantId === tenant.tenantId) expect([kind, files]).toEqual([kind, []])
    }
    const stays = (await tenant.get(`/v1/tickets/${bystander.ticketId}`)).body
    expect(stays).toMatchObject({ subject: 'Bob asks', messageCount: 1, excerpt: 'Bob’s words' })
    expect(stays.messages).toHaveLength(1)
    expect((await chat.conversations(visitor.token)).status).toBe(401)
    expect((await browser.get(`/console/contacts/${person.id}/erase`)).status).toBe(404)
    const noted = await app.database.db
      .select({ action: auditEntries.action })
      .from(auditEntries)
      .where(eq(auditEntries.tenantId, tenant.tenantId))
      .orderBy(auditEntries.number)
    const deleted = noted.map(({ action }) => action).filter((action) => /deleted|erased/.test(action))
    expect(deleted.toSorted()).toEqual(['contact.erased', 'response.deleted', ...Array(7).fill('ticket.deleted')])
  })

  test('with hundreds of responses and tickets is gone all the same', async () => {
    const contact = await createTestContact(acme)
    for (let index = 0; index < 45; index++) await createTicket(acme, { email: contact.email })
    const form = await createPublished(acme, [
      { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
    ])
    for (let index = 0; index < 45; index++) await complete(acme, form, [{ email: contact.email }])
    const kept = { number: 1, throughAt: '', throughId: '', content: 'what they answered' }
    await acme.perform((tx, { tenantId }) => tx.insert(responseSegments).values({ tenantId, formId: form.id, ...kept }))
    expect((await admin.post(`/console/contacts/${contact.id}/erase`, { sure: 'on' })).status).toBe(303)
    expect((await acme.get(`/v1/forms/${form.id}/responses`)).body.items).toEqual([])
    expect(await app.database.db.select().from(responseSegments)).toEqual([])
    expect((await acme.get(`/v1/tickets?contact_id=${contact.id}`)).body.items).toEqual([])
    expect((await acme.get(`/v1/contacts/${contact.id}`)).status).toBe(404)
  })

  test('is gone from what was begun with their address, too, which is handed out with the rest; others’ stays', async () => {
    const tenant = await app.createTenant()
    const browser = await signedIn(app, tenant, 'admin')
    const stranger = await app.createTenant()
    const contact = await createTestContact(tenant, { email: EMAIL })
    const questions = [
      { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
      { type: 'textbox' },
      { type: 'file_upload', fileUploadSlots: ['File'] },
    ]
    const form = await createPublished(tenant, questions)
    const { uploadId } = (await respondent(app, form).upload(MARK, `${MARK}.txt`)).body
    await respondent(app, form).begin([{ email: ` ${EMAIL.toUpperCase()}` }, MARK, [{ slot: 0, uploadId }]])
    for (let index = 0; index < 24; index++) await begin(tenant, form, [{ email: EMAIL }, MARK])
    // Of others, who speak of them; and of one who wrote the same address elsewhere.
    const theirs = await begin(tenant, form, [{ email: 'bob@stays.test' }, `Ask ${EMAIL} about it`])
    const unknown = await begin(tenant, form, [undefined, 'Nobody’s'])
    const other = await createPublished(stranger, questions)
    const elsewhere = await begin(stranger, other, [{ email: EMAIL }])
    app.clock.advance(10 * 60_000)
    await app.runDue()
    const whole = JSON.parse((await browser.get(`/console/contacts/${contact.id}/export`)).text)
    expect([whole.responses, whole.unfinishedResponses.length]).toEqual([[], 25])
    expect(whole.unfinishedResponses[0]).toMatchObject({ formTitle: 'Survey', status: 'partial' })
    const { text } = await browser.get(`/console/contacts/${contact.id}/erase`)
    expect(countsOn(text)).toMatchObject({
      'Responses to forms': '0',
      'Unfinished responses with this address': '25',
      Files: '1',
    })

    expect((await browser.post(`/console/contacts/${contact.id}/erase`, { sure: 'on' })).status).toBe(303)
    const idsOf = async (whose: typeof tenant, of: TestForm) =>
      (await whose.get(`/v1/forms/${of.id}/responses?status=partial`)).body.items.map(({ id }: { id: string }) => id)
    expect((await idsOf(tenant, form)).toSorted()).toEqual([theirs.response.id, unknown.response.id].toSorted())
    expect(await idsOf(stranger, other)).toEqual([elsewhere.response.id])
    const left = Object.values(await snapshot(app)).flat()
    expect(left.filter((line) => line.includes(MARK) && line.includes(tenant.tenantId))).toEqual(
      left.filter((line) => line.includes(`Ask ${EMAIL} about it`)),
    )
    for await (const { tenantId, files } of app.deps.files.list('uploads'))
      if (tenantId === tenant.tenantId) expect(files).toEqual([])
  })

  test('is not looked for in all that was begun while the page is waited for, where that is a lot: it all goes', async () => {
    const tenant = await app.createTenant()
    const browser = await signedIn(app, tenant, 'admin')
    const contact = await createTestContact(tenant)
    const form = await createPublished(tenant, [
      { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
    ])
    await begin(tenant, form, [{ email: contact.email }])
    const [begun] = await app.database.db.select().from(responses).where(eq(responses.formId, form.id))
    const more = Array.from({ length: 2000 }, () => ({ ...(begun as typeof responses.$inferInsert), answers: '{}' }))
    await tenant.perform(async (tx) => {
      for (let at = 0; at < more.length; at += 500) {
        const some = more.slice(at, at + 500).map((row) => ({ ...row, id: Bun.randomUUIDv7() }))
        await tx.insert(responses).values(some)
      }
    })
    const { text } = await browser.get(`/console/contacts/${contact.id}/erase`)
    expect(countsOn(text)).toMatchObject({ 'Unfinished responses with this address': 'all, with their files' })
    expect((await browser.post(`/console/contacts/${contact.id}/erase`, { sure: 'on' })).status).toBe(303)
    const left = await app.database.db.select({ id: responses.id }).from(responses).where(eq(responses.formId, form.id))
    expect([left.length, left.some(({ id }) => id === begun?.id)]).toEqual([2000, false])
  })

  test('is an admin’s to delete, of their own tenant', async () => {
    const { id } = await createTestContact(acme)
    expect((await agent.get(`/console/contacts/${id}`)).text).not.toContain('/erase')
    expect((await admin.get(`/console/contacts/${id}`)).text).toContain('/erase')
    expect((await agent.post(`/console/contacts/${id}/erase`, { sure: 'on' })).status).toBe(403)
    const stranger = await signedIn(app, await app.createTenant(), 'admin')
    expect((await stranger.post(`/console/contacts/${id}/erase`, { sure: 'on' })).status).toBe(404)
    expect((await read(id)).id).toBe(id)
  })
})
