import { afterAll, beforeAll, expect, test } from 'bun:test'
import { setStatus } from '../../../src/tickets/status.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { messagesOf } from '../../support/chat/event-stream.ts'
import { ConsoleBrowser, PASSWORD, signedIn } from '../../support/pages/console.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** A list that is open. */
async function openList(tenant: TestTenant, by?: Awaited<ReturnType<typeof signedIn>>) {
  const browser = by ?? (await signedIn(app, tenant, 'agent'))
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const response = await fetch(`${app.url}/console/inbox/events`, { headers: { cookie } })
  const stream = messagesOf(response)
  await stream.untilBegun()
  return { browser, ...stream }
}

test('a list that is open is told of new tickets and of those that change, and not of another tenant’s', async () => {
  const other = await openList(await app.createTenant())
  const list = await openList(acme)
  const { id } = await createTicket(acme)
  expect(await list.next()).toEqual({ event: 'changed', data: { spread: 0 } })
  await acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'closed' }))
  expect(await list.next()).toEqual({ event: 'changed', data: { spread: 0 } })
  await list.close()
  // The other one hears of the end alone.
  await other.browser.post('/console/sign-out')
  expect(await other.next()).toBeNull()
})

test('the more lists are open, the wider they spread what they ask once something has changed', async () => {
  const many = await app.createTenant()
  const { browser, ...first } = await openList(many)
  const others = await Promise.all(Array.from({ length: 11 }, () => openList(many, browser)))
  const lists = [first, ...others]
  await createTicket(many)
  for (const list of lists) expect(await list.next()).toEqual({ event: 'changed', data: { spread: 10 } })
  await Promise.all(lists.map(({ close }) => close()))
})

test.each([
  ['signed out', (list) => list.browser.post('/console/sign-out')],
  [
    'ended by an admin',
    async (list) => (await signedIn(app, acme)).post(`/console/users/${list.browser.person.userId}/sessions-end`),
  ],
  [
    'ended as the person is removed',
    async (list) => (await signedIn(app, acme)).post(`/console/users/${list.browser.person.userId}/remove`),
  ],
  [
    'ended with the password changed elsewhere',
    async (list) => {
      const other = new ConsoleBrowser(app)
      await other.signIn(list.browser.person.email)
      return other.post('/console/account/password', { current: PASSWORD, password: 'another long password' })
    },
  ],
  ['another’s, by signing in again', (list) => list.browser.signIn(list.browser.person.email)],
] as readonly [string, (list: Awaited<ReturnType<typeof openList>>) => Promise<Answer>][])(
  'a stream ends as its session is %s, and another goes on',
  async (_, end) => {
    const list = await openList(acme)
    const other = await openList(acme)
    expect((await end(list)).status).toBe(303)
    expect(await list.rest()).toEqual([])
    await createTicket(acme)
    expect(await other.next()).toEqual({ event: 'changed', data: { spread: 0 } })
    await other.close()
  },
)
