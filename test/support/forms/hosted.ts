import type { TestApp, TestTenant } from '../app.ts'
import type { TestForm } from './collecting.ts'
import { answersTo } from './collecting.ts'

/** The smallest PNG. */
export const png = Uint8Array.from(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
)

/** What a respondent without a key does to one form. */
export function respondent(app: TestApp, form: TestForm) {
  const path = `/f/${form.launchCode}`
  const bodyOf = (values: readonly unknown[], complete: boolean) => ({ answers: answersTo(form, values), complete })
  return {
    path,
    begin: (values: readonly unknown[], complete = false, headers: Record<string, string> = {}) =>
      app.request('POST', `${path}/responses`, { body: bodyOf(values, complete), headers }),
    resume: (begun: { id: string; resumeToken: string }, values: readonly unknown[], complete = false) =>
      app.request('PUT', `${path}/responses/${begun.id}`, {
        body: { ...bodyOf(values, complete), resumeToken: begun.resumeToken },
      }),
    upload: (content: Uint8Array<ArrayBuffer> | string, name = 'a.png', headers: Record<string, string> = {}) => {
      const body = new FormData()
      body.set('file', new File([content], name))
      return app.request('POST', `${path}/uploads`, { body, headers })
    },
  }
}

/** A file sent to a form. Returns its id. */
export async function createTestUpload(tenant: TestTenant, { launchCode }: TestForm): Promise<string> {
  const body = new FormData()
  body.set('file', new File([png], 'a.png'))
  return (await tenant.post(`/f/${launchCode}/uploads`, body)).body.uploadId
}
