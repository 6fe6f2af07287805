import { beforeEach, describe, expect, test } from 'bun:test'
import { getDraft } from '../../../src/forms/drafts.ts'
import type { FormQuestion } from '../../../src/forms/pages.ts'
import { publishForm } from '../../../src/forms/publishing.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'
import { typedIn } from '../../support/pages/typed-fields.ts'

const HOSTILE = '"><script>alert(1)</script>'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let path: string
let formId: string
let ids: Record<string, number>

setUpAgent((fixture) => ({ app, acme, agent } = fixture))
beforeEach(async () => {
  await create({
    pages: [
      {
        questions: [
          { type: 'nps', text: 'Likely?', friendlyId: 'SCORE' },
          { type: 'choose_one', text: 'Topic?', friendlyId: 'TOPIC', options: ['Price', 'Speed', 'Other'] },
          { type: 'textbox', text: 'Why?', friendlyId: 'WHY' },
        ],
      },
      { title: 'More', questions: [{ type: 'numeric', text: 'Seats?', friendlyId: 'SEATS' }] },
    ],
  })
})

async function create(form: object): Promise<void> {
  const { status, body } = await acme.post('/v1/forms', { title: 'Survey', active: true, ...form })
  if (status !== 201) throw new Error(JSON.stringify(body))
  formId = body.id
  path = `/console/forms/${formId}/build`
  const questions = body.pages.flatMap((page: { questions: FormQuestion[] }) => page.questions)
  ids = Object.fromEntries(questions.map(({ friendlyId, id }: FormQuestion) => [friendlyId, id]))
}

const idOf = (name: string) => ids[name] as number
const draft = () => getDraft(app.database.db, acme.tenantId, formId)
const question = async (name: string) =>
  (await draft()).pages.flatMap((page) => page.questions).find(({ id }) => id === idOf(name)) as FormQuestion
const show = async (what: string) => (await agent.get(`${path}?show=${what}`)).text
const editorIn = (text: string) => /<div data-editor>(.*?)<\/form>/s.exec(text)?.[1] ?? ''

/** Sends the form of what is worked on with changes; null takes a field out. */
async function save(what: string, changes: Record<string, string | readonly string[] | null> = {}) {
  const fields = { ...typedIn(editorIn(await show(what))), ...changes }
  const sent = Object.entries(fields).filter((one): one is [string, string | readonly string[]] => one[1] !== null)
  const at = what
    .replace(/^question-/, 'questions/')
    .replace(/^page-/, 'pages/')
    .replace(/^end-/, 'ends/')
  return agent.post(`${path}/${at}`, Object.fromEntries(sent))
}
const press = async (action: string) => agent.post(path, { do: action, version: String((await draft()).version) })
const why = () => `question-${idOf('WHY')}`
const problemIn = (text: string) => /<div class="problem"[^>]*>(.*?)<\/div>/s.exec(text)?.[1] ?? ''
/** What can be chosen in a field of a page. */
const choicesOf = (text: string, name: string) =>
  [
    ...(new RegExp(`<select name="${name}"[^>]*>(.*?)</select>`, 's').exec(text)?.[1] ?? '').matchAll(
      /<option[^>]*>([^<]*)/g,
    ),
  ].map(([, choice]) => choice)

