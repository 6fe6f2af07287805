import { publishForm } from '../../../src/forms/publishing.ts'
import { changeSettings } from '../../../src/forms/settings/operations.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { png } from '../../support/forms/hosted.ts'
import { type Case, type CaseForm, UPLOAD } from './case.ts'

/** A published form, and what respondents do to it. */
export async function publishReacting(app: TestApp, tenant: TestTenant, form: CaseForm, settings: object) {
  const { status, body } = await tenant.post('/v1/forms', { title: 'Survey', ...form })
  if (status !== 201) throw new Error(JSON.stringify(body))
  await tenant.perform(async (tx, caller) => {
    await changeSettings(tx, caller, body.id, settings)
    await publishForm(tx, caller, body.id)
  })
  const ids = new Map<string, number>(
    body.pages.flatMap(({ questions }: { questions: { friendlyId: string; id: number }[] }) =>
      questions.map(({ friendlyId, id }) => [friendlyId, id]),
    ),
  )
  const path = `/f/${body.launchCode}`
  const answersIn = (answers: Readonly<Record<string, unknown>>) =>
    Object.entries(answers).map(([name, value]) => ({ questionId: ids.get(name) as number, value }))
  // No address may send more than some answers a minute.
  const send = async (method: 'POST' | 'PUT', to: string, sent: object) => {
    app.clock.advance(1500)
    return app.request(method, path + to, { body: sent })
  }
  /** The answers of a case, with a file that was uploaded where there is one. */
  const uploaded = async ({ answers }: Case): Promise<Readonly<Record<string, unknown>>> => {
    const text = JSON.stringify(answers)
    if (!text.includes(UPLOAD)) return answers
    const body = new FormData()
    body.set('file', new File([png], 'a.png'))
    app.clock.advance(1500)
    const { body: upload } = await app.request('POST', `${path}/uploads`, { body })
    return JSON.parse(text.replace(UPLOAD, upload.uploadId))
  }
  return {
    id: body.id as string,
    path,
    ids,
    uploaded,
    definition: async () => (await app.request('GET', `${path}/definition`)).body,
    complete: (answers: Readonly<Record<string, unknown>>, hiddenFields: object = {}, language = 'en') =>
      send('POST', '/responses', { answers: answersIn(answers), complete: true, hiddenFields, language }),
    begin: (answers: Readonly<Record<string, unknown>>) => send('POST', '/responses', { answers: answersIn(answers) }),
    resume: (
      begun: { id: string; resumeToken: string },
      answers: Readonly<Record<string, unknown>>,
      complete: boolean,
    ) =>
      send('PUT', `/responses/${begun.id}`, { answers: answersIn(answers), complete, resumeToken: begun.resumeToken }),
    read: async (id: string) => (await tenant.get(`/v1/forms/${body.id}/responses/${id}`)).body,
  }
}
