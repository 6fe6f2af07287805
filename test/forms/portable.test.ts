import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { saveDraft } from '../../src/forms/drafts.ts'
import { getForm } from '../../src/forms/operations.ts'
import { importForm } from '../../src/forms/portable/import.ts'
import type { FormFile } from '../../src/forms/portable/model.ts'
import { readFormFile, SERVED } from '../../src/forms/portable/read.ts'
import { exportForm, writeForm } from '../../src/forms/portable/write.ts'
import { questionTypeNames } from '../../src/forms/question-types/index.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import { getTenantSettings, updateTenant } from '../../src/tenants/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { png } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { translate } from '../support/forms/translated.ts'
import { woff2 } from '../support/pages/fonts.ts'
import { refusalOf } from '../support/refusal.ts'
import { cases } from './logic/cases.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app?.close())

const exported = (tenant: TestTenant, id: string) => exportForm(app.database.db, tenant.tenantId, id)
const bytesOf = (file: unknown) => new TextEncoder().encode(typeof file === 'string' ? file : JSON.stringify(file))
async function imported(tenant: TestTenant, file: unknown): Promise<string> {
  const read = await readFormFile(bytesOf(file), SERVED)
  return (await tenant.perform((tx, caller) => importForm(tx, caller, read))).id
}
const refusal = (tenant: TestTenant, file: unknown) =>
  imported(tenant, file).then(
    () => 'taken',
    (error) => error.message,
  )
const created = async (tenant: TestTenant, form: object): Promise<string> => {
  const { status, body } = await tenant.post('/v1/forms', { title: 'Survey', ...form })
  expect([status, body.message]).toEqual([201, undefined])
  return body.id
}

/** The file with the places of pages and questions instead of their ids. */
function normal(file: FormFile): unknown {
  const questions = file.pages.flatMap((page) => page.questions)
  const placeOf = (id: number | string) => questions.findIndex((question) => question.id === id)
  const text = JSON.stringify({
    ...file,
    pages: file.pages.map((page, index) => ({
      ...page,
      id: index,
      questions: page.questions.map((question) => ({ ...question, id: placeOf(question.id) })),
    })),
    texts: Object.entries(file.texts).map(([language, texts]) => [
      language,
      Object.entries(texts).map(([key, value]) => [
        key
          .replace(/^q(\d+)/, (_, id) => `q at ${placeOf(Number(id))}`)
          .replace(/^page(\d+)/, (_, id) => `page at ${file.pages.findIndex((page) => page.id === Number(id))}`),
        value,
      ]),
    ]),
  })
  return JSON.parse(text.replace(/"question":(\d+)/g, (_, id) => `"question":"at ${placeOf(Number(id))}"`))
}

/** A form with all that a form can have. */
async function wholeForm(tenant: TestTenant): Promise<string> {
  const questions = questionTypeNames.map((type) => questionBody(type, { text: `<b>${type}</b>` }))
  const showIf = { match: 'all', conditions: [{ question: 'LIKELY', op: 'at_most', value: 6 }] }
  const id = await created(tenant, {
    description: '<p>Hello</p>',
    pages: [
      { title: 'One', questions: [{ type: 'nps', text: 'Likely?', friendlyId: 'LIKELY' }, ...questions] },
      // Sanitised, it is longer than what may be sent.
      { title: 'Two', showIf, questions: [{ type: 'textbox', text: '&'.repeat(9000), showIf }] },
    ],
    variables: [{ name: 'TOTAL', formula: '{LIKELY} * 2' }],
    ends: [
      { showIf, thanks: '<p>Oh</p>' },
      { showIf: null, redirect: 'https://acme.test/' },
    ],
  })
  await tenant.perform((tx, caller) =>
    changeSettings(tx, caller, id, {
      thanks: `<b>${'&'.repeat(9000)}</b>`,
      mode: 'step',
      accent: '#123456',
      hidden: ['campaign'],
      notify: ['ada@acme.test'],
      closes: '2030-01-01T00:00:00Z',
      maxResponses: 7,
      copy: true,
      later: true,
      logo: png,
      cover: png,
      fontFile: woff2({ family: 'Acme' }),
    }),
  )
  const { pages } = await getForm(app.database.db, tenant.tenantId, id)
  const [first, last] = [pages[0]?.questions[0]?.id, pages[1]?.questions[0]?.id]
  const choice = pages[0]?.questions.find(({ type }) => type === 'choose_one')?.id
  const texts = {
    title: 'Umfrage',
    thanks: '<p>Danke</p>',
    [`page${pages[1]?.id}.title`]: 'Zwei',
    [`q${first}.text`]: 'Wie?',
    [`q${choice}.options[0]`]: 'Rot',
    [`q${last}.text`]: '&'.repeat(9000),
    'ends[0].thanks': '<p>Oje</p>',
  }
  await translate(tenant, { id }, 'de', texts)
  await translate(tenant, { id }, 'fr', { title: 'Enquête' })
  return id
}