describe('when a question is shown', () => {
  test('is put together from lists, without a script', async () => {
    expect((await save(why(), { step: 'more' })).status).toBe(303)
    // What was asked last is what mostly decides.
    const first = { question: idOf('TOPIC'), op: 'is', value: 'Price' } as const
    expect((await question('WHY')).showIf).toEqual({ match: 'all', conditions: [first] })

    // Another question brings what it can be asked, and what is likely.
    await save(why(), { 'showIf.0.about': `q${idOf('SCORE')}` })
    expect((await question('WHY')).showIf?.conditions).toEqual([{ question: idOf('SCORE'), op: 'at_most', value: 6 }])
    const page = await show(why())
    expect(choicesOf(page, 'showIf.0.about')).toEqual(['1. Likely?', '2. Topic?'])
    expect(choicesOf(page, 'showIf.0.value')).toHaveLength(11)
    expect(page).toContain('Shown when “Likely?” is at most 6')

    await save(why(), { step: 'more' })
    await save(why(), { 'showIf.1.op': 'one_of', 'showIf.match': 'any' })
    await save(why(), { 'showIf.0.value': '3', 'showIf.1.value': ['Price', 'Other'] })
    expect((await question('WHY')).showIf).toEqual({
      match: 'any',
      conditions: [
        { question: idOf('SCORE'), op: 'at_most', value: 3 },
        { question: idOf('TOPIC'), op: 'one_of', value: ['Price', 'Other'] },
      ],
    })
    expect(await show(why())).toContain('Shown when “Likely?” is at most 3 or “Topic?” is one of “Price” or “Other”')

    await save(why(), { step: 'drop 0', 'showIf.1.value': ['Price', 'Other'] })
    expect((await question('WHY')).showIf?.conditions).toEqual([
      { question: idOf('TOPIC'), op: 'one_of', value: ['Price', 'Other'] },
    ])
    await save(why(), { step: 'drop 0' })
    expect((await question('WHY')).showIf).toBeNull()
  })

  test('asks what was asked before, and names hidden fields and variables', async () => {
    await acme.perform((tx, caller) => changeSettings(tx, caller, formId, { hidden: ['campaign'] }))
    await save('variables', { 'variables[0].name': 'DOUBLE', 'variables[0].formula': '{SCORE} * 2' })
    await save('variables', { 'variables[1].name': 'COST', 'variables[1].formula': '{SEATS} * {DOUBLE}' })
    await save(why(), { step: 'more' })
    const known = ['1. Likely?', '2. Topic?', 'Hidden field campaign', 'The variable DOUBLE']
    expect(choicesOf(await show(why()), 'showIf.0.about')).toEqual(known)
    // The first question has nothing before it but what is in the address.
    const first = `question-${idOf('SCORE')}`
    await save(first, { step: 'more' })
    expect((await question('SCORE')).showIf?.conditions).toEqual([{ hidden: 'campaign', op: 'answered' }])
    await save(first, { 'showIf.0.op': 'contains', 'showIf.0.value': HOSTILE })
    const page = await show(first)
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script>alert')
  })

  test('what is wrong stands at its control, and nothing that was chosen is lost', async () => {
    await save(`question-${idOf('SEATS')}`, { step: 'more' })
    const seats = `question-${idOf('SEATS')}`
    await save(seats, { 'showIf.0.about': `q${idOf('WHY')}` })
    const refused = await save(seats, { 'showIf.0.op': 'contains' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('id="field-showIf-0-value-error"')
    expect(refused.text).toContain('href="#field-showIf-0-value"')
    expect(choicesOf(refused.text, 'showIf.0.op')).toContain('contains')
    expect((await question('SEATS')).showIf?.conditions).toEqual([{ question: idOf('WHY'), op: 'answered' }])

    // A later question, one of nobody's, and a way of comparing that it has not.
    const nobody = { 'showIf.0.was': 'q999 is', 'showIf.0.op': 'is', 'showIf.0.value': 'x' }
    for (const about of [`q${idOf('SEATS')}`, 'q999']) {
      const { status, text } = await save(why(), { ...nobody, 'showIf.0.about': about })
      expect([about, status, text.includes('href="#field-showIf-0-about"')]).toEqual([about, 400, true])
    }
    expect((await question('WHY')).showIf).toBeNull()
  })

  test('a page, too', async () => {
    const page = (await draft()).pages[1]?.id
    await save(`page-${page}`, { step: 'more' })
    expect((await draft()).pages[1]?.showIf?.conditions).toEqual([{ question: idOf('WHY'), op: 'answered' }])
    await save(`page-${page}`, { 'showIf.0.op': 'contains', 'showIf.0.value': 'slow' })
    expect(await show(`page-${page}`)).toContain('Shown when “Why?” contains “slow”')
    expect((await draft()).pages[1]?.title).toBe('More')
  })

  test('who deletes or moves what others ask about is told which they are', async () => {
    await save(why(), { step: 'more' })
    await press('end-add')
    await save('end-1', { 'showIf.0.about': `q${idOf('TOPIC')}` })
    const before = (await draft()).version
    const removed = await press(`remove ${idOf('TOPIC')}`)
    const told = 'Others depend on it: “Why?” and End 1. Change them first.'
    expect([removed.status, problemIn(removed.text).includes(told)]).toEqual([400, true])
    expect(await question('TOPIC')).toBeDefined()
    const moved = await press(`down ${idOf('TOPIC')}`)
    expect([moved.status, problemIn(moved.text).includes('Others depend on it: “Why?”.')]).toEqual([400, true])
    expect((await draft()).version).toBe(before)
    // The one that asks goes with it.
    const page = await press(`page-remove ${(await draft()).pages[0]?.id}`)
    expect([page.status, problemIn(page.text).includes('Others depend on it: End 1.')]).toEqual([400, true])
  })
})

test('conditions follow an option that is called otherwise, and keep one that is asked about', async () => {
  await save(why(), { step: 'more' })
  await press('end-add')
  await save('end-1', { 'showIf.0.about': `q${idOf('TOPIC')}` })
  await save('end-1', { 'showIf.0.op': 'one_of', 'showIf.0.value': ['Price', 'Other'] })
  const topic = `question-${idOf('TOPIC')}`
  await save(topic, { options: 'Cost\nSpeed\nOther' })
  const asked = { question: idOf('TOPIC') }
  expect((await question('WHY')).showIf?.conditions).toEqual([{ ...asked, op: 'is', value: 'Cost' }])
  expect((await draft()).ends[0]?.showIf?.conditions).toEqual([{ ...asked, op: 'one_of', value: ['Cost', 'Other'] }])
  // In another order they are the same options.
  await save(topic, { options: 'Other\nCost\nSpeed' })
  expect((await question('WHY')).showIf?.conditions).toEqual([{ ...asked, op: 'is', value: 'Cost' }])
  const gone = await save(topic, { options: 'Other\nSpeed' })
  expect([gone.status, problemIn(gone.text)]).toEqual([400, expect.stringContaining('“Why?” does not allow this:')])
  expect((await question('TOPIC')).options).toEqual(['Other', 'Cost', 'Speed'])
})

test('formulas and texts follow the name of a question', async () => {
  await save('variables', { 'variables[0].name': 'TOTAL', 'variables[0].formula': '{SEATS} * {SCORE}' })
  await save(why(), { text: 'Why {SCORE}, {SCORES}?' })
  await save(`question-${idOf('SCORE')}`, { friendlyId: 'RATING' })
  expect((await draft()).variables).toEqual([{ name: 'TOTAL', formula: '{SEATS} * {RATING}' }])
  expect((await question('WHY')).text).toBe('Why {RATING}, {SCORES}?')
  const gone = await save(`question-${idOf('SCORE')}`, { friendlyId: '' })
  expect([gone.status, problemIn(gone.text)]).toEqual([400, expect.stringContaining('One of the variables')])
})

describe('variables and ends', () => {
  test('a variable that cannot be is refused at its formula', async () => {
    const refused = await save('variables', {
      'variables[1].name': 'TOTAL',
      'variables[1].formula': '{SEATS} * {TOTAL}',
    })
    expect([refused.status, refused.text.includes('id="field-variables-1-formula-error"')]).toEqual([400, true])
    expect((await draft()).variables).toEqual([])
    await save('variables', { 'variables[1].name': 'TOTAL', 'variables[1].formula': '{SEATS} * 12' })
    expect((await draft()).variables).toEqual([{ name: 'TOTAL', formula: '{SEATS} * 12' }])
    await save('variables', { 'variables[0].name': '', 'variables[0].formula': '' })
    expect((await draft()).variables).toEqual([])
  })

  test('one that others ask about is refused at its formula, too', async () => {
    await save('variables', { 'variables[0].name': 'TOTAL', 'variables[0].formula': '{SCORE} * 12' })
    await save(why(), { step: 'more' })
    await save(why(), { 'showIf.0.about': 'variable:TOTAL' })
    expect((await question('WHY')).showIf?.conditions).toEqual([{ variable: 'TOTAL', op: 'at_least', value: 1 }])
    const later = { status: 400, text: expect.stringContaining('“Why?” does not allow this:') }
    expect(await save('variables', { 'variables[0].formula': '{SEATS} * 12' })).toMatchObject(later)
    const unread = await save('variables', { 'variables[0].formula': '{SCORE} *' })
    expect([unread.status, unread.text.includes('id="field-variables-0-formula-error"')]).toEqual([400, true])
    const removed = await press(`remove ${idOf('SCORE')}`)
    expect(problemIn(removed.text)).toContain('Others depend on it: “Why?” and One of the variables.')
  })

  test('an end is seen while it is written, with the names that its text can have', async () => {
    await save('variables', { 'variables[0].name': 'TOTAL', 'variables[0].formula': '{SEATS} * 12' })
    await press('end-add')
    await save('end-1', { thanks: '<p>That makes {TOTAL}.</p>' })
    const built = (await agent.get(`${path}?show=end-1`)).text
    expect(built).toContain('Names in braces show answers and results: {TOTAL}, {')
    const [, address = ''] = /<iframe name="preview" src="([^"]*)"/.exec(built) ?? []
    const seen = (await agent.get(address.replaceAll('&amp;', '&'))).text
    expect(seen).toMatch(/<form id="form"[^>]* hidden>/)
    const [, attributes = 'hidden'] = /<section class="card done" id="done"([^>]*)>/.exec(seen) ?? []
    expect(attributes).not.toContain('hidden')
    expect(seen).toContain('<p>That makes {TOTAL}.</p></div>')
    // Without an end that says something it is the form.
    await save('end-1', { kind: 'redirect', redirect: 'https://example.com/won' })
    for (const end of ['1', '2', '0', '-1', 'x']) {
      const { status, text } = await agent.get(`${path.replace(/build$/, 'preview')}?end=${end}`)
      expect([status, /<form id="form"[^>]* hidden>/.test(text)]).toEqual([200, false])
    }
  })

  test('ends are added, changed, moved and deleted, and each step can be undone', async () => {
    await press('end-add')
    await press('end-add')
    expect((await draft()).ends).toHaveLength(2)
    expect((await draft()).ends[0]).toEqual({
      showIf: { match: 'all', conditions: [{ question: idOf('SEATS'), op: 'answered' }] },
      thanks: 'Your answers have arrived.',
      redirect: null,
    })
    await save('end-2', {
      kind: 'redirect',
      redirect: 'https://example.com/won',
      'showIf.0.about': `q${idOf('SCORE')}`,
    })
    const second = {
      showIf: { match: 'all', conditions: [{ question: idOf('SCORE'), op: 'at_most', value: 6 }] },
      thanks: null,
      redirect: 'https://example.com/won',
    }
    expect((await draft()).ends[1]).toEqual(second as never)
    const nothing = await save('end-2', { redirect: '' })
    expect([nothing.status, nothing.text.includes('id="field-redirect-error"')]).toEqual([400, true])
    const outside = await save('end-2', { redirect: 'javascript:alert(1)' })
    expect([outside.status, outside.text.includes('id="field-redirect-error"')]).toEqual([400, true])
    await press('end-up 2')
    expect((await draft()).ends[0]).toEqual(second as never)
    await press('end-remove 1')
    expect((await draft()).ends).toHaveLength(1)
    await press('undo')
    await press('undo')
    expect((await draft()).ends[1]).toEqual(second as never)
    expect((await agent.get(`${path}?show=end-9`)).status).toBe(200)
  })

  test('publishing says that they changed', async () => {
    await acme.perform((tx, caller) => publishForm(tx, caller, formId))
    await press('end-add')
    await save('variables', { 'variables[0].name': 'TOTAL', 'variables[0].formula': '{SEATS} * 12' })
    await save(why(), { step: 'more' })
    const page = await show('publish')
    for (const told of ['Ends changed', 'Variables changed', 'Question changed: “Why?” (When it is shown)'])
      expect(page).toContain(told)
  })
})

