import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { signedIn } from '../../support/pages/console.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let path: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  path = `/console/tickets/${(await createTicket(acme)).id}`
})
afterAll(() => app.close())

test('keyboard shortcuts are on, listed on a sheet, and turned off and on by each person for themselves', async () => {
  const agent = await signedIn(app, acme, 'agent')
  const other = await signedIn(app, acme, 'agent')
  const has = async (by: typeof agent, page: string) => {
    const { text } = await by.get(page)
    return /<dialog aria-labelledby="shortcuts-title"/.test(text)
  }
  for (const page of ['/console/inbox', path]) expect(await has(agent, page)).toBe(true)
  expect((await agent.get(path)).text).toContain('Write an answer')
  expect((await agent.get('/console/account')).text).toMatch(/name="shortcuts" value="on" checked/)

  const off = await agent.post('/console/account/shortcuts')
  expect((await agent.follow(off)).text).toContain('Keyboard shortcuts are off.')
  for (const page of ['/console/inbox', path]) {
    expect(await has(agent, page)).toBe(false)
    expect(await has(other, page)).toBe(true)
  }
  expect((await agent.get('/console/account')).text).not.toMatch(/name="shortcuts" value="on" checked/)

  await agent.post('/console/account/shortcuts', { shortcuts: 'on' })
  expect(await has(agent, path)).toBe(true)
})
