import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { saveDraft } from '../../../src/forms/drafts.ts'
import { closeForm, publishForm } from '../../../src/forms/publishing.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../../src/forms/settings/read.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { createTestUpload, respondent } from '../../support/forms/hosted.ts'
import { translate } from '../../support/forms/translated.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'

const DAY = 24 * 60 * 60_000

let server: MailServer
let app: TestApp
let acme: TestTenant
let form: TestForm
let visitor: ReturnType<typeof respondent>

beforeAll(async () => {
  server = await startMailServer()
  app = await startApp({
    environment: {
      FRONTDESK_SMTP_URL: server.url,
      FRONTDESK_BASE_URL: 'https://desk.acme.test',
      FRONTDESK_PUBLIC_RATE_LIMIT: '100000',
    },
  })
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  // What an earlier test asked for.
  await app.runDue()
  server.mails.length = 0
  acme = await app.createTenant('Acme & Sons')
  form = await createPublished(acme, questions, 'Survey <1>')
  visitor = respondent(app, form)
  await settings({ later: true })
})

const questions = [
  { type: 'textbox', text: 'Your <b>name</b>' },
  { type: 'nps', text: 'Likely?', required: true },
]
const settings = (changes: SettingsChanges, { id } = form) =>
  acme.perform((tx, caller) => changeSettings(tx, caller, id, changes))
const begin = async () => (await visitor.begin(['Ada'])).body as { id: string; resumeToken: string }
const ask = (begun: { id: string; resumeToken: string }, email: unknown = ' Ada@Customer.test ', more: object = {}) =>
  app.request('POST', `${visitor.path}/responses/${begun.id}/later`, {
    body: { resumeToken: begun.resumeToken, email, ...more },
  })
const linkIn = (text = '') => /https:\/\/desk\.acme\.test(\/f\/\S+)/.exec(text)?.[1] ?? ''
async function link(begun: { id: string; resumeToken: string }): Promise<string> {
  expect((await ask(begun)).status).toBe(202)
  await app.runDue()
  return linkIn(server.mails.at(-1)?.text)
}
const tokenIn = (path: string) => new URLSearchParams(path.split('?')[1]).get('later') as string
const linkedIn = (html: string) => {
  const json = /data-linked="([^"]*)"/.exec(html)?.[1]
  return json ? JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) : null
}
const open = async (path: string) => linkedIn((await app.request('GET', path)).text)

