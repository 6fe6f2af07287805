import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { forms } from '../../src/db/schema.ts'
import type { DraftInput } from '../../src/forms/draft-content.ts'
import { getDraft, saveDraft } from '../../src/forms/drafts.ts'
import { publishForm, trashForm } from '../../src/forms/publishing.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { begin, complete, createPublished, resume, type TestForm } from '../support/forms/collecting.ts'
import { setUpForm } from '../support/pages/fixtures.ts'
import { refusal as codeAndMessage } from '../support/refusal.ts'

const MINUTE = 60_000

let app: TestApp
let acme: TestTenant
let form: TestForm

setUpForm(
  [
    { type: 'nps', text: 'Likely?', friendlyId: 'LIKELY' },
    { type: 'textbox', text: 'Why?' },
  ],
  (fixture) => {
    ;({ app, acme, form } = fixture)
  },
)

async function refusal(work: Promise<unknown>) {
  const [code, message] = await codeAndMessage(work)
  return { code, message }
}
const read = async (id = form.id) => (await acme.get(`/v1/forms/${id}`)).body
const draft = () => getDraft(app.database.db, acme.tenantId, form.id)
const save = (input: DraftInput) => acme.perform((tx, caller) => saveDraft(tx, caller, form.id, input))
const publish = () => acme.perform((tx, caller) => publishForm(tx, caller, form.id))
const answersOf = async (id: string) =>
  (await acme.get(`/v1/forms/${form.id}/responses/${id}`)).body.answers.map(
    ({ questionText, type, value }: { questionText: string; type: string; value: unknown }) => [
      questionText,
      type,
      value,
    ],
  )

/** The draft with its one page's questions changed. */
async function edit(change: (questions: Record<string, unknown>[]) => Record<string, unknown>[]): Promise<DraftInput> {
  const { title, description, pages } = await draft()
  const [page] = pages
  return { title, description, pages: [{ ...page, questions: change(page?.questions ?? []) }] }
}

describe('a draft', () => {
  test('of a published form is what is published, until it is changed', async () => {
    const { title, description, pages, variables, ends } = await read()
    expect(await draft()).toEqual({ title, description, pages, variables, ends, isChanged: false, version: 0 })
  })

  test('is not seen by the API or by respondents before it is published, and moves no time', async () => {
    const before = await read()
    app.clock.advance(MINUTE)
    await save(
      await edit(([nps]) => [
        { ...nps, text: 'How likely?' },
        { type: 'binary', text: 'Again?' },
      ]),
    )
    expect(await read()).toEqual(before)
    const definition = (await app.request('GET', `/f/${form.launchCode}/definition`)).body
    expect(definition.pages).toEqual(before.pages)
    expect((await draft()).isChanged).toBe(true)
    const sent = await begin(acme, form, [9, 'Nice'])
    expect(sent.response.answers).toHaveLength(2)
  })

  test('published is what the form is from then on, with the ids of what was kept', async () => {
    const before = await read()
    app.clock.advance(MINUTE)
    const saved = await save({
      ...(await edit(([nps, why]) => [{ type: 'binary', text: 'Again?' }, { ...why, required: true }, { ...nps }])),
      title: 'Survey of March',
      description: '<b>New</b><script>x</script>',
    })
    await publish()
    const after = await read()
    expect(after).toEqual({
      ...before,
      title: 'Survey of March',
      description: '<b>New</b>',
      pages: saved.pages,
      updatedAt: new Date(app.clock.now()).toISOString(),
    })
    const ids = after.pages[0].questions.map(({ id }: { id: number }) => id)
    expect(ids.slice(1)).toEqual(form.questionIds.toReversed())
    expect(form.questionIds).not.toContain(ids[0])
    expect(after.pages[0].id).toBe(before.pages[0].id)
    expect((await draft()).isChanged).toBe(false)
  })

  test('changed back leaves nothing to publish', async () => {
    await save(await edit((questions) => questions.slice(1)))
    const { title, description, pages } = await read()
    expect((await save({ title, description, pages })).isChanged).toBe(false)
    const before = await read()
    app.clock.advance(MINUTE)
    await publish()
    expect(await read()).toEqual(before)
  })

  test('of a form that was never published is the form', async () => {
    const { body } = await acme.post('/v1/forms', { title: 'New', questions: [{ type: 'nps' }] })
    form = { ...form, id: body.id }
    app.clock.advance(MINUTE)
    await save({ title: 'Newer', pages: [{ questions: [{ type: 'binary' }] }] })
    expect(await read()).toMatchObject({
      title: 'Newer',
      publishedAt: null,
      updatedAt: new Date(app.clock.now()).toISOString(),
      pages: [{ questions: [{ type: 'binary' }] }],
    })
  })

  test('never uses an id again, not even of a question that was only drafted', async () => {
    const idsOf = ({ pages }: { pages: { questions: { id: number }[] }[] }) =>
      pages.flatMap(({ questions }) => questions.map(({ id }) => id))
    const seen = new Set(form.questionIds)
    for (let round = 0; round < 3; round++) {
      const [id] = idsOf(await save(await edit(() => [{ type: 'nps' }])))
      expect(seen.has(id as number)).toBe(false)
      seen.add(id as number)
    }
    await publish()
    const gone = await refusal(edit((questions) => [...questions, { id: form.questionIds[0], type: 'nps' }]).then(save))
    expect(gone.message).toBe('pages[0].questions[1].id: the form has no such question, or it is named twice')
  })

  test.each<[string, (questions: Record<string, unknown>[]) => Record<string, unknown>[], string]>([
    [
      'an id of no question',
      () => [{ id: 999, type: 'nps' }],
      'pages[0].questions[0].id: the form has no such question',
    ],
    [
      'a question twice',
      ([nps]) => [{ ...nps }, { ...nps }],
      'pages[0].questions[1].id: the form has no such question',
    ],
    [
      'another type for a question',
      ([nps]) => [{ ...nps, type: 'numeric' }],
      'pages[0].questions[0].type: a question keeps its type, here nps',
    ],
    [
      'a question that breaks a rule',
      ([nps]) => [{ ...nps }, { type: 'choose_one', options: ['A'] }],
      'pages[0].questions[1].options: at least 2 options are required',
    ],
    ['an unknown type', () => [{ type: 'essay' }], 'pages[0].questions[0].type'],
  ])('with %s is refused, and nothing is kept of it', async (_, change, message) => {
    const before = await draft()
    const { code, message: said } = await refusal(edit(change).then(save))
    expect([code, said.startsWith(message) || said]).toEqual(['invalid_request', true])
    expect(await draft()).toEqual(before)
  })

  test('without pages, with a blank title or of a form in the trash is refused', async () => {
    const input = await edit((questions) => questions)
    expect((await refusal(save({ ...input, pages: [] }))).message).toBe('pages: at least one page is required')
    expect((await refusal(save({ ...input, title: ' ' }))).message).toStartWith('title: must be 1 to 255')
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    expect((await refusal(save(input))).code).toBe('not_found')
  })

  test('of another tenant’s form cannot be read or written', async () => {
    const input = await edit((questions) => questions)
    const other = await app.createTenant()
    const write = other.perform((tx, caller) => saveDraft(tx, caller, form.id, input))
    expect((await refusal(write)).code).toBe('not_found')
    expect((await refusal(getDraft(app.database.db, other.tenantId, form.id))).code).toBe('not_found')
  })
})

