import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createSource } from '../../src/articles/sources.ts'
import { deleteInbox } from '../../src/channels/email/inbox-deletion.ts'
import { mailIntake } from '../../src/channels/email/listener/intake.ts'
import { auditEntries } from '../../src/db/schema.ts'
import { archiveInbox, findInbox, restoreInbox, updateInbox } from '../../src/inboxes/operations.ts'
import { changeChatSettings } from '../../src/livechat/settings.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { createMailbox, type Mailbox } from '../support/mail/mails.ts'
import { type MailServer, startMailServer } from '../support/mail/server.ts'
import { refusalOf } from '../support/refusal.ts'
import { createChatInbox, createEmailInbox } from '../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let mailbox: Mailbox

beforeAll(async () => {
  mailServer = await startMailServer()
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
})
beforeEach(async () => {
  app.clock.advance(1000)
  mailServer.mails.length = 0
  acme = await app.createTenant()
  mailbox = await createMailbox(app, acme, `help@${acme.tenantId}.test`)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const update = (input: object, id = mailbox.id) => acme.perform((tx, caller) => updateInbox(tx, caller, id, input))
const archive = (id = mailbox.id) => acme.perform((tx, caller) => archiveInbox(tx, caller, id))
const restore = () => acme.perform((tx, caller) => restoreInbox(tx, caller, mailbox.id))
const remove = (id = mailbox.id) => acme.perform((tx, caller) => deleteInbox(tx, caller, id))
const takes = async (address: string) => (await mailIntake(app.deps).inboxOf(address)) !== null
const audited = async () =>
  (await app.database.db.select().from(auditEntries).orderBy(auditEntries.number))
    .filter(({ tenantId, recordId }) => tenantId === acme.tenantId && recordId === mailbox.id)
    .map(({ action, fields }) => [action, fields])
const newTicket = (more = {}) =>
  acme.post('/v1/tickets', { email: 'ada@customer.test', subject: 'Hi', text: 'Hi', ...more })

describe('an inbox', () => {
  test('is renamed and re-addressed; what it has sent before stays, and the next answer comes from the new address', async () => {
    const { ticketId } = await mailbox.deliver()
    const address = `support@${acme.tenantId}.test`
    const changed = await update({ name: ' Care ', emailAddress: address.toUpperCase() })
    expect(changed).toMatchObject({ name: 'Care', emailAddress: address })
    expect([await takes(mailbox.address), await takes(address)]).toEqual([false, true])
    expect((await acme.post(`/v1/tickets/${ticketId}/replies`, { html: 'x' })).status).toBe(201)
    expect(mailServer.mails[0]?.from).toEqual({ name: 'Care', address })
    // As it is already: nothing changes, and nobody is told.
    await update({ name: 'Care', emailAddress: address })
    expect(await audited()).toEqual([
      ['inbox.created', null],
      ['inbox.updated', 'name,emailAddress'],
    ])
  })

  test.each<[string, () => Promise<object>, string]>([
    ['a blank name', async () => ({ name: ' ' }), 'name: must be 1 to 255 characters'],
    ['no address', async () => ({ emailAddress: '' }), 'an email inbox needs an email address'],
    [
      'the address of another',
      async () => ({ emailAddress: (await createEmailInbox(await app.createTenant())).emailAddress }),
      'an inbox with this address already exists',
    ],
  ])('cannot be given %s', async (_, input, message) => {
    expect(await refusalOf(update(await input()))).toContain(message)
    expect(await takes(mailbox.address)).toBe(true)
  })

  test('keeps its address in another spelling, and is nobody else’s to change', async () => {
    const spelt = mailbox.address.replace('help@', 'help+x@')
    expect((await update({ emailAddress: spelt })).emailAddress).toBe(spelt)
    const other = await app.createTenant()
    for (const change of [updateInbox, archiveInbox, restoreInbox, deleteInbox]) {
      const attempt = other.perform((tx, caller) => change(tx, caller, mailbox.id, {}) as Promise<unknown>)
      expect(await refusalOf(attempt)).toBe('inbox not found')
    }
  })
})

describe('an archived inbox', () => {
  test('takes no mail but what customers answer to its tickets, which are worked on as before', async () => {
    const { ticketId } = await mailbox.deliver()
    const at = new Date(app.clock.now()).toISOString()
    expect(await archive()).toMatchObject({ archivedAt: at })
    expect(await takes(mailbox.address)).toBe(false)
    expect(await takes(mailbox.address.replace('@', '+sales@'))).toBe(false)
    expect((await acme.post(`/v1/tickets/${ticketId}/replies`, { html: 'Still here.' })).status).toBe(201)
    const [mail] = mailServer.mails
    expect(mail?.from).toMatchObject({ address: mailbox.address })
    const replyTo = mail?.replyTo?.[0]?.address as string
    expect([await takes(replyTo), await takes(replyTo.replace('+t.', '+t.x'))]).toEqual([true, false])
    app.clock.advance(1000)
    const answer = await mailbox.deliver({ to: replyTo, subject: 'Re: hello' })
    expect(answer).toMatchObject({ outcome: 'threaded', ticketId })
    expect((await acme.put(`/v1/tickets/${ticketId}/status`, { status: 'closed' })).status).toBe(200)
    await restore()
    expect(await takes(mailbox.address)).toBe(true)
    expect((await audited()).map(([action]) => action)).toEqual(['inbox.created', 'inbox.archived', 'inbox.restored'])
  })

  test('lets nothing new begin by the API, which says so, and is not what is taken where none is named', async () => {
    const later = await createEmailInbox(acme)
    await archive()
    const refused = await newTicket({ inboxId: mailbox.id })
    expect([refused.status, refused.body.message]).toEqual([409, 'the inbox is archived: nothing new begins there'])
    expect((await newTicket()).status).toBe(201)
    expect((await acme.get(`/v1/tickets?inbox_id=${later.id}`)).body.items).toHaveLength(1)
    await archive(later.id)
    expect((await newTicket()).status).toBe(422)
    expect((await acme.get('/v1/tickets')).body.items).toHaveLength(1)
    const [listed] = (await acme.get('/v1/inboxes')).body.items
    expect(Object.keys(listed)).toEqual(['id', 'name', 'channel', 'emailAddress', 'createdAt', 'updatedAt'])
  })

  test('lets no chat begin, and those under way go on', async () => {
    const { id: inboxId } = await createChatInbox(acme)
    const source = await acme.perform((tx, caller) => createSource(tx, caller, { name: 'Site', inboxId }))
    const chat = await openChat(app, source.id)
    const { token } = await chat.visitor()
    const { conversationId } = (await chat.start(token)).body
    await archive(inboxId)
    const refused = await chat.start(token)
    expect([refused.status, refused.body.message]).toEqual([409, 'the inbox is archived: nothing new begins there'])
    expect((await chat.write(token, conversationId, { text: 'Still there?' })).status).toBe(201)
    const another = acme.perform((tx, caller) => createSource(tx, caller, { name: 'Other', inboxId }))
    expect(await refusalOf(another)).toContain('archived')
    await archive()
    const settings = acme.perform((tx, caller) =>
      changeChatSettings(tx, caller, source.id, { emailInboxId: mailbox.id }),
    )
    expect(await refusalOf(settings)).toContain('emailInboxId: the inbox is archived')
  })

  test('quarantines what reaches it by another way, and opens no ticket', async () => {
    await archive()
    expect(await mailbox.deliver()).toMatchObject({ outcome: 'quarantined', ticketId: null })
    expect((await acme.get('/v1/tickets')).body.items).toEqual([])
  })
})

describe('deleting an inbox', () => {
  test('frees its address, and takes what it was told of mails along', async () => {
    // A machine's answer that became nothing.
    const ours = mailbox.address
    expect(await mailbox.deliver({ from: `Us <${ours}>` })).toMatchObject({ outcome: 'ignored' })
    await remove()
    expect([await findInbox(app.database.db, acme.tenantId, mailbox.id), await takes(ours)]).toEqual([null, false])
    expect((await createEmailInbox(acme, { emailAddress: ours })).emailAddress).toBe(ours)
    expect((await audited()).at(-1)).toEqual(['inbox.deleted', null])
  })

  test('is refused while it has tickets or quarantined mails', async () => {
    await mailbox.deliver()
    expect(await refusalOf(remove())).toContain('archive it instead')
    const other = await createMailbox(app, acme)
    expect(await other.deliver({ headers: { From: null } })).toMatchObject({ outcome: 'quarantined' })
    expect(await refusalOf(remove(other.id))).toContain('archive it instead')
  })

  test('is refused while a live chat uses it', async () => {
    const { id: inboxId } = await createChatInbox(acme)
    const { id } = await acme.perform((tx, caller) => createSource(tx, caller, { name: 'Site', inboxId }))
    await acme.perform((tx, caller) => changeChatSettings(tx, caller, id, { emailInboxId: mailbox.id }))
    for (const used of [inboxId, mailbox.id]) expect(await refusalOf(remove(used))).toContain('a live chat uses')
  })
})
