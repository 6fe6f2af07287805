import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, asc, eq } from 'drizzle-orm'
import { auditEntries } from '../../src/db/schema.ts'
import { copyForm } from '../../src/forms/copying.ts'
import { getDraft, saveDraft } from '../../src/forms/drafts.ts'
import {
  addPage,
  addQuestion,
  changeIntro,
  changePage,
  changeQuestion,
  duplicatePage,
  duplicateQuestion,
  movePage,
  moveQuestion,
  removePage,
  removeQuestion,
} from '../../src/forms/editing.ts'
import { publishForm, restoreForm, trashForm } from '../../src/forms/publishing.ts'
import { getFile } from '../../src/forms/settings/files.ts'
import { changeSettings, getSettings } from '../../src/forms/settings/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished, type TestForm } from '../support/forms/collecting.ts'
import { png } from '../support/forms/hosted.ts'
import { refusal } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm
let [nps, why]: [number, number] = [0, 0]
let page: number

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [
    { type: 'nps', text: 'Likely?', friendlyId: 'LIKELY' },
    { type: 'textbox', text: 'Why?', rows: 3 },
  ])
  ;[nps, why] = form.questionIds as [number, number]
  page = (await draft()).pages[0]?.id as number
})
afterAll(() => app.close())

const draft = (id = form.id) => getDraft(app.database.db, acme.tenantId, id)
const operations = {
  addPage,
  addQuestion,
  changeIntro,
  changePage,
  changeQuestion,
  duplicatePage,
  duplicateQuestion,
  movePage,
  moveQuestion,
  removePage,
  removeQuestion,
}
type Operations = typeof operations
type Rest<F> = F extends (tx: never, caller: never, edited: never, ...rest: infer R) => unknown ? R : never

/** Makes one edit of the form. */
const edit = <N extends keyof Operations>(name: N, ...rest: Rest<Operations[N]>) => editAt(undefined, name, ...rest)
function editAt<N extends keyof Operations>(expected: number | undefined, name: N, ...rest: Rest<Operations[N]>) {
  const operation = operations[name] as (...all: unknown[]) => ReturnType<typeof addPage>
  return acme.perform((tx, caller) => operation(tx, caller, { formId: form.id, expected }, ...rest))
}

/** Page titles and question texts. */
const outline = async () =>
  (await draft()).pages.map(({ title, questions }) => [title, ...questions.map(({ text }) => text)])
const idsOf = async (id = form.id) =>
  (await draft(id)).pages.flatMap(({ id, questions }) => [
    `page ${id}`,
    ...questions.map((question) => `question ${question.id}`),
  ])

describe('a page', () => {
  test('is added at the end or in a place, named, moved and removed', async () => {
    await edit('addPage', { title: 'Last' })
    await edit('addPage', { at: 0 })
    expect(await outline()).toEqual([[null], [null, 'Likely?', 'Why?'], ['Last']])
    const [first, , last] = (await draft()).pages.map(({ id }) => id) as [number, number, number]
    await edit('changePage', first, { title: '<b>First</b><script>x</script>' })
    await edit('movePage', last, 0)
    expect(await outline()).toEqual([['Last'], ['<b>First</b>'], [null, 'Likely?', 'Why?']])
    await edit('removePage', first)
    expect(await outline()).toEqual([['Last'], [null, 'Likely?', 'Why?']])
  })

  test('is duplicated with its questions, under new ids and without their names', async () => {
    await edit('duplicatePage', page)
    const [original, copy] = (await draft()).pages
    const blank = (question: object) => ({ ...question, id: 0, friendlyId: null })
    expect(copy?.questions.map(blank)).toEqual(original?.questions.map(blank) as never)
    expect(copy?.questions.map(({ friendlyId }) => friendlyId)).toEqual([null, null])
    expect(new Set(await idsOf()).size).toBe(6)
  })

  test('that is the only one stays', async () => {
    expect(await refusal(edit('removePage', page))).toEqual(['invalid_request', 'pages: at least one page is required'])
  })
})

