import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { changesBetween, type FormChange } from '../../src/forms/changes.ts'
import { getDraft } from '../../src/forms/drafts.ts'
import {
  addPage,
  addQuestion,
  changeIntro,
  changeQuestion,
  moveQuestion,
  removeQuestion,
} from '../../src/forms/editing.ts'
import { editsOf } from '../../src/forms/edits.ts'
import { getForm } from '../../src/forms/operations.ts'
import { publishForm } from '../../src/forms/publishing.ts'
import { discardDraft, redoEdit, undoEdit } from '../../src/forms/undoing.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, createUnpublished, type TestForm } from '../support/forms/collecting.ts'
import { refusal } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm
let [first, second, third]: [number, number, number] = [0, 0, 0]
let page: number

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [
    { type: 'nps', text: 'One' },
    { type: 'textbox', text: 'Two' },
    { type: 'textbox', text: 'Three' },
  ])
  ;[first, second, third] = form.questionIds as [number, number, number]
  page = (await draft()).pages[0]?.id as number
})
afterAll(() => app.close())

const draft = () => getDraft(app.database.db, acme.tenantId, form.id)
const published = () => getForm(app.database.db, acme.tenantId, form.id)
const edits = () => editsOf(app.database.db, acme.tenantId, form.id)
const texts = async () => (await draft()).pages.map(({ questions }) => questions.map(({ text }) => text).join(' '))
const edited = (expected?: number) => ({ formId: form.id, expected })
const undo = (expected?: number) => acme.perform((tx, caller) => undoEdit(tx, caller, edited(expected)))
const redo = () => acme.perform((tx, caller) => redoEdit(tx, caller, edited()))
const remove = (id: number) => acme.perform((tx, caller) => removeQuestion(tx, caller, edited(), id))
const rename = (id: number, text: string) =>
  acme.perform((tx, caller) => changeQuestion(tx, caller, edited(), id, { text }))

