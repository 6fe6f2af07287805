import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { TestApp } from '../support/app.ts'
import { messagesOf } from '../support/chat/event-stream.ts'
import { ConsoleBrowser, createPerson, signedIn } from '../support/pages/console.ts'
import { countByClockOf, startNodes } from '../support/processes/nodes.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
let here: TestApp
let there: TestApp
beforeAll(async () => {
  nodes = await startNodes(2, { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' })
  for (const app of nodes.apps) countByClockOf(app)
  ;[here, there] = nodes.apps as [TestApp, TestApp]
})
afterAll(() => nodes.close())

test('failures to sign in count on all nodes together, and a known browser is known to all', async () => {
  const bob = await createPerson(await here.createTenant())
  const known = new ConsoleBrowser(here)
  expect((await known.signIn(bob.email)).status).toBe(303)
  for (let i = 0; i < 10; i++) {
    expect((await new ConsoleBrowser(i % 2 ? here : there).signIn(bob.email, 'not it')).status).toBe(400)
  }
  for (const app of [here, there]) expect((await new ConsoleBrowser(app).signIn(bob.email)).status).toBe(429)
  const elsewhere = new ConsoleBrowser(there)
  elsewhere.cookies.set('frontdesk_known', known.cookies.get('frontdesk_known') as string)
  expect((await elsewhere.signIn(bob.email)).status).toBe(303)
})

test('a stream ends with its session, whichever node that ended on', async () => {
  for (const app of nodes.apps) app.clock.advance(3_600_000)
  const acme = await here.createTenant()
  const browser = await signedIn(here, acme, 'agent')
  const admin = await signedIn(here, acme)
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const stream = messagesOf(await fetch(`${here.url}/console/inbox/events`, { headers: { cookie } }))
  await stream.untilBegun()
  const elsewhere = new ConsoleBrowser(there)
  for (const [name, value] of admin.cookies) elsewhere.cookies.set(name, value)
  expect((await elsewhere.post(`/console/users/${browser.person.userId}/sessions-end`)).status).toBe(303)
  expect(await stream.rest()).toEqual([])
  expect((await browser.get('/console/account')).status).toBe(303)
})
