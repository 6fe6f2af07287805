import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { getForm } from '../../../src/forms/operations.ts'
import type { FormQuestion } from '../../../src/forms/pages.ts'
import { questionsOf } from '../../../src/forms/pages.ts'
import { sampleAnswer } from '../../../src/forms/question-types/index.ts'
import { getSettings } from '../../../src/forms/settings/operations.ts'
import { type TemplateName, templateLanguages, templateNames } from '../../../src/forms/templates/index.ts'
import { updateTenant } from '../../../src/tenants/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { png } from '../../support/forms/hosted.ts'
import { signedIn } from '../../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

/** What somebody answers, by friendlyId: null for nothing, of choices the option's place. All else is answered somehow. */
type Said = Readonly<Record<string, string | number | boolean | null>>

interface Way {
  readonly said: Said
  /** The questions that are shown, by their places in the form. */
  readonly shown: readonly number[]
  /** Which end it comes to; left out: the one of the settings. */
  readonly end?: number
  readonly variables?: Readonly<Record<string, number>>
}

const right = { CHERRY: true, ROAST: false, ETHIOPIA: true, BOILING: false, WATER: true }
const wrong = { CHERRY: false, ROAST: true, ETHIOPIA: false, BOILING: true, WATER: false }

const ways: Readonly<Record<TemplateName, readonly Way[]>> = {
  nps: [
    { said: { SCORE: 10 }, shown: [0, 3], end: 0 },
    { said: { SCORE: 8, MAY_WRITE: false }, shown: [0, 2, 4] },
    { said: { SCORE: 3, MAY_WRITE: true }, shown: [0, 1, 4, 5], end: 1 },
  ],
  csat: [
    { said: { STARS: 2 }, shown: [0, 1, 2, 4], end: 0 },
    { said: { STARS: 5 }, shown: [0, 3, 4] },
  ],
  lead: [
    { said: { INTEREST: 0 }, shown: [0, 1, 2, 4, 5] },
    { said: { INTEREST: 1 }, shown: [0, 3, 4, 5] },
    { said: { INTEREST: 2 }, shown: [0, 4, 5] },
  ],
  event: [
    { said: { COMING: true, GUESTS: 2 }, shown: [0, 1, 2, 3, 4], end: 0 },
    { said: { COMING: true, GUESTS: 0 }, shown: [0, 1, 2, 4], end: 0 },
    { said: { COMING: false }, shown: [0, 1, 5], end: 1 },
  ],
  order: [
    {
      said: { ESPRESSO: '2', FILTER: null, CUPS: '1', BY_POST: true },
      shown: [0, 1, 2, 3, 4, 5, 6, 7],
      variables: { GOODS: 3700, TOTAL: 4190 },
    },
    {
      said: { ESPRESSO: null, FILTER: null, CUPS: '1', BY_POST: false },
      shown: [0, 1, 3, 4, 5, 7],
      variables: { GOODS: 1400, TOTAL: 1400 },
    },
    {
      said: { ESPRESSO: null, FILTER: null, CUPS: null },
      shown: [0, 1, 3],
      end: 0,
      variables: { GOODS: 0, TOTAL: 0 },
    },
  ],
  appointment: [
    { said: { FIRST_TIME: true, ANSWER_BY: 1 }, shown: [0, 1, 2, 3, 4, 5, 6, 7], end: 0 },
    { said: { FIRST_TIME: false, ANSWER_BY: 0 }, shown: [0, 1, 2, 3, 5, 6] },
  ],
  application: [
    { said: { POSITION: 0, MAY_WORK: false }, shown: [0, 1, 2, 4, 5, 6, 7, 8] },
    { said: { POSITION: 1, MAY_WORK: true }, shown: [0, 1, 3, 4, 5, 6, 7] },
  ],
  onboarding: [
    { said: { PLACE: 0 }, shown: [0, 1, 2, 3, 5, 6, 7, 8] },
    { said: { PLACE: 2 }, shown: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
  ],
  exit: [
    { said: { REASON: 0, SCORE: 3 }, shown: [0, 1, 4, 5, 6, 7] },
    { said: { REASON: 1, SCORE: 9 }, shown: [0, 2, 4, 5, 7] },
    { said: { REASON: 2, SCORE: 9 }, shown: [0, 3, 4, 5, 7] },
    { said: { REASON: 3, SCORE: 9 }, shown: [0, 4, 5, 7] },
  ],
  bug: [
    { said: { PLACE: 0, SEVERITY: 0 }, shown: [0, 1, 2, 3, 4, 5, 6, 7], end: 0 },
    { said: { PLACE: 1, SEVERITY: 2 }, shown: [0, 1, 2, 4, 5, 7] },
  ],
  newsletter: [
    { said: { CONSENT: true }, shown: [0, 1, 2], end: 0 },
    { said: { CONSENT: false }, shown: [0, 1], end: 1 },
  ],
  quiz: [
    { said: right, shown: [0, 1, 2, 3, 4], end: 0, variables: { SCORE: 5 } },
    { said: { ...right, ROAST: true, BOILING: true }, shown: [0, 1, 2, 3, 4], end: 1, variables: { SCORE: 3 } },
    { said: wrong, shown: [0, 1, 2, 3, 4], end: 2, variables: { SCORE: 0 } },
  ],
}

async function begin(template: TemplateName, language: string) {
  const made = await agent.post('/console/forms/new', { template, language })
  const id = /^\/console\/forms\/([\w-]+)\/build$/.exec(made.headers.get('location') ?? '')?.[1] ?? ''
  expect([template, made.status, id]).toEqual([template, 303, expect.stringMatching(/./)])
  return getForm(app.database.db, acme.tenantId, id)
}

const random = () => 0.5

/** What is sent for a question, whether or not it is shown. */
async function answerTo(question: FormQuestion, said: Said, path: string): Promise<unknown> {
  const value = question.friendlyId === null ? undefined : said[question.friendlyId]
  if (typeof value === 'number' && 'options' in question) {
    return { selected: (question.options as string[])[value], other: null }
  }
  if (value !== undefined) return value
  const { id, type, text, required, friendlyId, showIf, ...settings } = question
  const asked = { id, type, text, required, friendlyId, showIf, settings } as never
  if (type === 'file_upload') {
    const slots = settings.fileUploadSlots as string[]
    return Promise.all(slots.map(async (_, slot) => ({ slot, uploadId: await upload(path) })))
  }
  return sampleAnswer(asked, random, type === 'signature' ? await upload(path) : null)
}

async function upload(path: string): Promise<string> {
  const body = new FormData()
  body.set('file', new File([png], 'a.png'))
  return (await app.request('POST', `${path}/uploads`, { body })).body.uploadId
}

describe.each(templateNames)('the template %s', (name) => {
  test.each([...templateLanguages])(
    'is created, published and answered in every way that it branches, in %s',
    async (language) => {
      const { id, launchCode, ends } = await begin(name, language)
      expect((await agent.post(`/console/forms/${id}/publish`)).status).toBe(303)
      const path = `/f/${launchCode}`
      expect((await app.request('GET', path)).text).toContain(`<html lang="${language}"`)
      const questions = questionsOf(
        (await getForm(app.database.db, acme.tenantId, id)).pages,
      ) as never as FormQuestion[]
      const places = new Map(questions.map((question, place) => [question.id, place]))
      const whole = (await acme.get(`/v1/forms/${id}`)).body.pages.flatMap((page: { questions: [] }) => page.questions)
      for (const { said, shown, end, variables = {} } of ways[name]) {
        app.clock.advance(5000)
        const answers: { questionId: number; value: unknown }[] = []
        for (const question of whole as FormQuestion[]) {
          const value = await answerTo(question, said, path)
          if (value !== null) answers.push({ questionId: question.id, value })
        }
        const sent = await app.request('POST', `${path}/responses`, { body: { answers, complete: true } })
        expect([sent.status, sent.body.message]).toEqual([201, undefined])
        const response = (await acme.get(`/v1/forms/${id}/responses/${sent.body.id}`)).body
        const answered = response.answers.map(({ questionId }: { questionId: number }) => places.get(questionId))
        const unanswered = Object.keys(said).filter((key) => said[key] === null)
        const silent = questions
          .filter(({ friendlyId }) => unanswered.includes(friendlyId ?? ''))
          .map((one) => places.get(one.id))
        expect(answered).toEqual(shown.filter((place) => !silent.includes(place)))
        expect(response.variables).toEqual(variables)
        const thanks = end === undefined ? null : (ends[end]?.thanks ?? null)
        expect(sent.body.thanks).toBe(thanks?.replaceAll(/\{(\w+)\}/g, (_, one) => String(variables[one])) ?? null)
      }
    },
  )
})

test('a template asks for nothing that it does not decide by', async () => {
  for (const name of templateNames) {
    const { pages } = await begin(name, 'en')
    const conditional = pages.flatMap(({ questions }) => questions).filter(({ showIf }) => showIf !== null)
    const shown = ways[name].map((way) => way.shown.length)
    expect([name, conditional.length > 0 || new Set(ways[name].map(({ end }) => end)).size > 1]).toEqual([name, true])
    // Each way that is tried shows something else, or ends otherwise.
    expect(new Set(ways[name].map(({ shown, end }) => `${shown} ${end}`)).size).toBe(shown.length)
  }
})

test('its form says which language it is in where its tenant speaks another, and asks one at a time where that is better', async () => {
  const settings = async (name: TemplateName, language: string) =>
    getSettings(app.database.db, acme.tenantId, (await begin(name, language)).id)
  expect(await settings('quiz', 'en')).toMatchObject({ language: null, mode: 'step' })
  expect(await settings('quiz', 'de')).toMatchObject({ language: 'de' })
  const tenant = { name: 'Acme GmbH', language: 'de-AT', accent: null, requiresSecondFactor: false }
  await acme.perform((tx, caller) => updateTenant(tx, caller, tenant))
  expect(await settings('lead', 'de')).toMatchObject({ language: null, mode: 'page' })
  expect(await settings('lead', 'en')).toMatchObject({ language: 'en' })
  await acme.perform((tx, caller) => updateTenant(tx, caller, { ...tenant, language: null }))
})

test('all of them are offered with their pictures, in the language of whoever begins', async () => {
  const page = await agent.get('/console/forms/new', { 'accept-language': 'de' })
  for (const name of templateNames) expect(page.text).toContain(`name="template" value="${name}"`)
  expect(page.text.match(/<svg class="template-picture"[^>]* aria-hidden="true">/g)).toHaveLength(templateNames.length)
  expect(page.text).toContain('<option value="de" selected>')
  expect((await agent.post('/console/forms/new', { template: 'quiz', language: 'fr' })).status).toBe(400)
})