describe('the last changes', () => {
  test('are undone one after the other, and done again, with the ids that questions had', async () => {
    const before = await draft()
    await remove(second)
    await rename(third, '3')
    const after = await draft()
    expect(await edits()).toEqual({ undo: `question ${third} changed`, redo: null })
    await undo()
    expect(await texts()).toEqual(['One Three'])
    await undo()
    const undone = await draft()
    expect([undone.pages, undone.isChanged]).toEqual([before.pages, false])
    expect(await edits()).toEqual({ undo: null, redo: `question ${second} removed` })
    await redo()
    await redo()
    expect((await draft()).pages).toEqual(after.pages)
    await undo()
    expect(await texts()).toEqual(['One Three'])
  })

  test('bring back a question that was never published', async () => {
    await acme.perform((tx, caller) =>
      addQuestion(tx, caller, edited(), { pageId: page, question: { type: 'binary', text: 'New' } }),
    )
    const added = (await draft()).pages[0]?.questions[3]?.id as number
    await remove(added)
    await undo()
    expect((await draft()).pages[0]?.questions[3]).toMatchObject({ id: added, text: 'New' })
    await rename(added, 'Newer')
    expect(await texts()).toEqual(['One Two Three Newer'])
  })

  test('of one thing by one person within a minute are one', async () => {
    await rename(first, 'O')
    await rename(first, 'On')
    app.clock.advance(61_000)
    await rename(first, 'Onc')
    await rename(second, 'Tw')
    await rename(first, 'Once')
    for (const expected of ['Onc Tw Three', 'Onc Two Three', 'On Two Three', 'One Two Three']) {
      await undo()
      expect(await texts()).toEqual([expected])
    }
    expect(await refusal(undo())).toEqual(['conflict', 'there is nothing to undo'])
  })

  test('cannot be done again after another change', async () => {
    await remove(second)
    await undo()
    await rename(first, '1')
    expect(await edits()).toEqual({ undo: `question ${first} changed`, redo: null })
    expect(await refusal(redo())).toEqual(['conflict', 'there is nothing to redo'])
  })

  test('are 50 at most', async () => {
    for (let i = 0; i < 52; i++) await acme.perform((tx, caller) => addPage(tx, caller, edited()))
    for (let i = 0; i < 50; i++) await undo()
    expect((await draft()).pages.length).toBe(3)
    expect(await refusal(undo())).toEqual(['conflict', 'there is nothing to undo'])
  })

  test('are not undone over somebody else’s', async () => {
    const { version } = await remove(second)
    await remove(third)
    expect((await refusal(undo(version)))[0]).toBe('conflict')
    expect(await texts()).toEqual(['One'])
  })

  test('are forgotten when they are published, which publishes what was seen alone', async () => {
    const { version } = await remove(second)
    await remove(third)
    const publish = (expected?: number) => acme.perform((tx, caller) => publishForm(tx, caller, form.id, expected))
    expect((await refusal(publish(version)))[0]).toBe('conflict')
    expect((await published()).pages[0]?.questions.length).toBe(3)
    await publish(version + 1)
    expect((await published()).pages[0]?.questions.length).toBe(1)
    expect(await edits()).toEqual({ undo: null, redo: null })
  })

  test('are discarded all together, which can be undone', async () => {
    await remove(second)
    await acme.perform((tx, caller) => discardDraft(tx, caller, edited()))
    expect([(await draft()).isChanged, await texts()]).toEqual([false, ['One Two Three']])
    await undo()
    expect(await texts()).toEqual(['One Three'])
    form = await createUnpublished(acme, [])
    const discard = acme.perform((tx, caller) => discardDraft(tx, caller, edited()))
    expect(await refusal(discard)).toEqual(['conflict', 'the form has never been published'])
  })

  test('belong to their tenant', async () => {
    await remove(second)
    const other = await app.createTenant('Other')
    const theirs = other.perform((tx, caller) => undoEdit(tx, caller, edited()))
    expect((await refusal(theirs))[0]).toBe('not_found')
    expect(await editsOf(app.database.db, other.tenantId, form.id)).toEqual({ undo: null, redo: null })
  })
})

describe('what publishing would change', () => {
  const told = async () => changesBetween(await published(), await draft()).map(brief)
  const brief = (change: FormChange) => {
    if ('question' in change)
      return [change.kind, change.question.text, change.at, ...('fields' in change ? change.fields : [])]
    return 'page' in change ? [change.kind, change.page.title, change.at] : [change.kind]
  }

  test('is nothing where nothing differs', async () => {
    expect(await told()).toEqual([])
  })

  test('is told once for each thing: of the form, its pages and its questions', async () => {
    await acme.perform(async (tx, caller) => {
      await changeIntro(tx, caller, edited(), { title: 'Another', description: 'Why' })
      await addPage(tx, caller, edited(), { title: 'More' })
      await addQuestion(tx, caller, edited(), { pageId: page, at: 1, question: { type: 'binary', text: 'New' } })
      await changeQuestion(tx, caller, edited(), first, { text: '1', required: true })
      await removeQuestion(tx, caller, edited(), second)
    })
    expect(await told()).toEqual([
      ['title'],
      ['description'],
      ['page_added', 'More', 1],
      ['question_changed', '1', 0, 'text', 'required'],
      ['question_added', 'New', 1],
      ['question_removed', 'Two', 1],
    ])
  })

  test('has moved only what did not make way', async () => {
    const move = (id: number, pageId: number, at?: number) =>
      acme.perform((tx, caller) => moveQuestion(tx, caller, edited(), id, { pageId, at }))
    await move(third, page, 0)
    expect(await told()).toEqual([['question_moved', 'Three', 0]])
    await move(third, page)
    expect(await told()).toEqual([])
    await acme.perform((tx, caller) => addPage(tx, caller, edited()))
    await move(third, (await draft()).pages[1]?.id as number)
    expect(await told()).toEqual([
      ['page_added', null, 1],
      ['question_moved', 'Three', 2],
    ])
  })
})
