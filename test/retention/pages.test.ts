import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestContact } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished } from '../support/forms/collecting.ts'
import { type ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const DAY = 24 * 3_600_000
const PATH = '/console/settings/retention'

let app: TestApp
let acme: TestTenant
let admin: ConsoleBrowser
beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  const form = await createPublished(acme, [{ type: 'nps' }])
  for (let n = 0; n < 2; n++) await complete(acme, form, [n])
  app.clock.advance(10 * DAY)
  admin = await signedIn(app, acme)
})
afterAll(() => app.close())

const read = async () => {
  const { text } = await admin.get(PATH)
  return [...text.matchAll(/<th scope="row">([^<]+)<\/th><td[^>]*>[^<]+<\/td><td[^>]*>([^<]+)</g)].map(
    ([, what, long]) => [what, long],
  )
}

test('admins see for how long what is kept', async () => {
  expect(await read()).toEqual([
    ['Unfinished responses', '90 days'],
    ['Complete responses', 'For good'],
    ['Closed tickets', 'For good'],
    ['Contacts without anything', 'For good'],
    ['Audit log', 'For good'],
    ['Webhook deliveries', '30 days'],
    ['Original mails', '30 days'],
  ])
})

test('before something is switched on, the page says how much would go, and nothing goes unless that is meant', async () => {
  const asked = await admin.post(`${PATH}/look`, { rule: 'responses', days: '7' })
  expect(asked.headers.get('location')).toEndWith(`${PATH}?rule=responses&days=7`)
  const page = await admin.follow(asked)
  expect(page.text).toContain('2 of them are older than that and would be deleted now.')
  const unsure = await admin.post(`${PATH}/keep`, { rule: 'responses', sureOf: '7' })
  expect([unsure.status, unsure.text.includes('Tick the box')]).toEqual([400, true])
  await app.runDue()
  const count = async () => {
    const forms = (await acme.get('/v1/forms')).body.items
    return (await acme.get(`/v1/forms/${forms[0].id}/responses`)).body.items.length
  }
  expect(await count()).toBe(2)
  const kept = await admin.follow(await admin.post(`${PATH}/keep`, { rule: 'responses', sureOf: '7', sure: 'on' }))
  expect(kept.text).toContain('Complete responses: saved.')
  await app.runDue()
  expect(await count()).toBe(0)
  expect(await read()).toContainEqual(['Complete responses', '7 days'])
  const off = await admin.follow(await admin.post(`${PATH}/look`, { rule: 'responses', days: '' }))
  expect(off.text).toContain('Nothing of them is deleted any more by its age.')
  await admin.post(`${PATH}/keep`, { rule: 'responses', sureOf: 'off' })
  expect(await read()).toContainEqual(['Complete responses', 'For good'])
})

test.each(['0', '-1', '1.5', 'soon', '36501', '1e3'])(
  '%p is no number of days, and what was typed stays',
  async (days) => {
    const answer = await admin.post(`${PATH}/look`, { rule: 'audit', days })
    expect([answer.status, answer.text.includes('Must be from 1 to'), answer.text.includes(`value="${days}"`)]).toEqual(
      [400, true, true],
    )
    expect((await admin.get(`${PATH}?rule=audit&days=${days}`)).status).toBe(400)
  },
)

test('what does not exist is not found, and agents have no such page', async () => {
  expect((await admin.get(`${PATH}?rule=everything`)).status).toBe(404)
  const agent = await signedIn(app, acme, 'agent')
  expect((await agent.get(PATH)).status).toBe(403)
  expect((await agent.post(`${PATH}/keep`, { rule: 'audit', sureOf: '1', sure: 'on' })).status).toBe(403)
})

test('the page of a contact says what is kept of them, and for how long', async () => {
  const contact = await createTestContact(acme, { email: 'ada@acme.test' })
  await createTicket(acme)
  const page = async () => (await admin.get(`/console/contacts/${contact.id}`)).text
  expect(await page()).toContain('1, for good')
  await admin.post(`${PATH}/keep`, { rule: 'closed_tickets', sureOf: '365', sure: 'on' })
  await admin.post(`${PATH}/keep`, { rule: 'contacts', sureOf: '730', sure: 'on' })
  expect(await page()).toContain('1, until 365 days after closing')
  expect(await page()).toContain('Until 730 days after the last change, once nothing else is left')
})
