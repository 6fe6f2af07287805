import { afterAll, beforeAll, expect, test } from 'bun:test'
import { setStatus } from '../../src/tickets/status.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { signedIn } from '../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
})
afterAll(() => app.close())

/** What stands where there is nothing: its words, and where its first step leads. */
async function emptyOn(path: string, browser = admin) {
  const { text } = await browser.get(path)
  const place = /<div class="empty">(.*?)<\/div>/s.exec(text)?.[1] ?? ''
  return [place.replace(/<[^>]*>/g, ' ').trim(), /href="([^"]*)"/.exec(place)?.[1]]
}

test.each([
  ['/console/contacts', 'There are no contacts yet.', '/console/contacts/imports'],
  ['/console/contacts/groups', 'There are no groups yet.', '/console/contacts/groups/new'],
  ['/console/contacts/fields', 'There are no custom fields yet.', '/console/contacts/fields/new'],
  ['/console/forms', 'There are no forms yet.', '/console/forms/new'],
  ['/console/articles', 'Articles belong to a source of a live chat', '/console/settings/chats/new'],
  ['/console/inbox', 'There is no inbox yet', '/console/settings/inboxes'],
])('%s says what belongs there, and where to begin', async (path, words, first) => {
  expect(await emptyOn(path)).toEqual([expect.stringContaining(words), first])
})

test('an agent without an inbox is told who adds one', async () => {
  const [words, first] = await emptyOn('/console/inbox', await signedIn(app, acme, 'agent'))
  expect([words, first]).toEqual([expect.stringContaining('Admins add inboxes'), undefined])
})

test('an inbox in which nothing waits says what was done, and each other list what belongs there', async () => {
  const beta = await app.createTenant()
  let agent = await signedIn(app, beta, 'agent')
  const { id: inboxId } = await createEmailInbox(beta)
  const close = async (email: string) => {
    const { id } = await createTicket(beta, { inboxId, email })
    await beta.perform((tx, caller) => setStatus(tx, caller, id, { status: 'closed' }))
  }
  expect((await emptyOn('/console/inbox', agent))[0]).toStartWith('Nothing is waiting')
  expect((await emptyOn('/console/inbox', agent))[0]).not.toContain('closed')
  expect((await emptyOn('/console/inbox?status=closed', agent))[0]).toBe('No ticket is closed yet.')
  await close('bob@acme.test')
  app.clock.advance(25 * 3_600_000)
  agent = await signedIn(app, beta, 'agent')
  await close('ada@acme.test')
  expect((await emptyOn('/console/inbox', agent))[0]).toContain('1 ticket was closed in the last 24 hours.')
  expect((await emptyOn('/console/inbox?status=spam', agent))[0]).toContain('There is no spam.')
})
