import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { responses } from '../../../src/db/schema.ts'
import { getDraft } from '../../../src/forms/drafts.ts'
import type { FormQuestion } from '../../../src/forms/pages.ts'
import { type QuestionType, questionTypeNames } from '../../../src/forms/question-types/index.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { updateTenant } from '../../../src/tenants/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createPublished, createUnpublished, type TestForm } from '../../support/forms/collecting.ts'
import { png } from '../../support/forms/hosted.ts'
import { signedIn } from '../../support/pages/console.ts'
import { typedIn } from '../../support/pages/typed-fields.ts'

const HOSTILE = '"><script>alert(1)</script>'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let stranger: Awaited<ReturnType<typeof signedIn>>
let form: TestForm
let path: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  stranger = await signedIn(app, await app.createTenant('Other'), 'admin')
})
beforeEach(async () => {
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  await use(
    await createPublished(acme, [
      { type: 'nps', text: 'Likely?' },
      { type: 'textbox', text: 'Why?' },
    ]),
  )
})
afterAll(() => app.close())

async function use(other: TestForm): Promise<void> {
  form = other
  path = `/console/forms/${form.id}/build`
}
const draft = (id = form.id) => getDraft(app.database.db, acme.tenantId, id)
const questions = async () => (await draft()).pages.flatMap((page) => page.questions)
const outline = async () => (await draft()).pages.map((page) => page.questions.map(({ text }) => text).join(' '))
/** Presses a button of the page as it is now. */
async function press(action: string, fields: Record<string, string> = {}) {
  return agent.post(path, { do: action, version: String((await draft()).version), ...fields })
}
/** The fields of the form of what is worked on, as a browser would send them. */
async function fieldsOf(show: string, browser = agent): Promise<Record<string, string>> {
  const { text } = await browser.get(`${path}?show=${show}`)
  return typedIn(/<div data-editor>(.*?)<\/form>/s.exec(text)?.[1] ?? '')
}
const save = async (id: number, changes: Record<string, string | null>) => {
  const fields = { ...(await fieldsOf(`question-${id}`)), ...changes }
  const sent = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== null)
  return agent.post(`${path}/questions/${id}`, Object.fromEntries(sent))
}

/** What is typed into the form of each type, and what the API would have been sent. */
const typedByType: Record<QuestionType, { typed: Record<string, string | null>; sent: Record<string, unknown> }> = {
  choose_one: {
    typed: { options: 'Red\n\n  Blue ', otherText: 'Another' },
    sent: { options: ['Red', 'Blue'], otherText: 'Another' },
  },
  dropdown: { typed: { options: 'One\nTwo\nThree' }, sent: { options: ['One', 'Two', 'Three'] } },
  choose_any: {
    typed: { options: 'A\nB\nC', minSelections: '1', maxSelections: '2' },
    sent: { options: ['A', 'B', 'C'], minSelections: 1, maxSelections: 2 },
  },
  multi_dropdown: { typed: { options: 'A\nB', maxSelections: '1' }, sent: { options: ['A', 'B'], maxSelections: 1 } },
  likert: {
    typed: {
      'scales[0].text': '',
      'scales[0].opposingText': '',
      'scales[1].text': 'Low',
      'scales[1].opposingText': 'High',
      scaleEnd: '7',
    },
    sent: { scales: [{ text: 'Low', opposingText: 'High' }], scaleEnd: 7 },
  },
  likert_slider: {
    typed: { 'scales[1].text': 'Cold', 'scales[1].opposingText': 'Hot', scaleStart: '-5', scaleEnd: '5' },
    sent: {
      scales: [
        { text: 'Disagree', opposingText: 'Agree' },
        { text: 'Cold', opposingText: 'Hot' },
      ],
      scaleStart: -5,
      scaleEnd: 5,
    },
  },
  nps: { typed: {}, sent: {} },
  binary: {
    typed: { trueLabel: 'Sure', falseLabel: 'Never', icon: 'faces' },
    sent: { trueLabel: 'Sure', falseLabel: 'Never', icon: 'faces' },
  },
  star_rating: { typed: { maxStars: '7' }, sent: { maxStars: 7 } },
  textbox: { typed: { rows: '4', inputLimitation: 'email' }, sent: { rows: 4, inputLimitation: 'email' } },
  matrix: {
    typed: { rowHeadings: 'Speed\nPrice', columnHeadings: 'Bad\nGood', lastColumnIsNotWeighted: 'on' },
    sent: { rowHeadings: ['Speed', 'Price'], columnHeadings: ['Bad', 'Good'], lastColumnIsNotWeighted: true },
  },
  ranking: { typed: { rankOptions: 'Price\nQuiet' }, sent: { rankOptions: ['Price', 'Quiet'] } },
  contact_details: {
    typed: {
      'contactFields.last_name.visible': null,
      'contactFields.email.place': '1',
      'contactFields.city.visible': 'on',
      'contactFields.city.label': 'Town',
    },
    sent: {
      contactFields: [
        { field: 'email', label: null, visible: true },
        { field: 'first_name', label: null, visible: true },
        { field: 'last_name', label: null, visible: false },
        { field: 'city', label: 'Town', visible: true },
      ],
    },
  },
  date: { typed: { datePlaceholder: 'When', collectTime: 'on' }, sent: { datePlaceholder: 'When', collectTime: true } },
  date_range: {
    typed: { startDatePlaceholder: 'From', endDatePlaceholder: 'To' },
    sent: { startDatePlaceholder: 'From', endDatePlaceholder: 'To' },
  },
  numeric: { typed: {}, sent: {} },
  file_upload: {
    typed: { fileUploadSlots: 'CV\nLetter', maxFiles: '3' },
    sent: { fileUploadSlots: ['CV', 'Letter'], maxFiles: 3 },
  },
  signature: { typed: {}, sent: {} },
  payment: {
    typed: { amount: '12,5', currency: 'EUR', formula: '100 * 2' },
    sent: { amount: 1250, currency: 'EUR', formula: '100 * 2' },
  },
}

