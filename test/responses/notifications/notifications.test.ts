import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { notifications } from '../../../src/db/schema.ts'
import { publishForm, trashForm } from '../../../src/forms/publishing.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { createInbox } from '../../../src/inboxes/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { begin, complete, createPublished, resume, type TestForm } from '../../support/forms/collecting.ts'
import { respondent } from '../../support/forms/hosted.ts'
import { createMailbox } from '../../support/mail/mails.ts'
import { answerTo, headerOf, reportOf } from '../../support/mail/returned.ts'
import { type MailServer, refusal, startMailServer } from '../../support/mail/server.ts'

const MINUTE = 60_000

let server: MailServer
let app: TestApp
let acme: TestTenant
let form: TestForm
/** How the server answers a recipient; undefined takes the mail. */
let answer: Error | undefined

beforeEach(async () => {
  answer = undefined
  server = await startMailServer({ onRcptTo: (_address, _session, done) => done(answer) })
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: server.url, FRONTDESK_BASE_URL: 'https://desk.acme.test' },
  })
  acme = await app.createTenant('Acme & Sons')
  form = await createPublished(acme, [{ type: 'nps', text: '<b>Likely?</b>' }, { type: 'textbox' }], 'Survey <1>')
  await notify('ada@acme.test')
})
afterEach(async () => {
  await app.close()
  await server.close()
})

const notify = (...addresses: string[]) =>
  acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { notify: addresses }))
const waiting = () => app.database.db.select().from(notifications)
async function pass(minutes: number) {
  app.clock.advance(minutes * MINUTE)
  await app.runDue()
}

