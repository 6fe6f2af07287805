import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { responseSegments, responses } from '../../../src/db/schema.ts'
import { saveDraft } from '../../../src/forms/drafts.ts'
import { publishForm } from '../../../src/forms/publishing.ts'
import { readSegment } from '../../../src/responses/results/columns/segment-text.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { begin, complete, type TestForm } from '../../support/forms/collecting.ts'
import type { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'

const MINUTE = 60_000

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>

setUpAgent((fixture) => ({ app, acme, agent } = fixture))

const unhappy = { match: 'all', conditions: [{ question: 'RATE', op: 'at_most', value: 6 }] }
const happy = { match: 'all', conditions: [{ question: 'RATE', op: 'at_least', value: 9 }] }

/** Asks why of those who are unhappy, on a page of their own, and all whether they come again. */
const survey = {
  title: 'Stay',
  active: true,
  pages: [
    { title: 'Rating', questions: [{ type: 'nps', text: 'Recommend', friendlyId: 'RATE', required: true }] },
    {
      title: 'Reasons',
      showIf: unhappy,
      questions: [{ type: 'choose_one', text: 'Why', options: ['Noise', 'Price'] }],
    },
    {
      title: 'Again',
      questions: [
        { type: 'binary', text: 'Come again', required: true },
        { type: 'textbox', text: 'Name', showIf: happy },
      ],
    },
  ],
  variables: [
    { name: 'DOUBLE', formula: '{RATE} * 2' },
    { name: 'HALF', formula: '{RATE} / 2' },
  ],
  ends: [
    { showIf: unhappy, thanks: '<p>We are <b>sorry</b></p>' },
    { showIf: happy, redirect: 'https://example.com/thanks' },
  ],
}

async function createSurvey(body: object = survey): Promise<TestForm & { pages: { questions: object[] }[] }> {
  const { status, body: form } = await acme.post('/v1/forms', body)
  expect([status, form.message]).toEqual([201, undefined])
  await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
  const questionIds = form.pages.flatMap(({ questions }: { questions: { id: number }[] }) =>
    questions.map(({ id }) => id),
  )
  return { ...form, questionIds }
}

/** Publishes the form as it asks now. */
async function republish(form: TestForm, pages: readonly object[], changes: object = {}): Promise<void> {
  const { title, description, variables, ends } = (await acme.get(`/v1/forms/${form.id}`)).body
  const draft = { title, description, variables, ends, pages, ...changes }
  await acme.perform(async (tx, caller) => {
    await saveDraft(tx, caller, form.id, draft as never)
    await publishForm(tx, caller, form.id)
  })
}

const results = async ({ id }: TestForm, query = '') => {
  const { status, text } = await agent.get(`/console/forms/${id}/results${query}`)
  expect(status).toBe(200)
  return text.slice(text.indexOf('<main'))
}

/** What stands under the heading of a card. */
const factsOf = (text: string, id: string) =>
  (/<p class="facts">(.*?)<\/p>/s.exec(text.slice(text.indexOf(`id="${id}"`)))?.[1] ?? '')
    .split('</span>')
    .map((part) => part.replace(/<[^>]*>/g, '').trim())
    .filter(Boolean)

/** The rows of the table of these figures, cell by cell, without marks. */
function rowsOf(text: string, caption: string): string[][] {
  const table = text.split('<table').find((part) => part.includes(`>Figures: ${caption}</caption>`)) ?? ''
  const body = table.split('<tbody>')[1]?.split('</tbody>')[0] ?? ''
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) => row.split(/<\/t[hd]>/).slice(0, -1))
    .map((cells) => cells.map((cell) => cell.replace(/<[^>]*>/g, '').trim()))
}

/** So many more of the same responses, which are then put into columns. */
async function settleWith(form: TestForm, count: number): Promise<void> {
  const rows = await app.database.db.select().from(responses).where(eq(responses.formId, form.id))
  const copies = Array.from({ length: count * rows.length }, (_, index) => ({
    ...(rows[index % rows.length] as (typeof rows)[number]),
    id: `r_${Bun.randomUUIDv7('hex', app.clock.now()).replaceAll('-', '')}`,
  }))
  await acme.perform(async (tx) => {
    for (let i = 0; i < copies.length; i += 500) await tx.insert(responses).values(copies.slice(i, i + 500))
  })
  app.clock.advance(5 * MINUTE)
  await app.runDue()
}