describe('warnings', () => {
  const never = 'Never shown: no answers meet its conditions.'
  const all = (...conditions: object[]) => ({ match: 'all', conditions })
  const score = (op: string, value: number) => ({ question: 'SCORE', op, value })
  const form = (showIf: object, ends: object[] = []) => ({
    questions: [
      { type: 'nps', text: 'Likely?', friendlyId: 'SCORE', required: true },
      {
        type: 'choose_one',
        text: 'Topic?',
        friendlyId: 'TOPIC',
        options: ['Price', 'Speed'],
        showIf: all(score('at_most', 6)),
      },
      { type: 'textbox', text: 'Why?', friendlyId: 'WHY', showIf },
    ],
    ends,
  })
  const end = (showIf: object | null, thanks: string) => ({ showIf, thanks })

  test('a question that no answers bring up', async () => {
    await create(form(all(score('at_least', 9), { question: 'TOPIC', op: 'answered' })))
    for (const shown of [why(), 'publish']) expect(await show(shown)).toContain(never)
    expect((await agent.get(`${path}/map`)).text).toContain(never)
    for (const possible of [
      all(score('at_least', 6), { question: 'TOPIC', op: 'is', value: 'Price' }),
      { match: 'any', conditions: [score('at_least', 9), { question: 'TOPIC', op: 'answered' }] },
      all({ question: 'TOPIC', op: 'not_answered' }),
    ]) {
      await create(form(possible))
      expect(await show(why())).not.toContain(never)
    }
  })

  test('an end that nobody reaches', async () => {
    const covered = 'Never reached: an end above it holds whenever this one does.'
    await create(
      form(all(score('at_most', 3)), [
        end(all(score('at_most', 6)), 'Low'),
        end(all(score('at_most', 3)), 'Lowest'),
        end(all({ question: 'SCORE', op: 'not_answered' }), 'None'),
        end(all(score('at_least', 9)), 'High'),
      ]),
    )
    const map = (await agent.get(`${path}/map`)).text
    const warningOf = (label: string) => new RegExp(`>${label}<.*?(Never reached[^<]*|</li>)`, 's').exec(map)?.[1]
    expect(['End 1', 'End 2', 'End 3', 'End 4'].map(warningOf)).toEqual([
      '</li>',
      covered,
      'Never reached: no answers lead here.',
      '</li>',
    ])
  })

  test('an end below one that holds whenever it does, whatever else is above', async () => {
    const { questions } = form(all(score('at_most', 3)))
    const many = Array.from({ length: 12 }, (_, index) => ({ type: 'nps', text: '', friendlyId: `Q${index}` }))
    const wide = all(...many.map(({ friendlyId }) => ({ question: friendlyId, op: 'at_least', value: 3 })))
    await create({
      questions: [...questions, ...many],
      ends: [end(wide, 'Wide'), end(all(score('at_most', 6)), 'Low'), end(all(score('at_most', 3)), 'Lowest')],
    })
    expect((await agent.get(`${path}/map`)).text.match(/Never reached: an end above/g)).toHaveLength(1)
  })

  test('what would take too many tries is not judged', async () => {
    const questions = Array.from({ length: 14 }, (_, index) => ({ type: 'nps', text: '', friendlyId: `Q${index}` }))
    const conditions = questions.map(({ friendlyId }) => ({ question: friendlyId, op: 'at_least', value: 3 }))
    const impossible = all(...conditions, { question: 'Q0', op: 'at_most', value: 2 })
    await create({
      questions: [...questions, { type: 'textbox', text: 'Why?', friendlyId: 'WHY', showIf: impossible }],
    })
    expect(await show(why())).not.toContain(never)
  })
})

test('the map shows what depends on what, and is for those who may build the form alone', async () => {
  await save(why(), { step: 'more' })
  await press('end-add')
  const { status, text } = await agent.get(`${path}/map`)
  expect(status).toBe(200)
  expect(text).toContain('when “Topic?” is “Price”')
  expect(text.match(/<path class="link /g)).toHaveLength(2)
  expect(text).toContain(`href="${path}?show=end-1#pane"`)
  const stranger = await signedIn(app, await app.createTenant('Other'), 'admin')
  for (const [address, fields] of [
    [`${path}/ends/1`, { kind: 'thanks', thanks: 'Mine', version: '0' }],
    [`${path}/variables`, { version: '0' }],
  ] as const)
    expect([address, (await stranger.post(address, fields)).status]).toEqual([address, 404])
  expect((await stranger.get(`${path}/map`)).status).toBe(404)
})
