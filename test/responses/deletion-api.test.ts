import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries, uploads } from '../../src/db/schema.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { answersTo, createPublished } from '../support/forms/collecting.ts'
import { png, respondent } from '../support/forms/hosted.ts'

let app: TestApp
let acme: TestTenant
beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '1000' } })
  acme = await app.createTenant()
})
afterAll(() => app.close())

test('a response is deleted for good with its files, and audited; nobody else’s is', async () => {
  const form = await createPublished(acme, [{ type: 'file_upload', text: 'A file', fileUploadSlots: ['One'] }])
  const visitor = respondent(app, form)
  const upload = (await visitor.upload(png, 'a.png')).body
  const given = [[{ slot: 0, uploadId: upload.uploadId ?? upload.id }]]
  const begun = await app.request('POST', `${visitor.path}/responses`, {
    body: { answers: answersTo(form, given), complete: true },
  })
  const { id } = begun.body
  const kept = (await visitor.begin([], false)).body.id
  const path = `/v1/forms/${form.id}/responses/${id}`
  const entries = async () =>
    (
      await app.database.db
        .select()
        .from(auditEntries)
        .where(eq(auditEntries.recordId, id))
        .orderBy(auditEntries.number)
    ).map(({ action, via }) => `${action} ${via}`)
  const other = await app.createTenant('Other')
  const another = await createPublished(acme, [{ type: 'nps', text: 'Else' }])
  for (const refused of [await other.delete(path), await acme.delete(`/v1/forms/${another.id}/responses/${id}`)]) {
    expect(refused.status).toBe(404)
  }
  const readOnly = await acme.createKey(['responses:read'])
  expect((await app.request('DELETE', path, { key: readOnly.key })).status).toBe(403)
  expect([(await acme.get(path)).status, (await entries()).includes('response.deleted api')]).toEqual([200, false])

  const answer = await acme.delete(path)
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect((await acme.get(path)).body).toEqual(problem('not_found', 'response not found'))
  expect((await acme.delete(path)).status).toBe(404)
  expect((await acme.get(`/v1/forms/${form.id}/responses?status=all`)).body.items).toMatchObject([{ id: kept }])
  expect((await entries()).filter((entry) => entry === 'response.deleted api')).toHaveLength(1)
  expect(await app.database.db.select().from(uploads).where(eq(uploads.tenantId, acme.tenantId))).toEqual([])
})