describe('a complete response', () => {
  test('is told to each address, with the answers as text and HTML and a link', async () => {
    await notify('ada@acme.test', 'bob@acme.test')
    const { response } = await complete(acme, form, [9, 'Nice & <i>quick</i>\nthanks'])
    expect(server.mails).toEqual([])
    await app.runDue()
    expect(server.mails.map(({ envelope }) => envelope.to).toSorted()).toEqual([['ada@acme.test'], ['bob@acme.test']])
    const [mail] = server.mails
    expect(mail).toMatchObject({
      subject: 'New response: Survey <1>',
      from: { name: 'Acme & Sons', address: 'no-reply@desk.acme.test' },
    })
    expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
    const link = `https://desk.acme.test/console/responses/${response.id}`
    expect(mail?.text).toContain(`Likely?\n  9\n\nQuestion 2\n  Nice & <i>quick</i>\n  thanks\n\nOpen it: ${link}`)
    expect(mail?.html).toContain('<strong>Likely?</strong>')
    expect(mail?.html).toContain('Nice &amp; &lt;i&gt;quick&lt;/i&gt;<br />thanks')
    expect(mail?.html).toContain(`<a href="${link}">`)
    expect(await waiting()).toEqual([])
  })

  test('that is partial tells nobody until it is complete, and then once', async () => {
    const begun = await begin(acme, form, [9])
    await app.runDue()
    expect(server.mails).toEqual([])
    await resume(acme, form, begun, [], true)
    await app.runDue()
    await app.runDue()
    expect(server.mails).toHaveLength(1)
  })

  test('of a form without addresses, or that is in the trash by then, tells nobody', async () => {
    await complete(acme, form, [9])
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    const other = await createPublished(acme, [{ type: 'nps' }])
    await complete(acme, other, [9])
    await app.runDue()
    expect([server.mails, await waiting()]).toEqual([[], []])
  })

  test('comes from an address that nobody reads, whatever inboxes there are', async () => {
    for (const emailAddress of ['help@acme.test', 'sales@acme.test']) {
      app.clock.advance(1)
      await acme.perform((tx, caller) => createInbox(tx, caller, { name: 'Desk', channel: 'email', emailAddress }))
    }
    await complete(acme, form, [9])
    await app.runDue()
    expect(server.mails[0]?.from?.address).toBe('no-reply@desk.acme.test')
    expect(server.mails[0]?.envelope.from).toBe('no-reply@desk.acme.test')
  })

  test('shows its hidden fields', async () => {
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden: ['campaign'] }))
    const body = { answers: [], complete: true, hiddenFields: { campaign: '<b>spring</b>' } }
    await app.request('POST', `/f/${form.launchCode}/responses`, { body })
    await app.runDue()
    expect(server.mails[0]?.text).toContain('campaign: <b>spring</b>')
    expect(server.mails[0]?.html).toContain('campaign: &lt;b&gt;spring&lt;/b&gt;')
  })

  test('asks as the respondent was asked, with the answers that a question names, and shows what was computed', async () => {
    const { body } = await acme.post('/v1/forms', {
      title: 'Why',
      active: true,
      questions: [
        { type: 'nps', friendlyId: 'RATE' },
        { type: 'textbox', text: 'Why <b>{RATE}</b>, {hidden.plan}, {DOUBLE}? {NONE}', friendlyId: 'WHY' },
        { type: 'binary', text: 'Is it “{WHY}”?' },
      ],
      variables: [{ name: 'DOUBLE', formula: '{RATE} * 2' }],
    })
    await acme.perform((tx, caller) => publishForm(tx, caller, body.id))
    const [rate, why, sure] = body.pages[0].questions.map(({ id }: { id: number }) => id)
    form = { id: body.id, launchCode: body.launchCode, title: 'Why', questionIds: [rate, why, sure] }
    await notify('ada@acme.test')
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden: ['plan'] }))
    const answers = [
      { questionId: rate, value: 9 },
      { questionId: why, value: '<i>Slow</i> {RATE}' },
      { questionId: sure, value: true },
    ]
    const sent = { answers, complete: true, hiddenFields: { plan: 'pro & more' } }
    await app.request('POST', `/f/${form.launchCode}/responses`, { body: sent })
    await app.runDue()
    const [mail] = server.mails
    expect(mail?.text).toContain('Why 9, pro & more, 18? {NONE}\n  <i>Slow</i> {RATE}')
    expect(mail?.text).toContain('Is it “<i>Slow</i> {RATE}”?\n  Yes')
    expect(mail?.text).toContain('plan: pro & more\nDOUBLE: 18\n')
    expect(mail?.html).toContain('<strong>Why 9, pro &amp; more, 18? {NONE}</strong>')
    expect(mail?.html).toContain('<strong>Is it “&lt;i&gt;Slow&lt;/i&gt; {RATE}”?</strong>')
    const [response] = (await acme.get(`/v1/forms/${form.id}/responses`)).body.items
    expect(response.answers[1].questionText).toBe('Why <b>{RATE}</b>, {hidden.plan}, {DOUBLE}? {NONE}')
  })
})

describe('a mail about a response', () => {
  test('that came back, or that a machine answers, opens no ticket; the log tells of the first', async () => {
    await complete(acme, form, [9])
    await app.runDue()
    const { raw = '' } = server.mails[0] ?? {}
    const inbox = await createMailbox(app, acme)
    const taken = [reportOf(raw), reportOf(raw, { action: 'delayed' })].map((report) => inbox.receive(report))
    expect((await Promise.all(taken)).map(({ outcome }) => outcome)).toEqual(['bounce', 'bounce'])
    for (const headers of [{ 'Auto-Submitted': 'auto-replied' }, { Subject: 'Out of office' }] as const) {
      const answer = answerTo(raw, true, { ...headers, To: inbox.address, 'In-Reply-To': headerOf(raw, 'Message-ID') })
      expect(await inbox.receive(answer)).toMatchObject({ outcome: 'ignored' })
    }
    // An inbox that is told of responses is no customer.
    expect(await inbox.receive(Buffer.from(raw))).toMatchObject({ outcome: 'ignored' })
    expect((await acme.get('/v1/tickets')).body.items).toEqual([])
    const told = app.logged.filter((line) => line.includes('a mail about a response came back'))
    expect(told).toHaveLength(1)
    expect(told[0]).toContain('550 5.1.1 User unknown')
  })

  test('that a person answers is a mail like any other', async () => {
    await complete(acme, form, [9])
    await app.runDue()
    const { raw = '' } = server.mails[0] ?? {}
    const inbox = await createMailbox(app, acme)
    const answer = answerTo(raw, true, { 'In-Reply-To': headerOf(raw, 'Message-ID') }, 'Who is this?')
    expect(await inbox.receive(answer)).toMatchObject({ outcome: 'created' })
  })
})

