import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { trashForm } from '../../src/forms/publishing.ts'
import { getTenantSettings, updateTenant } from '../../src/tenants/operations.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { changeBillable } from '../../src/users/changes.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { answersTo } from '../support/forms/collecting.ts'
import { createMailbox } from '../support/mail/mails.ts'
import { type MailServer, startMailServer } from '../support/mail/server.ts'
import { type ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { fieldsIn } from '../support/pages/page-fields.ts'

/* A tenant that has no form yet begins to ask customers how content they were, from the report or from the ready-made rule. */

const REPORTS = '/console/reports'
const NEW = '/console/settings/rules/new'
const READY = `${NEW}?from=ask_when_closed`

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let admin: ConsoleBrowser
beforeAll(async () => {
  mailServer = await startMailServer()
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const forms = async () => (await acme.get('/v1/forms')).body.items
/** Sends the ready-made rule's form as it is shown, by one of its buttons. */
const send = async (step: string) => admin.post(NEW, { ...(await fieldsIn((await admin.get(READY)).text)), step })
const chosenForm = async () => (await fieldsIn((await admin.get(READY)).text))['then.0.form'] ?? ''

test('two clicks from the report on, closed tickets send the form, and what it says is in thread and report', async () => {
  await acme.perform(async (tx, caller) => {
    await updateTenant(tx, caller, { ...(await getTenantSettings(tx, acme.tenantId)), language: 'de' })
  })
  const mailbox = await createMailbox(app, acme)
  await mailbox.deliver({ from: 'Ada <ada@customer.test>', subject: 'Wo ist es?' })
  await app.runDue()
  const [ticket] = (await acme.get('/v1/tickets')).body.items
  const [, link = ''] =
    /<a class="secondary" href="([^"]*)">Nachfragen, wenn ein Ticket geschlossen ist/.exec(
      (await admin.get(REPORTS)).text,
    ) ?? []
  expect(link).toBe(READY)
  expect(await forms()).toEqual([])
  const answer = await send('on')
  expect(answer.status).toBe(303)
  expect((await admin.follow(answer)).text).toContain('ist angelegt und an.')
  expect((await admin.get(REPORTS)).text).not.toContain(READY)

  const [form] = await forms()
  expect(form).toMatchObject({ title: 'Wie zufrieden waren Sie?', status: 'active' })
  const { launchCode, pages } = (await acme.get(`/v1/forms/${form.id}`)).body
  mailServer.mails.length = 0
  await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: 'closed' }))
  await app.runDue()
  const [mail, ...others] = mailServer.mails
  expect([mail?.envelope.to, others]).toEqual([['ada@customer.test'], []])
  const address = new URL(/https?:\/\/\S+\/f\/\S+/.exec(mail?.text ?? '')?.[0] ?? '')
  expect(address.pathname).toBe(`/f/${launchCode}`)
  const { status, text } = await app.request('GET', address.pathname + address.search)
  expect(status).toBe(200)
  expect(text).toContain('Waren Sie mit unserer Hilfe zufrieden?')
  const questionIds = pages[0].questions.map(({ id }: { id: number }) => id)
  const collected = await app.request('POST', `${address.pathname}/responses`, {
    body: {
      answers: answersTo({ ...form, launchCode, questionIds }, [false, 'Zu <b>langsam</b>']),
      complete: true,
      hiddenFields: { ticket_token: address.searchParams.get('ticket_token') },
    },
  })
  expect(collected.status).toBe(201)
  await app.runDue()
  for (const path of [`/console/tickets/${ticket.id}`, REPORTS]) {
    expect((await admin.get(path)).text).toContain('Zu &lt;b&gt;langsam&lt;/b&gt;')
  }
  expect((await admin.get(REPORTS)).text).toMatch(/<h2>Zufriedenheit<\/h2><p class="big">0\s%<\/p>/)
})

test('the form is made once the rule is kept: looking at it and trying it make nothing', async () => {
  expect(await chosenForm()).toBe('ready-made')
  expect((await send('try')).status).toBe(200)
  expect(await forms()).toEqual([])
  expect((await send('keep')).status).toBe(303)
  expect(await forms()).toHaveLength(1)
})

test('a second rule asks by the form that is there, and none is made beside it', async () => {
  await send('keep')
  const [form] = await forms()
  expect(await chosenForm()).toBe(form.id)
  // Somebody else had the page open since before.
  await admin.post(NEW, {
    ...(await fieldsIn((await admin.get(READY)).text)),
    'then.0.form': 'ready-made',
    step: 'keep',
  })
  expect((await forms()).map(({ id }: { id: string }) => id)).toEqual([form.id])
})

test('one that was thrown away comes back by itself nowhere: it is offered, and made where somebody wants it', async () => {
  await send('on')
  const [form] = await forms()
  await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
  await app.runDue()
  expect(await chosenForm()).toBe('ready-made')
  expect(await forms()).toEqual([])
})

test('where nobody can own forms, the rule is refused with what to do, and neither is made', async () => {
  await acme.perform(async (tx, caller) => changeBillable(tx, caller, acme.userId, false))
  const refused = await send('on')
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Nobody here can own forms. Let somebody own them under Users.')
  expect(refused.text).toContain('<option value="ready-made" selected>')
  expect(await forms()).toEqual([])
  expect((await admin.get('/console/settings/rules')).text).toContain('Nothing happens by itself yet.')
})

test('agents, who make no rules, are offered none', async () => {
  const agent = await signedIn(app, acme, 'agent')
  expect((await agent.get(REPORTS)).text).not.toContain(READY)
})