describe('a question', () => {
  test('is added at the end or in a place, changed, moved to another page and removed', async () => {
    await edit('addQuestion', { pageId: page, question: { type: 'binary', text: 'Again?' } })
    await edit('addQuestion', { pageId: page, at: 1, question: { type: 'numeric', text: 'How many?' } })
    await edit('changeQuestion', why, { text: 'Why, then?', required: true, rows: null })
    expect(await outline()).toEqual([[null, 'Likely?', 'How many?', 'Why, then?', 'Again?']])
    expect((await draft()).pages[0]?.questions[2]).toMatchObject({ id: why, required: true, rows: 1 })
    await edit('addPage', { title: 'Two' })
    const two = (await draft()).pages[1]?.id as number
    await edit('moveQuestion', why, { pageId: two })
    await edit('moveQuestion', nps, { pageId: two, at: 0 })
    await edit('moveQuestion', nps, { pageId: two, at: 1 })
    expect(await outline()).toEqual([
      [null, 'How many?', 'Again?'],
      ['Two', 'Why, then?', 'Likely?'],
    ])
    await edit('removeQuestion', nps)
    expect(await outline()).toEqual([
      [null, 'How many?', 'Again?'],
      ['Two', 'Why, then?'],
    ])
  })

  test('is duplicated right behind itself, under a new id', async () => {
    await edit('duplicateQuestion', nps)
    const questions = (await draft()).pages[0]?.questions ?? []
    expect(questions.map(({ text, friendlyId }) => [text, friendlyId])).toEqual([
      ['Likely?', 'LIKELY'],
      ['Likely?', null],
      ['Why?', null],
    ])
    expect(new Set(questions.map(({ id }) => id)).size).toBe(3)
  })

  test('is not seen by respondents before the draft is published, and its id never comes again', async () => {
    const before = (await acme.get(`/v1/forms/${form.id}`)).body
    const seen = new Set([nps, why])
    for (let round = 0; round < 3; round++) {
      const added = (await edit('addQuestion', { pageId: page, question: { type: 'nps' } })).pages[0]?.questions.at(-1)
      expect(seen.has(added?.id as number)).toBe(false)
      seen.add(added?.id as number)
      await edit('removeQuestion', added?.id as number)
    }
    await edit('changeIntro', { title: 'Another', description: null })
    expect((await acme.get(`/v1/forms/${form.id}`)).body).toEqual(before)
    await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    expect((await acme.get(`/v1/forms/${form.id}`)).body.title).toBe('Another')
  })

  test.each<[string, () => Promise<unknown>, [string, string]]>([
    ['of no such page', () => edit('addQuestion', { pageId: 9999, question: { type: 'nps' } }), ['not_found', 'page']],
    ['that is not there', () => edit('changeQuestion', 9999, {}), ['not_found', 'question not found']],
    ['moved to no such page', () => edit('moveQuestion', nps, { pageId: 9999 }), ['not_found', 'page not found']],
    [
      'in no such place',
      () => edit('moveQuestion', nps, { pageId: page, at: 2 }),
      ['invalid_request', 'at: must be between 0 and 1'],
    ],
    [
      'of another type than it had',
      () => edit('changeQuestion', nps, { type: 'numeric' }),
      ['invalid_request', 'pages[0].questions[0].type: a question keeps its type, here nps'],
    ],
    [
      'that breaks a rule',
      () => edit('addQuestion', { pageId: page, question: { type: 'choose_one', options: ['A'] } }),
      ['invalid_request', 'pages[0].questions[2].options: at least 2 options are required'],
    ],
    [
      'with the name of another',
      () => edit('changeQuestion', why, { friendlyId: 'LIKELY' }),
      ['invalid_request', 'pages[0].questions[1].friendlyId: LIKELY is already used'],
    ],
  ])('%s is refused, and the draft stays as it was', async (_name, work, [code, message]) => {
    const before = await draft()
    const [gotCode, said] = await refusal(work())
    expect([gotCode, said.startsWith(message) || said]).toEqual([code, true])
    expect(await draft()).toEqual(before)
  })
})

describe('the HTML of a form', () => {
  const long = '&'.repeat(10_000)

  test('that has become longer than what can be sent is in nobody’s way', async () => {
    form = await createPublished(acme, [
      { type: 'nps', text: long },
      { type: 'textbox', text: 'Why?' },
    ])
    const [first, second] = form.questionIds as [number, number]
    await edit('changeQuestion', second, { text: 'Why, then?' })
    await edit('changeQuestion', first, { required: true })
    expect((await draft()).pages[0]?.questions).toMatchObject([
      { text: '&amp;'.repeat(10_000), required: true },
      { text: 'Why, then?' },
    ])
    const copy = await acme.perform((tx, caller) => copyForm(tx, caller, form.id))
    expect(copy.pages[0]?.questions[0]?.text).toBe('&amp;'.repeat(10_000))
    expect(await refusal(edit('changeQuestion', first, { text: `${long}&` }))).toEqual([
      'invalid_request',
      'pages[0].questions[0].text: must be at most 10000 characters',
    ])
  })

  test('is limited as the API limits it, and all together however it grew', async () => {
    expect(await refusal(edit('changeIntro', { description: `${long}&` }))).toEqual([
      'invalid_request',
      'description: must be at most 10000 characters',
    ])
    expect(await refusal(edit('changePage', page, { title: 'x'.repeat(256) }))).toEqual([
      'invalid_request',
      'pages[0].title: must be 1 to 255 characters and not blank',
    ])
    const question = { type: 'nps', text: long }
    for (let i = 0; i < 10; i++) await edit('addQuestion', { pageId: page, question: { ...question } })
    expect(await refusal(edit('addQuestion', { pageId: page, question }))).toEqual([
      'invalid_request',
      'pages[0].questions[12].text: the sanitised HTML of a form must be at most 512 KiB together',
    ])
  })
})

