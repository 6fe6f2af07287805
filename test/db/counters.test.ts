import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestGroup } from '../support/api/contacts.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('each tenant counts each kind of thing for itself, from 1, and never twice', async () => {
  for (const tenant of [await app.createTenant(), await app.createTenant('Other')]) {
    const groups = await Promise.all([1, 2, 3].map(() => createTestGroup(tenant)))
    const tickets = [await createTicket(tenant), await createTicket(tenant)]
    const questions = [{ type: 'nps' }, { type: 'nps' }]
    const forms = await Promise.all([1, 2].map(() => tenant.post('/v1/forms', { title: 'Survey', questions })))
    const pages = forms.map(({ body }) => body.pages[0])
    expect({
      groups: groups.map(({ id }) => id).sort(),
      tickets: tickets.map(({ sequentialNumber }) => sequentialNumber),
      pages: pages.map(({ id }) => id).sort(),
      questions: pages.flatMap((page) => page.questions.map(({ id }: { id: number }) => id)).sort(),
    }).toEqual({ groups: [1, 2, 3], tickets: [1, 2], pages: [1, 2], questions: [1, 2, 3, 4] })
  }
})