describe('a form as a file', () => {
  test('is written in parts as it would be at once', async () => {
    const acme = await app.createTenant('Parts')
    const file = await exported(acme, await wholeForm(acme))
    const text = await writeForm(file)
    expect(text).toBe(`${JSON.stringify(file, null, 2)}\n`)
    expect(text).toContain('\n      "questions": [\n')
  })

  test('is the same form once it is imported, with all that a form can have', async () => {
    const acme = await app.createTenant('Whole')
    const file = await exported(acme, await wholeForm(acme))
    expect(Object.keys(file.texts)).toEqual(['de', 'fr'])
    expect(Object.keys(file.texts.de ?? {})).toHaveLength(7)
    const again = await exported(acme, await imported(acme, await writeForm(file)))
    expect(again.pages[0]?.id).not.toBe(file.pages[0]?.id)
    expect(normal(again)).toEqual(normal(file))
  })

  test('is the same in another tenant, whose language is another', async () => {
    const acme = await app.createTenant('From')
    const other = await app.createTenant('To')
    const settings = await getTenantSettings(app.database.db, other.tenantId)
    await other.perform((tx, caller) => updateTenant(tx, caller, { ...settings, language: 'de' }))
    const file = await exported(acme, await wholeForm(acme))
    const again = await exported(other, await imported(other, file))
    expect(normal(again)).toEqual(normal({ ...file, settings: { ...file.settings, language: 'en' } }))
  })

  test('is the same whatever decides on what is shown', async () => {
    const acme = await app.createTenant('Cases')
    for (const { name, form, hiddenFields = [] } of cases) {
      const id = await created(acme, { title: name.slice(0, 255), ...form })
      if (hiddenFields.length > 0) {
        await acme.perform((tx, caller) => changeSettings(tx, caller, id, { hidden: hiddenFields }))
      }
      const file = await exported(acme, id)
      expect(normal(await exported(acme, await imported(acme, file)))).toEqual(normal(file))
    }
  })

  test('holds what is drafted, with translations of what the form said before marked as such', async () => {
    const acme = await app.createTenant('Drafts')
    const id = await created(acme, { questions: [{ type: 'textbox', text: 'Name' }] })
    const before = await exported(acme, id)
    const [page] = before.pages
    const key = `q${page?.questions[0]?.id}.text`
    await translate(acme, { id }, 'de', { [key]: 'Name?' })
    const questions = page?.questions.map((question) => ({ ...question, text: 'Your name' })) ?? []
    await acme.perform((tx, caller) =>
      saveDraft(tx, caller, id, { title: 'Survey', pages: [{ id: page?.id as number, questions }] }),
    )
    const file = await exported(acme, id)
    expect(file.texts.de).toEqual({ [key]: { text: 'Name?', of: expect.any(String) } })
    const copy = await imported(acme, file)
    expect(normal(await exported(acme, copy))).toEqual(normal(file))
    expect((await getForm(app.database.db, acme.tenantId, copy)).publishedAt).toBeNull()
  })

  test('may be written by hand, without ids and with little in it', async () => {
    const acme = await app.createTenant('By hand')
    const pages = [{ questions: [{ type: 'textbox', text: '<b onclick="x">Name</b><script>1</script>' }] }]
    const id = await imported(acme, { frontdesk: 'form/1', title: 'Survey', language: 'en', pages })
    const form = await getForm(app.database.db, acme.tenantId, id)
    expect(form).toMatchObject({ title: 'Survey', description: null, pages: [{ questions: [{ type: 'textbox' }] }] })
    expect(form.pages[0]?.questions[0]?.text).toBe('<b>Name</b>')
  })

  test('is not another tenant’s to export', async () => {
    const acme = await app.createTenant('Own')
    const id = await created(acme, {})
    const other = await app.createTenant('Stranger')
    expect(await refusalOf(exported(other, id))).toContain('form not found')
  })
})