describe('a link to go on later', () => {
  test('is mailed in the form’s language, and its page has the answers', async () => {
    await settings({ language: 'de' })
    const begun = await begin()
    const asked = await ask(begun)
    expect([asked.status, asked.body, server.mails]).toEqual([202, { status: 'sending' }, []])
    await app.runDue()
    await app.runDue()
    expect(server.mails).toHaveLength(1)
    const [mail] = server.mails
    expect(mail).toMatchObject({
      subject: 'Weitermachen: Survey <1>',
      from: { name: 'Acme & Sons', address: 'no-reply@desk.acme.test' },
      envelope: { to: ['ada@customer.test'] },
    })
    expect(mail?.html).toContain('<div lang="de" dir="ltr">')
    expect(mail?.html).toContain('„Survey &lt;1&gt;“ von Acme &amp; Sons')
    const path = linkIn(mail?.text)
    const until = new Intl.DateTimeFormat('de', { dateStyle: 'long' }).format(app.clock.now() + 30 * DAY)
    expect(mail?.text).toContain(`bis zum ${until}`)
    const resumeToken = tokenIn(path)
    const name = `q${form.questionIds[0]}-input`
    expect(await open(path)).toEqual({
      memory: { response: { id: begun.id, resumeToken }, page: 0, step: 0, inputs: { [name]: 'Ada' } },
    })
  })

  test('goes on with the response, beside who began it, until it is complete', async () => {
    const begun = await begin()
    const path = await link(begun)
    const linked = { id: begun.id, resumeToken: tokenIn(path) }
    const saved = await visitor.resume(linked, ['Ada Lovelace'])
    expect([saved.status, saved.body]).toEqual([200, { ...linked, status: 'partial', thanks: null, redirect: null }])
    expect((await visitor.resume(begun, ['Ada L.'])).status).toBe(200)
    expect((await visitor.resume(linked, ['Ada L.', 9], true)).body.status).toBe('complete')
    expect(await open(path)).toEqual({ kind: 'sent' })
    expect((await ask(begun)).status).toBe(409)
    expect((await acme.get(`/v1/forms/${form.id}/responses`)).body.items).toHaveLength(1)
  })

  test('cannot be forged, nor used for another response, form or tenant', async () => {
    const begun = await begin()
    const other = await begin()
    const path = await link(begun)
    const token = tokenIn(path)
    const [id = '', until = '', proof = ''] = token.split('.')
    const later = (Number.parseInt(until, 36) + DAY).toString(36)
    const forged = [
      `${other.id}.${until}.${proof}`,
      `${id}.${later}.${proof}`,
      `${id}.${until}.${'A'.repeat(22)}`,
      `${id}.${until}`,
      id,
      '',
      'x'.repeat(200),
      `${id}.-1.${proof}`,
    ]
    for (const resumeToken of forged) {
      expect((await visitor.resume({ id, resumeToken }, ['Eve'])).status).toBe(404)
      expect(await open(`${visitor.path}?later=${encodeURIComponent(resumeToken)}`)).toEqual({ kind: 'over' })
    }
    expect((await visitor.resume({ id: other.id, resumeToken: token }, ['Eve'])).status).toBe(404)
    const beside = await createPublished(acme, questions)
    expect((await respondent(app, beside).resume({ id, resumeToken: token }, ['Eve'])).status).toBe(404)
    expect(await open(`/f/${beside.launchCode}?later=${token}`)).toEqual({ kind: 'over' })
    const answers = (await acme.get(`/v1/forms/${form.id}/responses?status=all`)).body.items
    expect(JSON.stringify(answers)).not.toContain('"Eve"')
  })

  test('works for 30 days', async () => {
    const begun = await begin()
    const path = await link(begun)
    app.clock.advance(30 * DAY - 1)
    expect(await open(path)).toMatchObject({ memory: { response: { id: begun.id } } })
    app.clock.advance(2)
    expect(await open(path)).toEqual({ kind: 'over' })
    expect((await visitor.resume({ id: begun.id, resumeToken: tokenIn(path) }, ['Ada'])).status).toBe(404)
  })

  test('speaks the language of the form that the respondent reads', async () => {
    await translate(acme, form, 'de', { title: 'Umfrage', [`q${form.questionIds[0]}.text`]: 'Ihr Name' })
    const { body } = await app.request('POST', `${visitor.path}/responses`, {
      body: { answers: [], complete: false, language: 'de' },
    })
    const path = await link(body)
    expect(server.mails.at(-1)?.subject).toBe('Weitermachen: Umfrage')
    expect(server.mails.at(-1)?.text).toContain('„Umfrage“')
    const { text } = await app.request('GET', path, { headers: { 'accept-language': 'en' } })
    expect([text.includes('<html lang="de"'), text.includes('Ihr Name')]).toEqual([true, true])
    expect(linkedIn(text)).toMatchObject({ memory: { response: { id: body.id } } })
  })

  test('asks what was asked when the response was begun', async () => {
    const path = await link(await begin())
    await acme.perform(async (tx, caller) => {
      await saveDraft(tx, caller, form.id, { title: 'Survey', pages: [{ questions: [{ type: 'nps', text: 'New?' }] }] })
      await publishForm(tx, caller, form.id)
    })
    const { text } = await app.request('GET', path)
    expect([text.includes('Your <b>name</b>'), text.includes('New?')]).toEqual([true, false])
    expect((await app.request('GET', visitor.path)).text).toContain('New?')
    expect(linkedIn(text)).toMatchObject({ memory: { inputs: { [`q${form.questionIds[0]}-input`]: 'Ada' } } })
  })

  test('is refused where it does not belong, and nothing is mailed', async () => {
    const begun = await begin()
    const refused = async (...asked: Parameters<typeof ask>) => {
      const { status, body } = await ask(...asked)
      return [status, body?.message]
    }
    expect(await refused(begun, 'ada@')).toEqual([400, 'email: must be an email address'])
    expect(await refused(begun, 5)).toEqual([400, 'email: must be a string'])
    expect((await refused(begun, 'ada@customer.test', { extra: 1 }))[0]).toBe(400)
    expect((await refused({ ...begun, resumeToken: 'wrong' }))[0]).toBe(404)
    expect((await refused({ ...begun, id: 'r_none' }))[0]).toBe(404)
    await settings({ later: false })
    expect(await refused(begun)).toEqual([422, 'this form offers no link to go on with later'])
    expect((await app.request('GET', visitor.path)).text).not.toContain('go-on-later')
    await settings({ later: true })
    await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
    expect((await refused(begun))[0]).toBe(404)
    await app.runDue()
    expect(server.mails).toEqual([])
  })

  test('is mailed to one address at most five times a day', async () => {
    const begun = await begin()
    for (let count = 0; count < 5; count += 1) expect((await ask(begun)).status).toBe(202)
    const enough = await ask(await begin(), 'ADA@customer.test')
    expect([enough.status, enough.headers.get('retry-after')]).toEqual([429, String(DAY / 1000)])
    expect((await ask(begun, 'bob@customer.test')).status).toBe(202)
    await app.runDue()
    expect(server.mails).toHaveLength(6)
    app.clock.advance(DAY)
    expect((await ask(begun)).status).toBe(202)
  })
})