describe('every type of question', () => {
  test.each(questionTypeNames)('%s is added, changed and stored as the API would have', async (type) => {
    const { typed, sent } = typedByType[type]
    const added = await press(`add ${type}`)
    const id = (await questions()).at(-1)?.id as number
    expect([added.status, added.headers.get('location')]).toEqual([303, `${path}?show=question-${id}#pane`])
    expect((await questions()).at(-1)).toMatchObject({ id, type, text: '', required: false })
    const answer = await save(id, { ...typed, text: `<b>${type}</b>?`, required: 'on', friendlyId: 'IT_IS' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?show=question-${id}#pane`])
    const question = { type, text: `<b>${type}</b>?`, required: true, friendlyId: 'IT_IS', ...sent }
    const byApi = (await acme.post('/v1/forms', { title: 'By the API', questions: [question] })).body
    const { id: _, ...stored } = (await questions()).at(-1) as FormQuestion
    const { id: __, ...expected } = byApi.pages[0].questions[0]
    expect(stored).toEqual(expected)
    // What was saved is what its form shows: sent again, it changes nothing.
    const { version } = await draft()
    expect((await save(id, {})).status).toBe(303)
    expect((await draft()).version).toBe(version)
  })

  test('is offered, by name, in groups', async () => {
    const { text } = await agent.get(path)
    for (const type of questionTypeNames) expect(text.split(`value="add ${type}"`).length).toBe(2)
  })
})

test('contact fields keep their order however often one page is saved', async () => {
  await press('add contact_details')
  const id = (await questions()).at(-1)?.id as number
  const shown = await fieldsOf(`question-${id}`)
  const order = async () =>
    ((await questions()).at(-1) as unknown as { contactFields: { field: string }[] }).contactFields
      .map(({ field }) => field)
      .join(' ')
  const moved = { ...shown, 'contactFields.email.place': '1' }
  for (const label of ['Mail', 'Your mail']) {
    const again = { version: String((await draft()).version), 'contactFields.email.label': label }
    await agent.post(`${path}/questions/${id}`, { ...moved, ...again })
    expect(await order()).toBe('email first_name last_name')
  }
})

describe('the outline', () => {
  test('moves questions up and down, over the edges of pages, and to a page or a place', async () => {
    const [nps, why] = form.questionIds as [number, number]
    await press(`down ${nps}`)
    expect(await outline()).toEqual(['Why? Likely?'])
    await press('page-add')
    const [, page] = (await draft()).pages.map(({ id }) => id)
    await press(`down ${nps}`)
    expect(await outline()).toEqual(['Why?', 'Likely?'])
    await press(`down ${nps}`)
    await press(`up ${why}`)
    expect(await outline()).toEqual(['Why?', 'Likely?'])
    await press(`up ${nps}`)
    expect(await outline()).toEqual(['Why? Likely?', ''])
    await press(`move ${why}`, { page: String(page) })
    const dropped = await press(`move ${nps} ${page} 0`)
    expect(dropped.headers.get('location')).toEndWith(`#row-${nps}`)
    expect(await outline()).toEqual(['', 'Likely? Why?'])
    expect((await agent.follow(dropped)).text).toContain('Question moved')
  })

  test('adds questions where they are wanted, duplicates and deletes them', async () => {
    const [nps] = form.questionIds as [number]
    const behind = await press('add binary', { after: String(nps) })
    expect((await questions()).map(({ type }) => type)).toEqual(['nps', 'binary', 'textbox'])
    expect((await agent.follow(behind)).text).toContain('2. Yes or no')
    await press(`duplicate ${nps}`)
    await press(`remove ${form.questionIds[1]}`)
    expect((await questions()).map(({ type }) => type)).toEqual(['nps', 'nps', 'binary'])
    await press('page-add')
    const page = (await draft()).pages[1]?.id
    await press('add numeric', { page: String(page) })
    expect((await draft()).pages[1]?.questions.map(({ type }) => type)).toEqual(['numeric'])
  })

  test('adds, names, moves, duplicates and deletes pages', async () => {
    await press('page-add')
    const [first, second] = (await draft()).pages.map(({ id }) => id) as [number, number]
    const fields = await fieldsOf(`page-${second}`)
    await agent.post(`${path}/pages/${second}`, { ...fields, title: `<b>More</b>${HOSTILE}` })
    expect((await draft()).pages[1]?.title).toBe('<b>More</b>"&gt;')
    await press(`page-up ${second}`)
    expect((await draft()).pages.map(({ id }) => id)).toEqual([second, first])
    await press(`page-up ${second}`)
    await press(`page-duplicate ${first}`)
    expect((await outline()).length).toBe(3)
    await press(`page-remove ${first}`)
    expect(await outline()).toEqual(['', 'Likely? Why?'])
  })

  test('undoes and does again, and says what', async () => {
    await press(`remove ${form.questionIds[0]}`)
    expect((await agent.get(path)).text).toContain('Undo: Question deleted')
    const undone = await press('undo')
    expect((await agent.follow(undone)).text).toContain('Redo: Question deleted')
    expect(await outline()).toEqual(['Likely? Why?'])
    await press('redo')
    expect(await outline()).toEqual(['Why?'])
    expect((await press('redo')).status).toBe(409)
    await press('discard')
    expect((await draft()).isChanged).toBe(false)
  })

  test('shows text of strangers as text, and marks what is not published', async () => {
    const [nps] = form.questionIds as [number]
    await save(nps, { text: `&lt;i&gt; ${HOSTILE}` })
    await press('add signature')
    const { text } = await agent.get(path)
    expect(text).toContain('&lt;i&gt; &quot;&gt;')
    expect(text).not.toContain('<script>alert')
    expect(text).toMatch(/Net Promoter Score <span class="badge warn">changed/)
    expect(text).toMatch(/Signature <span class="badge accent">new/)
    expect(text).toContain('Unpublished changes')
    expect(text).not.toMatch(/ style=|<style/)
  })
})

describe('what breaks a rule', () => {
  /** What stands beside a field. */
  const beside = (text: string, field: string) =>
    new RegExp(`<p class="error" id="field-${field}-error">([^<]*)`).exec(text)?.[1]

  test.each([
    ['choose_one', { options: 'Red\n\nRed' }, 'options', 'Line 3: “Red” is listed twice.'],
    ['choose_one', { options: 'Red' }, 'options', 'There must be at least 2.'],
    ['choose_any', { minSelections: '3' }, 'minSelections', 'Must be from 0 to 2.'],
    [
      'choose_any',
      { minSelections: '2', maxSelections: '1' },
      'minSelections',
      'Must not be more than the most choices.',
    ],
    ['likert', { scaleEnd: 'ten' }, 'scaleEnd', 'Must be a whole number.'],
    ['likert', { scaleStart: '9' }, 'scaleStart', 'Must be less than the highest value.'],
    ['likert', { 'scales[1].text': 'Low' }, 'scales-1-opposingText', 'Must not be empty.'],
    ['star_rating', { maxStars: '11' }, 'maxStars', 'Must be from 1 to 10.'],
    ['binary', { trueLabel: 'x'.repeat(501) }, 'trueLabel', 'Must be at most 500 characters.'],
    ['numeric', { friendlyId: 'seats' }, 'friendlyId', 'Must be capital letters, digits'],
    ['payment', { formula: '{SEATS} *' }, 'formula', 'The formula can hold numbers'],
    ['payment', { formula: '{SEATS} * 2' }, 'formula', 'The formula needs a question with the name SEATS'],
    ['payment', { amount: '1.234', currency: 'EUR' }, 'amount', 'Must be an amount of the currency'],
  ] as const)('is told beside its field, with what was typed: %s', async (type, changes, field, said) => {
    await press(`add ${type}`)
    const before = await draft()
    const question = before.pages[0]?.questions.at(-1) as FormQuestion
    const answer = await save(question.id, { text: 'Kept?', ...(changes as Record<string, string>) })
    expect(answer.status).toBe(400)
    expect(beside(answer.text, field)).toStartWith(said)
    expect(answer.text).toContain(`${field}" aria-describedby=`)
    expect(answer.text).toContain('Kept?')
    for (const value of Object.values(changes)) expect(answer.text).toContain(value)
    expect(await draft()).toEqual(before)
  })

  test('in a list of contact fields is told at the list', async () => {
    await press('add contact_details')
    const id = (await questions()).at(-1)?.id as number
    const none = Object.fromEntries(
      ['first_name', 'last_name', 'email'].map((name) => [`contactFields.${name}.label`, 'x'.repeat(501)]),
    )
    const { status, text } = await save(id, none)
    expect([status, beside(text, 'contactFields-first_name-label')]).toEqual([400, 'Must be at most 500 characters.'])
  })

  test('of two questions is told at the one that was changed, or by naming the other', async () => {
    const [nps, why] = form.questionIds as [number, number]
    await save(nps, { friendlyId: 'LIKELY' })
    const taken = await save(why, { friendlyId: 'LIKELY' })
    expect([taken.status, beside(taken.text, 'friendlyId')]).toEqual([
      400,
      'Another question is called LIKELY already.',
    ])
    await press('add payment')
    const payment = (await questions()).at(-1)?.id as number
    await save(payment, { text: 'Pay', formula: '{LIKELY} * 2' })
    const renamed = await save(nps, { friendlyId: '' })
    expect(renamed.status).toBe(400)
    expect(renamed.text).toContain('“Pay” does not allow this: The formula needs a question with the name LIKELY')
    const removed = await press(`remove ${nps}`)
    expect(removed.status).toBe(400)
    expect(removed.text).toContain('Others depend on it: “Pay”.')
    expect((await questions()).length).toBe(3)
  })

  test('is refused of titles, pages and buttons too', async () => {
    const blank = await agent.post(`${path}/intro`, { ...(await fieldsOf('intro')), title: '' })
    expect([blank.status, beside(blank.text, 'title')]).toEqual([400, 'Must be 1 to 255 characters, and not blank.'])
    const only = await press(`page-remove ${(await draft()).pages[0]?.id}`)
    expect([only.status, only.text.includes('A form has at least one page.')]).toEqual([400, true])
    for (const action of ['', 'constructor', 'add', 'add constructor', 'add nothing']) {
      expect([action, (await press(action)).status]).toEqual([action, 400])
    }
    for (const action of ['remove x', 'up 999999', 'move 1', `move ${form.questionIds[0]} 999999`, 'page-up 7777777'])
      expect([action, (await press(action)).status]).toEqual([action, 404])
    expect((await press(`move ${form.questionIds[0]} ${(await draft()).pages[0]?.id} 9`)).status).toBe(400)
    expect((await draft()).version).toBe(0)
  })
})

describe('two people', () => {
  test('change two questions at once', async () => {
    const other = await signedIn(app, acme, 'admin')
    const [nps, why] = form.questionIds as [number, number]
    const theirs = await fieldsOf(`question-${why}`, other)
    await save(nps, { text: 'First' })
    const answer = await other.post(`${path}/questions/${why}`, { ...theirs, text: 'Second' })
    expect(answer.status).toBe(303)
    expect(await outline()).toEqual(['First Second'])
  })

  test('are told when they change the same one, and nothing of either is lost', async () => {
    const other = await signedIn(app, acme, 'admin')
    const [nps] = form.questionIds as [number]
    const theirs = await fieldsOf(`question-${nps}`, other)
    await save(nps, { text: 'Mine' })
    const told = await other.post(`${path}/questions/${nps}`, { ...theirs, text: 'Theirs' })
    expect(told.status).toBe(409)
    expect(told.text).toContain('Somebody else has changed this meanwhile.')
    expect(await outline()).toEqual(['Mine Why?'])
    const again = typedIn(/<div data-editor>(.*?)<\/form>/s.exec(told.text)?.[1] ?? '')
    expect(again.text).toBe('Theirs')
    expect((await other.post(`${path}/questions/${nps}`, again)).status).toBe(303)
    expect(await outline()).toEqual(['Theirs Why?'])
    await press('undo')
    expect(await outline()).toEqual(['Mine Why?'])
  })

  test('of whom one changed the title or the outline, the other is told before they do', async () => {
    const intro = await fieldsOf('intro')
    const { version } = await draft()
    await agent.post(`${path}/intro`, { ...intro, title: 'Mine' })
    expect((await agent.post(`${path}/intro`, { ...intro, title: 'Theirs' })).status).toBe(409)
    for (const action of ['add nps', `remove ${form.questionIds[0]}`, 'undo', 'publish', 'discard']) {
      const told = await press(action, { version: String(version) })
      expect([action, told.status]).toEqual([action, 409])
      expect(told.text).toContain('Somebody else has changed the form meanwhile, and nothing was done.')
    }
    expect((await draft()).title).toBe('Mine')
    expect(await outline()).toEqual(['Likely? Why?'])
  })
})

describe('publishing', () => {
  test('lists what changes, in plain words, and publishes what was listed', async () => {
    const [nps, why] = form.questionIds as [number, number]
    await save(nps, { text: 'How <b>likely</b>?', required: 'on' })
    await press(`remove ${why}`)
    await press('add signature')
    const { text } = await agent.get(`${path}?show=publish`)
    expect(text).toContain('Question changed: “How likely?” (Question, An answer is required)')
    expect(text).toContain('Question deleted: “Why?”. Answers that were given stay.')
    expect(text).toContain('New question: Question 2')
    expect((await agent.get(`/console/forms/${form.id}`)).text).toContain(`href="${path}?show=publish#pane"`)
    const published = await press('publish')
    expect(published.headers.get('location')).toBe(`/console/forms/${form.id}`)
    expect((await acme.get(`/v1/forms/${form.id}`)).body.pages[0].questions.length).toBe(2)
    const after = await agent.get(`${path}?show=publish`)
    expect(after.text).toContain('There is nothing to publish')
    expect(after.text).not.toContain('Unpublished changes')
  })

  test('is told of payments that have no amount', async () => {
    const seats = { type: 'payment', text: 'Seats', formula: '{SEATS} * 1200', currency: 'EUR' }
    await use(
      await createUnpublished(acme, [
        { type: 'numeric', friendlyId: 'SEATS' },
        { type: 'payment', text: 'Fee' },
        { type: 'payment', text: 'Deposit', amount: 500, currency: 'EUR' },
        seats,
      ]),
    )
    const { text } = await agent.get(`${path}?show=publish`)
    expect([...text.matchAll(/nothing to pay in (“[^”]*”)/g)].map(([, name]) => name)).toEqual(['“Fee”'])
  })

  test('for the first time says so', async () => {
    await use(await createUnpublished(acme, [{ type: 'nps' }]))
    const { text } = await agent.get(`${path}?show=publish`)
    expect(text).toContain('It asks 1 question.')
    expect(text).not.toContain('nothing to pay')
    await press('publish')
    expect((await app.request('GET', `/f/${form.launchCode}`)).status).toBe(200)
  })
})

describe('the preview', () => {
  test('is the page of the draft, which can do nothing', async () => {
    await save(form.questionIds[0] as number, { text: 'Drafted' })
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { logo: png, accent: '#0a7d4f' }))
    const { status, text, headers } = await agent.get(`/console/forms/${form.id}/preview`)
    expect(status).toBe(200)
    expect(text).toContain('Drafted')
    const logo = new RegExp(`/f/${form.launchCode}/logo\\?v=\\w+`, 'g')
    expect(text).toMatch(logo)
    expect(text).toMatch(/ data-path=""/)
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("connect-src 'none'")
    expect(policy).toContain("frame-ancestors 'self'")
    expect(policy).toMatch(/sandbox allow-scripts allow-forms$/)
    expect(text.replace(logo, '')).not.toContain(form.launchCode)
    expect((await app.request('GET', `/f/${form.launchCode}`)).text).not.toContain('Drafted')
    expect(await app.database.db.select().from(responses).where(eq(responses.formId, form.id))).toEqual([])
  })

  test('is in the language and colour of the tenant, where the form has none', async () => {
    const look = { name: 'Acme GmbH', language: 'de', accent: '#064a2f', requiresSecondFactor: false }
    await acme.perform((tx, caller) => updateTenant(tx, caller, look))
    const { text } = await agent.get(`/console/forms/${form.id}/preview`)
    expect(text).toContain('<html lang="de"')
    expect(text).toContain('Acme GmbH')
    expect(text).toContain('--accent:#064a2f')
  })

  test('stands beside what is worked on', async () => {
    const { text, headers } = await agent.get(`${path}?show=question-${form.questionIds[1]}`)
    expect(text).toContain(`/preview?version=0#at-q${form.questionIds[1]}" title="Preview"`)
    expect(headers.get('content-security-policy')).toContain("frame-src 'self'")
  })
})

