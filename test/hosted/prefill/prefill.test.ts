import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { questionsOf } from '../../../src/forms/pages.ts'
import type { QuestionType } from '../../../src/forms/question-types/index.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import { prefillOf } from '../../../src/hosted/prefill.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createPublished, type TestForm } from '../../support/forms/collecting.ts'
import { questionBody } from '../../support/forms/questions.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** What an address fills in of one question; `Q` in it stands for `q` and the question's number. */
async function filled(type: QuestionType, settings: object, query: string): Promise<unknown> {
  const form = await createPublished(acme, [questionBody(type, { friendlyId: 'ASKED', ...settings })])
  const { pages } = (await acme.get(`/v1/forms/${form.id}`)).body
  const [id] = form.questionIds as [number]
  return prefillOf(questionsOf(pages), new URLSearchParams(query.replaceAll('Q', `q${id}`)))[id] ?? null
}

const scale = { scales: [{ text: 'Low', opposingText: 'High' }] }
const two = { scales: [...scale.scales, ...scale.scales] }
const fields = {
  contactFields: [{ field: 'first_name', visible: true }, { field: 'email', visible: true }, { field: 'city' }],
}

const fitting: [QuestionType, object, string, unknown][] = [
  ['choose_one', {}, 'Q=Red', { selected: 'Red', other: null }],
  ['dropdown', {}, 'ASKED=Blue', { selected: 'Blue', other: null }],
  ['choose_any', {}, 'Q=Blue&Q=Red', { selected: ['Red', 'Blue'], other: null }],
  ['choose_any', { minSelections: 2 }, 'Q=Red', { selected: ['Red'], other: null }],
  ['choose_any', {}, 'Q=Red&Q=Purple', { selected: ['Red'], other: null }],
  ['multi_dropdown', {}, 'ASKED=Green&ASKED=Green', { selected: ['Green'], other: null }],
  ['likert', scale, 'Q=4', [{ scale: 0, value: 4 }]],
  ['likert_slider', scale, 'Q=5', [{ scale: 0, value: 5 }]],
  ['nps', {}, 'Q=0', 0],
  ['nps', {}, 'Q=10&ASKED=3', 10],
  ['star_rating', {}, 'Q=5', 5],
  ['numeric', {}, 'Q=-2.5', -2.5],
  ['binary', {}, 'Q=false', false],
  ['binary', {}, 'ASKED=true', true],
  ['textbox', {}, 'Q=%3Cb%3EHi%3C%2Fb%3E', '<b>Hi</b>'],
  ['textbox', { inputLimitation: 'email' }, 'Q=ada%40acme.test', 'ada@acme.test'],
  ['date', {}, 'Q=2026-03-01', '2026-03-01'],
  ['date', { collectTime: true }, 'Q=2026-03-01T14:30', '2026-03-01T14:30'],
  ['date_range', {}, 'Q.from=2026-03-01&Q.to=2026-03-05', { from: '2026-03-01', to: '2026-03-05' }],
  ['date_range', {}, 'ASKED.to=2026-03-05', { from: null, to: '2026-03-05' }],
  ['date_range', {}, 'Q.from=2026-02-30&Q.to=2026-03-05', { from: null, to: '2026-03-05' }],
  ['contact_details', { ...fields, required: true }, 'Q.first_name=Ada', { first_name: 'Ada' }],
  ['contact_details', fields, 'Q.email=ada%40acme.test&Q.city=Bath&Q.x=1', { email: 'ada@acme.test' }],
  ['contact_details', fields, 'ASKED.email=nobody&ASKED.first_name=Ada', { first_name: 'Ada' }],
]