describe('who edits what somebody else changed meanwhile', () => {
  test('is told so, and changes nothing', async () => {
    const { version, ...content } = await draft()
    await editAt(version, 'addPage')
    const conflict = ['conflict', 'somebody else changed the form meanwhile: load it again']
    expect(await refusal(editAt(version, 'removeQuestion', why))).toEqual(conflict as never)
    const save = acme.perform((tx, caller) => saveDraft(tx, caller, form.id, content, { expected: version }))
    expect(await refusal(save)).toEqual(conflict as never)
    expect(await outline()).toEqual([[null, 'Likely?', 'Why?'], [null]])
    await editAt((await draft()).version, 'removeQuestion', why)
  })

  test('at the same moment: one of them changes it', async () => {
    const { version } = await draft()
    const both = await Promise.all([1, 2, 3].map(() => refusal(editAt(version, 'addPage'))))
    expect(both.filter(([code]) => code === 'none')).toHaveLength(1)
  })
})

test('every edit is in the audit log, with what was done', async () => {
  await edit('addPage')
  await edit('changeQuestion', nps, { text: 'Sure?' })
  const entries = await app.database.db
    .select({ recordId: auditEntries.recordId, fields: auditEntries.fields })
    .from(auditEntries)
    .where(and(eq(auditEntries.tenantId, acme.tenantId), eq(auditEntries.action, 'form.drafted')))
    .orderBy(asc(auditEntries.number))
  expect(entries).toEqual([
    { recordId: form.id, fields: 'page added' },
    { recordId: form.id, fields: `question ${nps} changed` },
  ])
})

describe('a copy of a form', () => {
  test('asks what its draft asks, under ids of its own, unpublished, and changes nothing of it', async () => {
    await edit('changeQuestion', nps, { text: 'Drafted?' })
    const before = await draft()
    const copy = await acme.perform((tx, caller) => copyForm(tx, caller, form.id))
    expect(copy).toMatchObject({ title: 'Survey (copy)', status: 'inactive', publishedAt: null })
    expect(copy.pages[0]?.questions.map(({ text, friendlyId }) => [text, friendlyId])).toEqual([
      ['Drafted?', 'LIKELY'],
      ['Why?', null],
    ])
    expect([copy.id, copy.launchCode]).not.toContain(form.id)
    const [ids, copied] = [await idsOf(), await idsOf(copy.id)]
    expect(copied.filter((id) => ids.includes(id))).toEqual([])
    expect(await draft()).toEqual(before)
  })

  test('has its settings and its logo, but closes when it is told to', async () => {
    const changes = { accent: '#0a7d4f', hidden: ['campaign'], logo: png, maxResponses: 5 }
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, changes))
    const { id } = await acme.perform((tx, caller) => copyForm(tx, caller, form.id))
    const { db } = app.database
    const settings = await getSettings(db, acme.tenantId, form.id)
    expect(await getSettings(db, acme.tenantId, id)).toEqual({ ...settings, maxResponses: null })
    expect(new Uint8Array((await getFile(db, acme.tenantId, id, 'logo')).bytes)).toEqual(png)
  })

  test('of another tenant’s form is not made', async () => {
    const other = await app.createTenant()
    const copy = other.perform((tx, caller) => copyForm(tx, caller, form.id))
    expect(await refusal(copy)).toEqual(['not_found', 'form not found'])
  })
})

describe('a form restored from the trash', () => {
  const restore = (tenant = acme) => tenant.perform((tx, caller) => restoreForm(tx, caller, form.id))

  test('is there again with its responses, and closed', async () => {
    await complete(acme, form, [9])
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    expect((await acme.get(`/v1/forms/${form.id}`)).status).toBe(404)
    app.clock.advance(1000)
    expect(await restore()).toMatchObject({ id: form.id, status: 'inactive' })
    expect((await acme.get(`/v1/forms/${form.id}`)).body.updatedAt).toBe(new Date(app.clock.now()).toISOString())
    expect((await acme.get(`/v1/forms/${form.id}/responses`)).body.items).toHaveLength(1)
    expect((await app.request('GET', `/f/${form.launchCode}`)).status).toBe(404)
  })

  test('has to be in it, and the tenant’s', async () => {
    expect(await refusal(restore())).toEqual(['not_found', 'form not found'])
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    expect(await refusal(restore(await app.createTenant()))).toEqual(['not_found', 'form not found'])
  })
})