describe('a new form', () => {
  const newest = async () => (await acme.get('/v1/forms')).body.items[0]

  test('begins empty, with a template or as a copy, and is built at once', async () => {
    const page = await agent.get('/console/forms/new')
    expect(page.text).toContain('Quiz with a score')
    expect((await agent.get('/console/forms')).text).toContain('href="/console/forms/new"')
    const empty = await agent.post('/console/forms/new', { title: HOSTILE })
    expect(empty.headers.get('location')).toBe(`/console/forms/${(await newest()).id}/build`)
    expect((await agent.follow(empty)).text).toContain('Add the first question')
    const made = await agent.post('/console/forms/new', { template: 'quiz', language: 'en' })
    expect([made.status, (await newest()).publishedAt]).toEqual([303, null])
    expect((await newest()).title).toBe('How well do you know coffee?')
    const copied = await agent.post(`/console/forms/${form.id}/copy`)
    const copy = await newest()
    expect(copied.headers.get('location')).toBe(`/console/forms/${copy.id}/build`)
    expect([copy.title, copy.publishedAt]).toEqual(['Survey (copy)', null])
  })

  test('needs a title, and a known template', async () => {
    const before = (await newest()).id
    const blank = await agent.post('/console/forms/new', { title: '  ' })
    expect([blank.status, blank.text.includes('id="field-title-error"')]).toEqual([400, true])
    expect((await agent.post('/console/forms/new', { template: 'constructor' })).status).toBe(400)
    expect((await newest()).id).toBe(before)
  })
})

