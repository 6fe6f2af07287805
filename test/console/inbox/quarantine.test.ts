import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listQuarantine } from '../../../src/channels/email/quarantine.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createMailbox, type Mailbox } from '../../support/mail/mails.ts'
import { signedIn } from '../../support/pages/console.ts'

let app: TestApp
let acme: TestTenant
let inbox: Mailbox

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
  acme = await app.createTenant()
  inbox = await createMailbox(app, acme)
})
afterAll(() => app.close())

test('mail in quarantine is shown with its reason, taken again, downloaded by admins, and deleted', async () => {
  const agent = await signedIn(app, acme, 'agent')
  const admin = await signedIn(app, acme, 'admin')
  expect((await agent.get('/console/quarantine')).text).toContain('No mail is in quarantine.')
  const { quarantineId } = await inbox.deliver({ headers: { From: null }, subject: '<b>Odd</b>' })
  const path = `/console/quarantine/${quarantineId}`
  const [mail] = await listQuarantine(app.database.db, acme.tenantId)

  const { text } = await agent.get('/console/quarantine')
  expect(text).toContain('&lt;b&gt;Odd&lt;/b&gt;')
  expect(text).toContain(Bun.escapeHTML(`This mail ${mail?.reason}`))
  expect(text).not.toContain('/raw')
  expect((await agent.get(`${path}/raw`)).status).toBe(403)
  const raw = await admin.get(`${path}/raw`)
  expect(raw.headers.get('content-disposition')).toContain(`attachment; filename="${quarantineId}.eml"`)
  expect(raw.text).toContain('Subject: <b>Odd</b>')

  const tried = await agent.follow(await agent.post(`${path}/retry`))
  expect(tried.text).toContain('The mail still cannot be understood.')
  const stranger = await signedIn(app, await app.createTenant(), 'admin')
  for (const step of ['retry', 'delete']) expect((await stranger.post(`${path}/${step}`)).status).toBe(404)
  expect((await stranger.get(`${path}/raw`)).status).toBe(404)
  expect((await stranger.get('/console/quarantine')).text).not.toContain('Odd&lt;')

  const deleted = await agent.follow(await agent.post(`${path}/delete`))
  expect(deleted.text).toContain('The mail was deleted.')
  expect(await listQuarantine(app.database.db, acme.tenantId)).toEqual([])
})
