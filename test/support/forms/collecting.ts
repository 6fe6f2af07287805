import { publishForm } from '../../../src/forms/publishing.ts'
import type { QuestionType } from '../../../src/forms/question-types/index.ts'
import type { FormSettings } from '../../../src/forms/settings/model.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { GivenAnswer } from '../../../src/responses/answers.ts'
import { continueResponse, startResponse } from '../../../src/responses/collection.ts'
import type { TestTenant } from '../app.ts'
import { answerContext } from './questions.ts'

/** A form as a test fills it in: the ids of its questions, in order, beside the form read. */
export interface TestForm {
  id: string
  launchCode: string
  title: string
  questionIds: number[]
}

/** Creates whatever form over the API, publishes it and changes its settings. Returns it as it was created. */
export async function publishNew(tenant: TestTenant, form: object, settings?: Partial<FormSettings>) {
  const { status, body } = await tenant.post('/v1/forms', form)
  if (status !== 201) throw new Error(JSON.stringify(body))
  await tenant.perform(async (tx, caller) => {
    await publishForm(tx, caller, body.id)
    if (settings) await changeSettings(tx, caller, body.id, settings)
  })
  return body
}

/** Creates a form over the API, and publishes it. */
export async function createPublished(tenant: TestTenant, questions: object[], title = 'Survey'): Promise<TestForm> {
  const form = await createUnpublished(tenant, questions, title)
  await tenant.perform((tx, caller) => publishForm(tx, caller, form.id))
  return form
}

/** Creates a form over the API. */
export async function createUnpublished(tenant: TestTenant, questions: object[], title = 'Survey'): Promise<TestForm> {
  const { status, body } = await tenant.post('/v1/forms', { title, active: true, questions })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const questionIds = body.pages[0].questions.map(({ id }: { id: number }) => id)
  return { id: body.id, launchCode: body.launchCode, title, questionIds }
}

/** Answers to the form's questions, in order; undefined leaves one out. */
export function answersTo({ questionIds }: TestForm, values: readonly unknown[]): GivenAnswer[] {
  return values.flatMap((value, index) =>
    value === undefined ? [] : { questionId: questionIds[index] as number, value },
  )
}

/** A finished response. */
export function complete(tenant: TestTenant, form: TestForm, values: readonly unknown[]) {
  return begin(tenant, form, values, true)
}

/** A response, by default not finished. */
export function begin(tenant: TestTenant, form: TestForm, values: readonly unknown[], complete = false) {
  const submission = { answers: answersTo(form, values), complete }
  return tenant.perform((tx, caller) => startResponse(tx, caller, form.id, submission, answerContext.upload))
}

/** Goes on with a response. */
export function resume(
  tenant: TestTenant,
  form: TestForm,
  begun: { response: { id: string }; resumeToken: string },
  values: readonly unknown[],
  complete = false,
) {
  const submission = { answers: answersTo(form, values), complete }
  const resume = { id: begun.response.id, resumeToken: begun.resumeToken }
  return tenant.perform(async (tx, caller) => {
    const saved = await continueResponse(tx, caller, form.id, resume, submission, answerContext.upload)
    return saved.response
  })
}

/** For each type a value sent in, and the value decisions §4 says is read back. */
export const answersByType: Record<QuestionType, { sent: unknown; read: unknown }> = {
  choose_one: { sent: { selected: 'Red' }, read: { selected: 'Red', other: null } },
  dropdown: { sent: { selected: 'Blue', other: null }, read: { selected: 'Blue', other: null } },
  choose_any: { sent: { selected: ['Red', 'Blue'] }, read: { selected: ['Red', 'Blue'], other: null } },
  multi_dropdown: { sent: { selected: ['Green'] }, read: { selected: ['Green'], other: null } },
  likert: { sent: [{ scale: 0, value: 4 }], read: [{ scale: 0, value: 4 }] },
  likert_slider: { sent: [{ scale: 0, value: 1 }], read: [{ scale: 0, value: 1 }] },
  nps: { sent: 9, read: 9 },
  binary: { sent: false, read: false },
  star_rating: { sent: 4, read: 4 },
  textbox: { sent: 'It <b>works</b>', read: 'It <b>works</b>' },
  matrix: {
    sent: [
      { row: 0, column: 2 },
      { row: 1, column: 0 },
    ],
    read: [
      { row: 0, column: 2 },
      { row: 1, column: 0 },
    ],
  },
  ranking: { sent: ['Third', 'First', 'Second'], read: ['Third', 'First', 'Second'] },
  contact_details: {
    sent: { first_name: 'Ada', email: 'ada@acme.test' },
    read: { first_name: 'Ada', email: 'ada@acme.test' },
  },
  date: { sent: '2026-03-01', read: '2026-03-01' },
  date_range: { sent: { from: '2026-03-01', to: '2026-03-05' }, read: { from: '2026-03-01', to: '2026-03-05' } },
  numeric: { sent: 2.5, read: 2.5 },
  file_upload: {
    sent: [{ slot: 1, uploadId: 'pdf' }],
    read: [{ slot: 1, fileName: 'cv.pdf', contentType: 'application/pdf', size: 5, url: 'https://files.test/pdf' }],
  },
  signature: {
    sent: { uploadId: 'png' },
    read: { contentType: 'image/png', size: 3, url: 'https://files.test/png' },
  },
  payment: { sent: {}, read: { amount: 3000, currency: 'EUR', status: 'pending', reference: null } },
}