/** Nothing is filled in by these. */
const ignored: [QuestionType, object, string][] = [
  ['choose_one', {}, 'Q=Purple'],
  ['choose_one', {}, 'Q=red'],
  ['choose_one', {}, 'Q=Red&Q=Blue'],
  ['choose_one', { otherText: 'Other' }, 'Q=Purple'],
  ['choose_any', { maxSelections: 1 }, 'Q=Red&Q=Blue'],
  ['choose_any', {}, 'Q='],
  ['likert', two, 'Q=4'],
  ['likert', scale, 'Q=6'],
  ['likert_slider', scale, 'Q=1.5'],
  ['nps', {}, 'Q=11'],
  ['nps', {}, 'Q=nine'],
  ['nps', {}, 'Q=1e1'],
  ['nps', {}, 'Q=%209'],
  ['star_rating', {}, 'Q=0'],
  ['numeric', {}, 'Q=Infinity'],
  ['numeric', {}, 'Q=0x10'],
  ['binary', {}, 'Q=yes'],
  ['binary', {}, 'Q=constructor'],
  ['textbox', {}, `Q=${'x'.repeat(10_240)}`],
  ['textbox', {}, 'Q='],
  ['textbox', { inputLimitation: 'integer' }, 'Q=many'],
  ['date', {}, 'Q=2026-02-30'],
  ['date', {}, 'Q=2026-03-01T14:30'],
  ['date_range', {}, 'Q.from=2026-03-05&Q.to=2026-03-01'],
  ['date_range', {}, 'Q=2026-03-05'],
  ['contact_details', fields, 'Q=ada%40acme.test'],
  ['contact_details', fields, 'Q.__proto__=x&Q.=x'],
  ['matrix', {}, 'Q=0'],
  ['ranking', {}, 'Q=First'],
  ['file_upload', {}, 'Q=x'],
  ['signature', {}, 'Q=x'],
  ['payment', {}, 'Q=1'],
  ['nps', {}, '__proto__=1&constructor=2&q=3&q0=4&asked=5'],
]

describe('an address', () => {
  test.each(fitting)('fills in %s %j by %s', async (type, settings, query, answer) => {
    expect(await filled(type, settings, query)).toEqual(answer)
  })

  test.each(ignored)('fills in nothing of %s %j by %s', async (type, settings, query) => {
    expect(await filled(type, settings, query)).toBeNull()
  })
})

describe('the page', () => {
  let form: TestForm
  let [text, nps]: [number, number] = [0, 0]
  beforeEach(async () => {
    form = await createPublished(acme, [questionBody('textbox'), questionBody('nps')])
    ;[text, nps] = form.questionIds as [number, number]
    await acme.perform((tx, caller) => changeSettings(tx, caller, form.id, { hidden: ['campaign'] }))
  })
  const read = async (query: string, encoding = 'identity') =>
    (await app.request('GET', `/f/${form.launchCode}${query}`, { headers: { 'accept-encoding': encoding } })).text
  const given = (page: string, name: string) => {
    const [, json] = new RegExp(` data-${name}="([^"]*)"`).exec(page) ?? []
    const entities: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&#x27;': "'", '&amp;': '&' }
    return json === undefined ? null : JSON.parse(json.replace(/&[^;]+;/g, (entity) => entities[entity] as string))
  }

  test('says what its address fills in, as data that cannot run', async () => {
    const hostile = `"><script>alert('1')</script>&`
    const page = await read(`?q${text}=${encodeURIComponent(hostile)}&q${nps}=9&campaign=%22%3E%3Cb%3E`)
    expect(given(page, 'prefilled')).toEqual({ [text]: hostile, [nps]: 9 })
    expect(given(page, 'hidden')).toEqual({ campaign: '"><b>' })
    expect(page).not.toContain('<script>')
    expect(page).not.toContain('"><b>')
  })

  test('is another’s for nobody else: nothing of it is kept', async () => {
    const before = await read('')
    await Promise.all([read(`?q${nps}=9&campaign=x`), read(`?q${nps}=1&campaign=y`, 'gzip')])
    const after = await read('')
    const tokenless = (page: string) => page.replace(/ data-token="[^"]*"/, '')
    expect(tokenless(after)).toBe(tokenless(before))
    expect([given(after, 'prefilled'), given(after, 'hidden')]).toEqual([null, null])
  })

  test('takes long addresses, compressed too: hidden values are cut, and too long texts ignored', async () => {
    const quotes = '%22'.repeat(4000)
    for (const encoding of ['identity', 'gzip']) {
      const page = await read(`?q${text}=${quotes}&campaign=${'é'.repeat(600)}&other=1`, encoding)
      expect(given(page, 'prefilled')[text]).toHaveLength(4000)
      expect(given(page, 'hidden')).toEqual({ campaign: 'é'.repeat(500) })
    }
    expect(given(await read(`?q${text}=${'x'.repeat(10_240)}`), 'prefilled')).toBeNull()
  })

  test('ignores hidden fields that are not declared', async () => {
    expect(given(await read('?source=x&constructor=y'), 'hidden')).toBeNull()
  })
})
