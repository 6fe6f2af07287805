import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getForm } from '../../../src/forms/operations.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { createUnpublished } from '../../support/forms/collecting.ts'
import { signedIn } from '../../support/pages/console.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function agentOf(name: string) {
  const tenant = await app.createTenant(name)
  const agent = await signedIn(app, tenant, 'agent')
  const send = async (file: File | null) => {
    const body = new FormData()
    body.set('csrf', await agent.csrf())
    if (file) body.set('file', file)
    return agent.request('POST', '/console/forms/new/file', body as never)
  }
  return { tenant, agent, send }
}

test('a form is saved as a file, and made of it again', async () => {
  const { tenant, agent, send } = await agentOf('Acme')
  const form = await createUnpublished(tenant, [{ type: 'textbox', text: 'Name' }], 'Survey <1>')
  expect((await agent.get(`/console/forms/${form.id}`)).text).toContain(`/console/forms/${form.id}/form.json`)
  const saved = await agent.get(`/console/forms/${form.id}/form.json`)
  expect(saved.headers.get('content-disposition')).toBe(`attachment; filename="form-${form.launchCode}.json"`)
  const made = await send(new File([saved.text], 'survey.json'))
  expect(made.status).toBe(303)
  const [, id = ''] = /\/console\/forms\/([\w-]+)\/build/.exec(made.headers.get('location') ?? '') ?? []
  expect(id).not.toBe(form.id)
  expect(await getForm(app.database.db, tenant.tenantId, id)).toMatchObject({
    title: 'Survey <1>',
    publishedAt: null,
    pages: [{ questions: [{ text: 'Name' }] }],
  })
  const { agent: stranger } = await agentOf('Other')
  expect((await stranger.get(`/console/forms/${form.id}/form.json`)).status).toBe(404)
})

test('a file that breaks a rule is refused at its control, with the place in it, and nothing is made', async () => {
  const { tenant, agent, send } = await agentOf('Refused')
  const file = { frontdesk: 'form/1', title: 'Survey', language: 'en', pages: [{ questions: [{ type: '<b>' }] }] }
  const refused = await send(new File([JSON.stringify(file)], 'a.json'))
  expect(refused.status).toBe(400)
  expect(refused.text).toContain('in the file, at pages[0].questions[0].type: ')
  expect(refused.text).toMatch(/name="file"[^>]*aria-invalid="true"/)
  expect((await send(new File(['{'], 'a.json'))).status).toBe(400)
  expect((await send(null)).text).toContain('Choose the file.')
  const huge = await send(new File(['x'.repeat(9 * 1024 * 1024)], 'a.json'))
  expect(huge.status).toBe(413)
  expect((await tenant.get('/v1/forms')).body.items).toEqual([])
  expect((await agent.get('/console/forms/new')).text).toContain('From a file')
})