describe('a response', () => {
  const change = async () => {
    await save(
      await edit(([nps]) => [
        { ...nps, text: 'How likely?' },
        { type: 'binary', text: 'Again?', required: true },
      ]),
    )
    await publish()
  }

  test('shows the questions as they were asked, after they were changed or taken out', async () => {
    const { response } = await complete(acme, form, [9, 'Nice'])
    await change()
    const asked = [
      ['Likely?', 'nps', 9],
      ['Why?', 'textbox', 'Nice'],
    ]
    expect(await answersOf(response.id)).toEqual(asked)
    const after = { ...form, questionIds: (await read()).pages[0].questions.map(({ id }: { id: number }) => id) }
    await complete(acme, after, [7, true])
    const { items } = (await acme.get(`/v1/forms/${form.id}/responses`)).body
    expect(
      items.map(({ answers }: { answers: { questionText: string }[] }) => answers.map((a) => a.questionText)),
    ).toEqual([
      ['How likely?', 'Again?'],
      ['Likely?', 'Why?'],
    ])
  })

  test('begun before a publishing is completed in its own revision, by that one’s rules', async () => {
    const begun = await begin(acme, form, [9])
    await change()
    const { answers, scores } = await resume(acme, form, begun, [undefined, 'Nice'], true)
    expect([answers.map(({ questionText }) => questionText), scores.total]).toEqual([['Likely?', 'Why?'], 9])
    const payload = (await acme.events()).at(-1)?.payload
    expect(payload.response.answers[1]).toMatchObject({ questionText: 'Why?', value: 'Nice' })
  })

  test('begun after it answers the new questions, and no others', async () => {
    await change()
    const old = await refusal(complete(acme, form, [9, 'Nice']))
    expect(old.message).toBe(`answers[1] (question ${form.questionIds[1]}): the form has no such question`)
    const missing = await refusal(complete(acme, { ...form, questionIds: form.questionIds.slice(0, 1) }, [9]))
    expect(missing.message).toContain('is required')
  })
})

test('a question that was stored before its type got a field has its default, published, drafted and asked', async () => {
  const older = await createPublished(acme, [{ type: 'file_upload', fileUploadSlots: ['CV'] }])
  const { pages } = await read(older.id)
  const [page] = pages
  const { maxFiles, ...stored } = page.questions[0]
  expect(maxFiles).toBe(1)
  const before = [{ ...page, questions: [stored] }]
  const draft = JSON.stringify({ title: 'Older', description: null, pages: before })
  await acme.perform(async (tx) => {
    await tx
      .update(forms)
      .set({ pages: JSON.stringify(before), draft })
      .where(eq(forms.id, older.id))
  })
  expect((await read(older.id)).pages).toEqual(pages)
  expect((await getDraft(app.database.db, acme.tenantId, older.id)).pages).toEqual(pages)
  const asked = await app.request('GET', `/f/${older.launchCode}/definition`)
  expect(asked.body.pages).toEqual(pages)
})