test('a published form is shared: its code for sites in every mode, and its QR code as a file', async () => {
  const { text } = await agent.get(`/console/forms/${form.id}`)
  for (const mode of ['', ' data-mode=&quot;dialog&quot;', ' data-mode=&quot;slide-in&quot;'])
    expect(text).toContain(`data-form=&quot;${form.launchCode}&quot;${mode}&gt;&lt;/script&gt;`)
  const file = await agent.get(`/console/forms/${form.id}/qr.svg`)
  expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  expect(file.text).toStartWith('<svg')
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${form.launchCode}.svg"`)
  expect((await stranger.get(`/console/forms/${form.id}/qr.svg`)).status).toBe(404)
  const draft = await createUnpublished(acme, [])
  expect((await agent.get(`/console/forms/${draft.id}/qr.svg`)).status).toBe(404)
})

test('nobody builds another tenant’s form, or sees its draft', async () => {
  const [nps] = form.questionIds as [number]
  const page = (await draft()).pages[0]?.id
  const own = `/console/forms/${form.id}`
  for (const address of [path, `${path}?show=publish`, `${own}/preview`])
    expect([address, (await stranger.get(address)).status]).toEqual([address, 404])
  for (const [address, fields] of [
    [path, { do: `remove ${nps}`, version: '0' }],
    [path, { do: 'publish', version: '0' }],
    [`${path}/intro`, { title: 'Mine', version: '0' }],
    [`${path}/pages/${page}`, { title: 'Mine', version: '0' }],
    [`${path}/questions/${nps}`, { text: 'Mine', version: '0' }],
    [`${own}/copy`, {}],
  ] as const)
    expect([address, (await stranger.post(address, fields)).status]).toEqual([address, 404])
  expect((await draft()).version).toBe(0)
  expect((await stranger.get('/console/forms')).text).toContain('There are no forms yet.')
})

test('the words are German for those who want them so', async () => {
  agent.headers = { 'accept-language': 'de' }
  const { text } = await agent.get(path)
  agent.headers = {}
  expect(text).toContain('Seiten und Fragen')
})