describe('a copy of the answers', () => {
  const contact = { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] }

  beforeEach(async () => {
    form = await createPublished(acme, [...questions, contact, contact], 'Survey <1>')
    visitor = respondent(app, form)
  })

  test('is mailed to the first address among the contact details, where the setting says so', async () => {
    await settings({ copy: true })
    await visitor.begin(['Ada & <i>co</i>', 9, null, { email: 'Ada@Customer.test' }], true)
    await app.runDue()
    await app.runDue()
    expect(server.mails).toHaveLength(1)
    const [mail] = server.mails
    expect(mail).toMatchObject({ subject: 'Your answers: Survey <1>', envelope: { to: ['ada@customer.test'] } })
    expect(mail?.text).toContain('Your name\n  Ada & <i>co</i>\n\nLikely?\n  9')
    expect(mail?.html).toContain('<blockquote><p>Ada &amp; &lt;i&gt;co&lt;/i&gt;</p></blockquote>')
    // Where the tenant's people read it is not for respondents.
    expect(`${mail?.text}${mail?.html}`).not.toContain('/console')
  })

  test('asks in the language that the respondent read', async () => {
    await settings({ copy: true })
    const [name, , first] = form.questionIds
    await translate(acme, form, 'de', { title: 'Umfrage', [`q${name}.text`]: 'Ihr Name' })
    const given = [
      [name, 'Ada'],
      [form.questionIds[1], 9],
      [first, { email: 'ada@customer.test' }],
    ]
    const answers = given.map(([questionId, value]) => ({ questionId, value }))
    const sent = await app.request('POST', `${visitor.path}/responses`, {
      body: { answers, complete: true, language: 'de' },
    })
    expect(sent.status).toBe(201)
    await app.runDue()
    expect(server.mails[0]?.subject).toBe('Ihre Antworten: Umfrage')
    expect(server.mails[0]?.text).toContain('Ihr Name\n  Ada\n\nLikely?\n  9')
  })

  test('has labels of answers and of fields in the language that the respondent read, and answers in questions', async () => {
    const asked = [
      { type: 'choose_any', text: 'Which?', options: ['Red', 'Blue'], otherText: 'Another', friendlyId: 'COLOUR' },
      { type: 'ranking', text: 'Order', rankOptions: ['Price', 'Quality'] },
      { type: 'matrix', text: 'How?', rowHeadings: ['Speed'], columnHeadings: ['Poor', 'Good'] },
      { type: 'likert', text: 'Say', scales: [{ text: 'Cold', opposingText: 'Hot' }] },
      { type: 'binary', text: 'Sure of {COLOUR}?' },
      contact,
    ]
    form = await createPublished(acme, asked, 'Survey')
    visitor = respondent(app, form)
    await settings({ copy: true })
    const [colour, order, how, say] = form.questionIds
    await translate(acme, form, 'de', {
      [`q${colour}.options[1]`]: 'Blau',
      [`q${order}.rankOptions[0]`]: 'Preis',
      [`q${how}.rowHeadings[0]`]: 'Tempo',
      [`q${how}.columnHeadings[1]`]: 'Gut',
      [`q${say}.scales[0].text`]: 'Kalt',
    })
    const given = [
      { selected: ['Red', 'Blue'], other: 'Pink' },
      ['Quality', 'Price'],
      [{ row: 0, column: 1 }],
      [{ scale: 0, value: 4 }],
      true,
      { email: 'ada@customer.test' },
    ]
    const answers = given.map((value, index) => ({ questionId: form.questionIds[index], value }))
    const body = { answers, complete: true, language: 'de' }
    expect((await app.request('POST', `${visitor.path}/responses`, { body })).status).toBe(201)
    await app.runDue()
    const { text = '' } = server.mails[0] ?? {}
    expect(text).toContain('Which?\n  Red, Blau, Pink\n')
    expect(text).toContain('Order\n  1. Quality\n  2. Preis\n')
    expect(text).toContain('How?\n  Tempo: Gut\n')
    expect(text).toContain('Say\n  Kalt – Hot: 4\n')
    expect(text).toContain('Sure of Red, Blau, Pink?\n  Ja\n')
    expect(text).toContain('Frage 6\n  E-Mail-Adresse: ada@customer.test')
  })

  test.each([
    ['en', 'March 5, 2026', '1.5', 'Signed', '€12.00 (not paid yet)'],
    ['de', '5. März 2026', '1,5', 'Unterschrieben', '12,00 € (noch nicht bezahlt)'],
    ['ja', '2026年3月5日', '1.5', '署名済み', '€12.00（未払い）'],
    ['ar', '5 مارس 2026', '1.5', 'تم التوقيع', 'لم يُدفع بعد'],
  ])('says dates, numbers, signatures and payments as %s does', async (language, date, number, signed, paid) => {
    const asked = [
      { type: 'date', text: 'When?' },
      { type: 'numeric', text: 'How many?' },
      { type: 'signature', text: 'Sign' },
      { type: 'payment', text: 'Fee', amount: 1200, currency: 'EUR' },
      contact,
    ]
    form = await createPublished(acme, asked, 'Survey')
    visitor = respondent(app, form)
    await settings({ copy: true, language })
    const uploadId = await createTestUpload(acme, form)
    const given = ['2026-03-05', 1.5, { uploadId }, {}, { email: 'ada@customer.test' }]
    const { status } = await visitor.begin(given, true)
    expect(status).toBe(201)
    await app.runDue()
    const text = (server.mails[0]?.text ?? '').replace(/[\u00a0\u202f]/g, ' ')
    expect(text).toContain(`When?\n  ${date}\n`)
    expect(text).toContain(`How many?\n  ${number}\n`)
    expect(text).toContain(`Sign\n  ${signed}\n`)
    expect(text).toContain(paid)
    if (language !== 'en') expect(text).not.toMatch(/Signed|paid|pending/)
  })

  test('is mailed to nobody before the end, without the setting or without an address', async () => {
    await visitor.begin(['Ada', 9, { email: 'ada@customer.test' }], true)
    await settings({ copy: true })
    await visitor.begin(['Ada', 9], true)
    await visitor.begin(['Ada', 9, { email: 'ada@customer.test' }])
    await app.runDue()
    expect(server.mails).toEqual([])
  })

  test('is mailed to one address at most five times a day, and every response counts', async () => {
    await settings({ copy: true })
    for (let count = 0; count < 7; count += 1) {
      const { status } = await visitor.begin(['Ada', 9, { email: 'ada@customer.test' }], true)
      expect(status).toBe(201)
    }
    await app.runDue()
    await app.runDue()
    expect(server.mails).toHaveLength(5)
    expect((await acme.get(`/v1/forms/${form.id}/responses`)).body.items).toHaveLength(7)
  })
})