describe('a file that is no form', () => {
  const asked = { type: 'choose_one', text: 'Which?', options: ['Red', 'Blue'] }
  const file = {
    frontdesk: 'form/1',
    title: 'Survey',
    language: 'en',
    pages: [{ id: 1, questions: [{ id: 1, ...asked }] }],
    settings: {},
    texts: { de: { 'q1.text': 'Welche?' } },
  }
  const later = { match: 'all', conditions: [{ question: 2, op: 'answered' }] }
  const page = (...questions: object[]) => ({ ...file, texts: {}, pages: [{ questions }] })
  const refused: [place: string, file: unknown][] = [
    ['file: must be well-formed JSON', '{"frontdesk": "form/1",'],
    ['file: must be a JSON object', '[]'],
    ['file: must not be nested deeper than 32 levels', '{"a":'.repeat(40)],
    ['file: must not hold more than 40000 keys', `{${'"a":1,'.repeat(40_001)}"b":1}`],
    ['file: unknown field "more"', { ...file, more: 1 }],
    ['__proto__: ', '{"frontdesk": "form/1", "__proto__": {}}'],
    ['frontdesk: must be one of form/1', { ...file, frontdesk: 'form/2' }],
    ['title: must be 1 to 255 characters', { ...file, title: ' ' }],
    ['title: must be a string', { ...file, title: 5 }],
    ['language: must be a language tag', { ...file, language: 'x' }],
    ['pages: must be a list', { ...file, pages: {} }],
    ['pages: at least one page is required', { ...file, pages: [] }],
    ['pages[0]: must be an object', { ...file, pages: [1] }],
    ['pages[0].questions[0].type: must be one of', page({ type: 'none' })],
    ['pages[0].questions[0]: unknown field "labels"', page({ ...asked, labels: ['x'] })],
    ['pages[0].questions[0].text: must be a string', page({ ...asked, text: 1 })],
    ['pages[0].questions[0].text: must be at most', page({ ...asked, text: 'x'.repeat(60_001) })],
    ['pages[0].questions[0].text: must be at most 10000', page({ ...asked, text: `${'x'.repeat(10_001)}<script>` })],
    ['pages[0].questions[1].id: given twice', page({ ...asked, id: 1 }, { ...asked, id: 1 })],
    ['pages[0].questions[0].id: must be an integer', page({ ...asked, id: 1.5 })],
    ['pages[0].questions[0].showIf.conditions[0]', page({ ...asked, id: 1, showIf: later }, { ...asked, id: 2 })],
    ['variables: must be a list', { ...file, variables: 'x' }],
    ['ends: must be a list', { ...file, ends: 'x' }],
    ['ends[0]: must be an object', { ...file, ends: [null] }],
    ['ends[0].thanks: must be a string', { ...file, ends: [{ showIf: null, thanks: {} }] }],
    ['settings: unknown field "colour"', { ...file, settings: { colour: 1 } }],
    ['settings.mode: must be one of', { ...file, settings: { mode: 'x' } }],
    ['settings.redirect: must', { ...file, settings: { redirect: 'http://acme.test' } }],
    ['settings.hidden[1]: ', { ...file, settings: { hidden: ['a', 'A'] } }],
    ['settings.logo: must be a file', { ...file, settings: { logo: '<svg/>' } }],
    ['settings.logo: ', { ...file, settings: { logo: Buffer.from('<svg/>').toString('base64') } }],
    ['texts: must be an object', { ...file, texts: [] }],
    ['texts.d: must be a language tag', { ...file, texts: { d: {} } }],
    ['texts.en: is the form’s own language', { ...file, texts: { en: { title: 'x' } } }],
    ['texts.de: the form has no text "q2.text"', { ...file, texts: { de: { 'q2.text': 'x' } } }],
    ['texts.de.title: must be a string', { ...file, texts: { de: { title: { text: 1 } } } }],
    ['texts.de.title: must be an object', { ...file, texts: { de: { title: 1 } } }],
    ['texts.de.q1.text: must be at most', { ...file, texts: { de: { 'q1.text': `${'x'.repeat(10_001)}<x>` } } }],
    ['texts.de.q1.text: a form must hold at most', { ...file, texts: { de: { 'q1.text': '<'.repeat(5001) } } }],
  ]

  test.each(refused)('is refused whole: %s', async (place, hostile) => {
    const acme = await app.createTenant('Hostile')
    expect(await refusal(acme, file)).toBe('taken')
    expect(await refusal(acme, hostile)).toStartWith(place)
    expect((await acme.get('/v1/forms')).body.items).toHaveLength(1)
  })

  test('is refused for its size before it is read', async () => {
    const huge = new Uint8Array(SERVED.size + 1)
    expect(await refusalOf(readFormFile(huge, SERVED))).toContain('file: must be at most 8 MiB')
    const list = bytesOf(`{"frontdesk":"form/1","pages":[${'0,'.repeat(1_000_000)}0]}`)
    expect(await refusalOf(readFormFile(list, SERVED))).toContain('file: must be at most 1 MiB')
  })
})
