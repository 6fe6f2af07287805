import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { formRevisions, forms } from '../../../src/db/schema.ts'
import { changesBetween } from '../../../src/forms/changes.ts'
import { copyForm } from '../../../src/forms/copying.ts'
import { contentOf, getDraft, saveDraft } from '../../../src/forms/drafts.ts'
import { addQuestion, changeQuestion, duplicatePage } from '../../../src/forms/editing.ts'
import { addEnd, changeVariables } from '../../../src/forms/editing-logic.ts'
import { formRecordOf } from '../../../src/forms/operations.ts'
import { publishForm } from '../../../src/forms/publishing.ts'
import { discardDraft, redoEdit, undoEdit } from '../../../src/forms/undoing.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { refusal } from '../../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let formId: string
let [rating, why]: [number, number] = [0, 0]
let page: number

const when = (...conditions: object[]) => ({ match: 'all', conditions })
const low = (question: string | number) => when({ question, op: 'at_most', value: 6 })
const variables = [{ name: 'POINTS', formula: '{RATING} * 10' }]
const end = { showIf: null, thanks: '<p>Bye</p>', redirect: null }

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  const { body } = await acme.post('/v1/forms', {
    title: 'Survey',
    questions: [
      { type: 'nps', text: 'How was it?', friendlyId: 'RATING' },
      { type: 'choose_one', text: 'Why?', options: ['Price', 'Noise'], showIf: low('RATING') },
    ],
  })
  formId = body.id
  page = body.pages[0].id
  ;[rating, why] = body.pages[0].questions.map(({ id }: { id: number }) => id)
  await publish()
})
afterAll(() => app.close())

const publish = () => acme.perform((tx, caller) => publishForm(tx, caller, formId))
const draft = () => getDraft(app.database.db, acme.tenantId, formId)
const published = async () => contentOf(await formRecordOf(app.database.db, acme.tenantId, formId))
const read = async (id = formId) => (await acme.get(`/v1/forms/${id}`)).body
const add = (question: Record<string, unknown>) =>
  acme.perform((tx, caller) => addQuestion(tx, caller, { formId }, { pageId: page, question }))
const change = (questionId: number, changes: Record<string, unknown>) =>
  acme.perform((tx, caller) => changeQuestion(tx, caller, { formId }, questionId, changes))

describe('conditions in a draft', () => {
  test('are about a question whatever it is called, and the API names it as it is called now', async () => {
    await change(rating, { friendlyId: 'LUCK' })
    expect((await draft()).pages[0]?.questions[1]?.showIf).toEqual(low(rating) as never)
    expect((await read()).pages[0].questions[1].showIf).toEqual(low('RATING'))
    await publish()
    expect((await read()).pages[0].questions[1].showIf).toEqual(low('LUCK'))
  })

  test('can be about a question without a name, by its id, which the API shows then', async () => {
    const noisy = when({ question: why, op: 'is', value: 'Noise' })
    await add({ type: 'textbox', text: 'How noisy?', showIf: noisy })
    await publish()
    expect((await read()).pages[0].questions[2].showIf).toEqual(noisy)
  })

  test('hold a question to what they compare it with', async () => {
    await add({ type: 'textbox', text: 'How noisy?', showIf: when({ question: why, op: 'is', value: 'Noise' }) })
    expect(await refusal(change(why, { options: ['Price', 'Dirt', 'Staff'] }))).toEqual([
      'invalid_request',
      'pages[0].questions[2].showIf.conditions[0].value: "Noise" is none of the options of the question',
    ])
    expect((await draft()).pages[0]?.questions[1]?.options).toEqual(['Price', 'Noise'])
  })

  test('go along when a page is duplicated, about what they were about', async () => {
    const { pages } = await acme.perform((tx, caller) => duplicatePage(tx, caller, { formId }, page))
    expect(pages[1]?.questions.map(({ showIf }) => showIf as unknown)).toEqual([null, low(rating)])
  })
})

describe('variables and ends of a draft', () => {
  const save = async () => {
    await acme.perform((tx, caller) => changeVariables(tx, caller, { formId }, variables))
    await acme.perform((tx, caller) => addEnd(tx, caller, { formId }, end))
  }

  test('are seen by nobody until they are published, and kept in the revision', async () => {
    await save()
    expect((await read()).variables).toEqual([])
    await publish()
    const { variables: shown, ends } = await read()
    expect([shown, ends]).toEqual([variables, [end]])
    const revisions = await app.database.db
      .select({ number: formRevisions.number, variables: formRevisions.variables, ends: formRevisions.ends })
      .from(formRevisions)
      .where(eq(formRevisions.formId, formId))
      .orderBy(formRevisions.number)
    expect(revisions).toEqual([
      { number: 1, variables: '[]', ends: '[]' },
      { number: 2, variables: JSON.stringify(variables), ends: JSON.stringify([end]) },
    ])
  })

  test('stay when a draft is saved without them', async () => {
    await save()
    const { title, pages } = await draft()
    await acme.perform((tx, caller) => saveDraft(tx, caller, formId, { title: `${title}!`, pages }))
    const saved = await draft()
    expect([saved.title, saved.variables, saved.ends]).toEqual(['Survey!', variables, [end]])
  })

  test('are undone, done again and discarded with everything else', async () => {
    await save()
    const undone = await acme.perform((tx, caller) => undoEdit(tx, caller, { formId }))
    expect([undone.variables, undone.ends]).toEqual([variables, []])
    const redone = await acme.perform((tx, caller) => redoEdit(tx, caller, { formId }))
    expect(redone.ends).toEqual([end])
    const discarded = await acme.perform((tx, caller) => discardDraft(tx, caller, { formId }))
    expect([discarded.variables, discarded.ends, discarded.isChanged]).toEqual([[], [], false])
  })
})

test('a copy reacts to its own questions', async () => {
  await acme.perform((tx, caller) => changeVariables(tx, caller, { formId }, variables))
  const points = when({ variable: 'POINTS', op: 'at_least', value: 90 }, { question: why, op: 'answered' })
  await acme.perform((tx, caller) => addEnd(tx, caller, { formId }, { ...end, showIf: points as never }))
  const copy = await acme.perform((tx, caller) => copyForm(tx, caller, formId))
  const content = contentOf(await formRecordOf(app.database.db, acme.tenantId, copy.id))
  const [first, second] = content.pages[0]?.questions ?? []
  expect(first?.id).toBeGreaterThan(why)
  expect([second?.showIf as unknown, content.variables, content.ends[0]?.showIf as unknown]).toEqual([
    low(first?.id as number),
    variables,
    when({ variable: 'POINTS', op: 'at_least', value: 90 }, { question: second?.id, op: 'answered' }),
  ])
})

test('a form that was stored before there were conditions has none, and nothing to publish', async () => {
  await change(why, { showIf: null })
  await publish()
  const [row] = await app.database.db.select({ pages: forms.pages }).from(forms).where(eq(forms.id, formId))
  const before = row?.pages.replaceAll(',"showIf":null', '') as string
  expect(before).not.toContain('showIf')
  await acme.perform((tx) => tx.update(forms).set({ pages: before }).where(eq(forms.id, formId)))
  const { pages } = await read()
  expect([pages[0].showIf, ...pages[0].questions.map(({ showIf }: { showIf: unknown }) => showIf)]).toEqual([
    null,
    null,
    null,
  ])
  const now = await draft()
  expect(now.isChanged).toBe(false)
  const saved = await acme.perform((tx, caller) => saveDraft(tx, caller, formId, now))
  expect([saved.isChanged, changesBetween(await published(), saved)]).toEqual([false, []])
})