test('nothing in a title, an answer or a tenant’s name can add headers or recipients', async () => {
  const hostile = 'Hi\r\nBcc: evil@evil.test\r\n\r\n<script>alert(1)</script>'
  acme = await app.createTenant(hostile)
  form = await createPublished(acme, [{ type: 'textbox', text: hostile }], hostile)
  await notify('ada@acme.test')
  await complete(acme, form, [hostile])
  await app.runDue()
  const [mail] = server.mails
  expect(mail?.envelope.to).toEqual(['ada@acme.test'])
  expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc')
  expect(mail?.html).not.toContain('<script>')
})

describe('a mail that cannot be sent', () => {
  test('never bothers the respondent, and is tried again until it can', async () => {
    answer = refusal(451, 'Try later')
    expect((await respondent(app, form).begin([9], true)).status).toBe(201)
    await app.runDue()
    expect(await waiting()).toMatchObject([{ attempts: 1, error: expect.stringContaining('Try later') }])
    await pass(0.9)
    expect(await waiting()).toMatchObject([{ attempts: 1 }])
    await pass(0.1)
    expect(await waiting()).toMatchObject([{ attempts: 2 }])
    answer = undefined
    await pass(5)
    expect([server.mails.length, await waiting()]).toEqual([1, []])
    expect(app.logged.join()).not.toContain('a notification could not')
  })

  test('is given up after six attempts, which the log says, and forgotten after 30 days', async () => {
    answer = refusal(451, 'Try later')
    await complete(acme, form, [9])
    await app.runDue()
    for (const minutes of [1, 5, 30, 120, 360]) await pass(minutes)
    expect(await waiting()).toMatchObject([{ attempts: 6, dueAt: null, error: expect.stringContaining('Try later') }])
    expect(app.logged.filter((line) => line.includes('a notification could not be sent'))).toHaveLength(1)
    await pass(24 * 60)
    expect(await waiting()).toMatchObject([{ attempts: 6 }])
    await pass(30 * 24 * 60)
    expect(await waiting()).toEqual([])
  })

  test('because the address is refused for good is not tried again', async () => {
    answer = refusal(550, 'No such user')
    await complete(acme, form, [9])
    await app.runDue()
    expect(await waiting()).toMatchObject([{ attempts: 1, dueAt: null }])
  })

  test('because the process died in the middle is tried again', async () => {
    await complete(acme, form, [9])
    // As one that was taken and never settled leaves it.
    await acme.perform((tx) =>
      tx.update(notifications).set({ attempts: 1, dueAt: new Date(app.clock.now() + 2 * MINUTE).toISOString() }),
    )
    await app.runDue()
    expect(server.mails).toEqual([])
    await pass(2)
    expect([server.mails.length, await waiting()]).toEqual([1, []])
  })
})

test('many are sent, each once, a few at a time', async () => {
  for (let i = 0; i < 25; i++) await complete(acme, form, [i % 11])
  await app.runDue()
  expect(server.mails).toHaveLength(25)
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(25)
  expect(await waiting()).toEqual([])
})

test('without a mail server they become files of the outbox', async () => {
  const plain = await startApp()
  acme = await plain.createTenant()
  form = await createPublished(acme, [{ type: 'nps', text: 'Likely?' }])
  await notify('ada@acme.test')
  await complete(acme, form, [9])
  await plain.runDue()
  const [name] = readdirSync(join(plain.dataDir, 'outbox'))
  const mail = await PostalMime.parse(await Bun.file(join(plain.dataDir, 'outbox', name as string)).text())
  expect(mail).toMatchObject({ subject: 'New response: Survey', to: [{ address: 'ada@acme.test' }] })
  expect(mail.from?.address).toBe('no-reply@localhost')
  await plain.close()
})