const segmentsOf = (form: TestForm) =>
  app.database.db.select().from(responseSegments).where(eq(responseSegments.formId, form.id))

/** Three who are unhappy, one of whom says why; one who is neither; one who is happy, and gives a name. */
async function fillIn(form: TestForm): Promise<void> {
  await complete(acme, form, [0, { selected: 'Noise' }, false])
  await complete(acme, form, [6, undefined, true])
  await complete(acme, form, [3, undefined, true])
  await complete(acme, form, [8, undefined, true])
  await complete(acme, form, [10, undefined, true, 'Ada'])
}

describe('of a form with conditions, results', () => {
  test('say who was asked each question, from the responses and from columns alike', async () => {
    const form = await createSurvey()
    await fillIn(form)
    const facts = (text: string) => form.questionIds.map((id) => factsOf(text, `question-${id}`).slice(-2))
    expect(facts(await results(form))).toEqual([
      ['asked in 5 responses', 'answered in 5 responses (100% of those asked)'],
      ['asked in 3 responses', 'answered in 1 response (33% of those asked)'],
      ['asked in 5 responses', 'answered in 5 responses (100% of those asked)'],
      ['asked in 1 response', 'answered in 1 response (100% of those asked)'],
    ])
    await settleWith(form, 500)
    expect(await segmentsOf(form)).toHaveLength(1)
    const later = await results(form)
    expect(facts(later)[1]).toEqual(['asked in 1,503 responses', 'answered in 501 responses (33% of those asked)'])
    expect(rowsOf(later, '2. Why')).toEqual([
      ['Noise', '100%', '501'],
      ['Price', '0%', '0'],
    ])
  })

  test('are narrowed down as all others are', async () => {
    const form = await createSurvey()
    await fillIn(form)
    const text = await results(form, `?answer=${form.questionIds[2]}.is.true`)
    expect(factsOf(text, `question-${form.questionIds[1]}`).slice(-2)).toEqual([
      'asked in 2 responses',
      'answered in 0 responses (0% of those asked)',
    ])
    expect(factsOf(text, 'variable-DOUBLE')).toContain('computed in 4 responses')
    expect(text).toContain('<strong>13.5</strong></span><span>from 6 to 20<')
  })

  test('take responses by what was asked then: a condition that came later, or went, changes none', async () => {
    const form = await createSurvey()
    await fillIn(form)
    const [rating, reasons, again] = form.pages
    await republish(form, [rating as object, { ...reasons, showIf: null }, { ...again, showIf: happy }])
    const asked = async () =>
      (
        await Promise.all(form.questionIds.map(async (id) => factsOf(await results(form), `question-${id}`).at(-2)))
      ).map((text) => Number(/\d+/.exec(text ?? '')?.[0]))
    expect(await asked()).toEqual([5, 3, 5, 1])
    await complete(acme, form, [8, { selected: 'Price' }])
    expect(await asked()).toEqual([6, 4, 5, 1])
  })

  test('say what variables came to, also of those that are no longer computed', async () => {
    const form = await createSurvey()
    await fillIn(form)
    const text = await results(form)
    expect(factsOf(text, 'variable-HALF')).toContain('computed in 5 responses')
    expect(text).toContain('<strong>2.7</strong></span><span>from 0 to 5<')
    expect(
      rowsOf(text, 'DOUBLE')
        .map(([, , count]) => Number(count))
        .reduce((sum, count) => sum + count),
    ).toBe(5)
    await republish(form, form.pages, { variables: [{ name: 'DOUBLE', formula: '{RATE} * 2' }] })
    const later = await results(form)
    expect(later).toContain('no longer computed')
    expect(later.indexOf('id="variable-DOUBLE"')).toBeLessThan(later.indexOf('id="variable-HALF"'))
  })

  test('say to which ends people came', async () => {
    const form = await createSurvey()
    await fillIn(form)
    expect(rowsOf(await results(form), 'Ends')).toEqual([
      ['We are sorry', '60%', '3'],
      ['https://example.com/thanks', '20%', '1'],
      ['What the settings say', '20%', '1'],
    ])
  })

  test('show where people stopped by the way that they went', async () => {
    const form = await createSurvey()
    await fillIn(form)
    // One comes to the page of reasons, two pass it over.
    await begin(acme, form, [2])
    await begin(acme, form, [9])
    await begin(acme, form, [7])
    const text = await results(form)
    expect(rowsOf(text, 'How far people got')).toEqual([
      ['1. Rating', '100%', '8', '0', '0 (0%)'],
      ['2. Reasons', '50%', '4', '4', '1 (25%)'],
      ['3. Again', '88%', '7', '0', '2 (29%)'],
      ['Completed', '63%', '5', '', ''],
    ])
    expect(rowsOf(text, 'Ways through the form')).toEqual([
      ['1 → 2 → 3', '38%', 'Completed', '3'],
      ['1 → 3', '25%', 'Completed', '2'],
      ['1 → 3', '25%', 'Stopped on page 3', '2'],
      ['1 → 2', '13%', 'Stopped on page 2', '1'],
    ])
  })

  test('read columns that an earlier version made: of each response with answers it is known what it was asked', async () => {
    const form = await createSurvey()
    await fillIn(form)
    await settleWith(form, 500)
    const [segment] = await segmentsOf(form)
    const { paths, variables, ...earlier } = JSON.parse(segment?.content ?? '{}')
    expect([paths[0].length, variables.length]).toEqual([3, 2])
    const read = readSegment(JSON.stringify(earlier))
    expect(read.paths.values).toEqual([{ revision: 1, language: null, skipped: [], skippedPages: [], end: null }])
    expect([...read.paths.codes].every((code) => code === 1)).toBe(true)
    expect(read.variables).toEqual([])
  })
})

test('a form without conditions says nothing of ways, variables and ends', async () => {
  const form = await createSurvey({ title: 'Plain', active: true, questions: [{ type: 'nps', text: 'Recommend' }] })
  await complete(acme, form, [9])
  const text = await results(form)
  for (const word of ['Ways through the form', 'Not shown it', 'Ends', 'variable-']) expect(text).not.toContain(word)
})

describe('variables are columns', () => {
  test('of the list, beside the points', async () => {
    const form = await createSurvey()
    await fillIn(form)
    const { text } = await agent.get(`/console/forms/${form.id}/responses`)
    expect(text).toMatch(/<th scope="col" class="number">DOUBLE<\/th><th scope="col" class="number">HALF<\/th>/)
    expect(text).toMatch(/<td class="number"[^>]*>20<\/td><td class="number"[^>]*>5<\/td>/)
    const { body } = await acme.get(`/v1/forms/${form.id}/responses`)
    const one = await agent.get(`/console/responses/${body.items[0].id}`)
    expect(one.text).toMatch(/<dt>HALF<\/dt><dd>5<\/dd>/)
  })

  test('of exports, as numbers, after what the form asked; JSON has them as the API does', async () => {
    const form = await createSurvey()
    await fillIn(form)
    await republish(form, form.pages, { variables: [{ name: 'HALF', formula: '{RATE} / 2' }] })
    await complete(acme, form, [1, undefined, true])
    const { text } = await agent.get(`/console/forms/${form.id}/export.csv`)
    const [head = '', ...lines] = text.replace('\ufeff', '').split('\r\n')
    expect(head.split(',').slice(6)).toEqual(['Recommend', 'Why', 'Come again', 'Name', 'HALF', 'DOUBLE'])
    expect(lines.slice(0, 3).map((line) => line.split(',').slice(-2))).toEqual([
      ['0.5', ''],
      ['5', '20'],
      ['4', '16'],
    ])
    const { body } = await agent.get(`/console/forms/${form.id}/export.json`)
    expect(body.slice(0, 2).map(({ variables }: { variables: object }) => variables)).toEqual([
      { HALF: 0.5 },
      { DOUBLE: 20, HALF: 5 },
    ])
    expect(body).toEqual((await acme.get(`/v1/forms/${form.id}/responses?limit=100`)).body.items)
    expect((await agent.get(`/console/forms/${form.id}/export.xlsx`)).status).toBe(200)
  })
})

test('a response is read as it was asked, with the answers that its questions name', async () => {
  const form = await createSurvey({
    title: 'Plain',
    active: true,
    questions: [
      { type: 'textbox', friendlyId: 'NAME' },
      { type: 'binary', text: 'Is it <b>{NAME}</b>, {NONE}?' },
    ],
  })
  const { response } = await complete(acme, form, ['<i>Ada</i>', true])
  const { text } = await agent.get(`/console/responses/${response.id}`)
  expect(text).toContain('Is it <b>&lt;i&gt;Ada&lt;/i&gt;</b>, {NONE}?')
  expect(response.answers[1]?.questionText).toBe('Is it <b>{NAME}</b>, {NONE}?')
})
