import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { listTags } from '../../../src/tags/read.ts'
import { listTeams } from '../../../src/teams/read.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createPerson, signedIn } from '../../support/pages/console.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const TAGS = '/console/settings/tags'
const TEAMS = '/console/settings/teams'
const HOSTILE = '"><script>alert(1)</script>'

let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
})
afterAll(() => app.close())

const tags = async () =>
  (await listTags(app.database.db, acme.tenantId)).map(({ name, colour, ticketCount }) => [name, colour, ticketCount])
const idOf = async (name: string) =>
  (await listTags(app.database.db, acme.tenantId)).find((tag) => tag.name === name)?.id as string
const tagged = async (...names: string[]) => {
  const { id } = await createTicket(acme)
  expect((await acme.put(`/v1/tickets/${id}/tags`, { tags: names })).status).toBe(200)
  return id
}
const team = async () => (await listTeams(app.database.db, acme.tenantId))[0]

describe('tags', () => {
  test('are listed with how many tickets hold each, made, renamed and coloured', async () => {
    expect((await admin.get(TAGS)).text).toContain('There are no tags yet.')
    await tagged('billing')
    const made = await admin.follow(await admin.post(TAGS, { name: HOSTILE, colour: '' }))
    expect(made.text).not.toContain(HOSTILE)
    const path = `${TAGS}/${await idOf('billing')}`
    const saved = await admin.follow(await admin.post(path, { name: 'Invoices', colour: '#0A7D4F' }))
    expect(saved.text).toContain('fill="#0a7d4f"')
    expect(saved.text).toMatch(/<bdi>Invoices<\/bdi><\/a><\/th><td class="number">1</)
    expect(new Set(await tags())).toEqual(
      new Set([
        [HOSTILE, null, 0],
        ['Invoices', '#0a7d4f', 1],
      ]),
    )
  })

  test('that are refused say why beside their field, with what was typed', async () => {
    await tagged('billing')
    const taken = await admin.post(TAGS, { name: 'BILLING', colour: '' })
    expect([taken.status, taken.text.includes('value="BILLING"')]).toEqual([409, true])
    const path = `${TAGS}/${await idOf('billing')}`
    const wrong = await admin.post(path, { name: 'billing', colour: 'green' })
    expect([wrong.status, wrong.text.includes('href="#field-colour"')]).toEqual([400, true])
    const seen = /name="seen" value="([^"]*)"/.exec((await admin.get(path)).text)?.[1] as string
    expect((await admin.post(path, { seen, name: 'One', colour: '' })).status).toBe(303)
    expect((await admin.post(path, { seen, name: 'Two', colour: '' })).status).toBe(409)
    expect(await tags()).toEqual([['One', null, 1]])
  })

  test('are merged and deleted once that is confirmed, and their tickets stay', async () => {
    const both = await tagged('billing', 'invoices')
    const one = await tagged('billing')
    const billing = await idOf('billing')
    expect((await admin.get(`${TAGS}/${billing}`)).text).toContain('2 tickets have it.')
    const merged = await admin.follow(await admin.post(`${TAGS}/${billing}/merge`, { into: await idOf('invoices') }))
    expect(merged.text).toContain('billing was merged into invoices.')
    expect(await tags()).toEqual([['invoices', null, 2]])
    expect((await admin.get(`${TAGS}/${billing}`)).status).toBe(404)
    const gone = await admin.follow(await admin.post(`${TAGS}/${await idOf('invoices')}/delete`))
    expect(gone.text).toContain('The tag invoices was deleted.')
    for (const id of [both, one]) expect((await acme.get(`/v1/tickets/${id}`)).body.tags).toEqual([])
    await app.runDue()
    expect((await admin.get('/console/audit?what=tag')).text).toContain('Tag: deleted')
  })
})

describe('teams', () => {
  test('are made, filled, renamed and deleted; their tickets stay', async () => {
    const ben = await createPerson(acme, 'agent')
    const made = await admin.post(TEAMS, { name: HOSTILE })
    expect((await admin.follow(made)).text).not.toContain(HOSTILE)
    const path = made.headers.get('location')?.split('?')[0] as string
    const fields = { name: 'Billing', distribution: 'round_robin', members: ben.userId }
    const saved = await admin.follow(await admin.post(path, fields))
    expect(saved.text).toContain('Each member in turn')
    expect(await team()).toMatchObject({ name: 'Billing', distribution: 'round_robin', members: [{ id: ben.userId }] })
    const { id } = await createTicket(acme)
    await acme.put(`/v1/tickets/${id}/assignee`, { teamId: (await team())?.id })
    expect((await acme.get(`/v1/tickets/${id}`)).body.assignee.id).toBe(ben.userId)
    expect((await admin.get(path)).text).toMatch(new RegExp(`value="${ben.userId}" checked`))
    expect((await admin.follow(await admin.post(`${path}/delete`))).text).toContain('The team Billing was deleted.')
    expect(await team()).toBeUndefined()
    expect((await acme.get(`/v1/tickets/${id}`)).body).toMatchObject({ team: null, assignee: { id: ben.userId } })
  })

  test('with a name that is taken, or somebody else’s member, are refused', async () => {
    await admin.post(TEAMS, { name: 'Billing' })
    expect((await admin.post(TEAMS, { name: 'billing' })).status).toBe(409)
    const stranger = await createPerson(await app.createTenant())
    const path = `${TEAMS}/${(await team())?.id}`
    const wrong = await admin.post(path, { name: 'Billing', distribution: 'none', members: stranger.userId })
    expect(wrong.status).toBe(400)
    expect((await team())?.members).toEqual([])
  })
})

test('tags and teams are for admins, and of their own tenant alone', async () => {
  await tagged('billing')
  await admin.post(TEAMS, { name: 'Billing' })
  const paths = [`${TAGS}/${await idOf('billing')}`, `${TEAMS}/${(await team())?.id}`]
  const agent = await signedIn(app, acme, 'agent')
  const stranger = await signedIn(app, await app.createTenant())
  for (const path of paths) {
    expect([(await agent.get(path)).status, (await stranger.get(path)).status]).toEqual([403, 404])
    for (const under of ['', '/delete']) {
      expect((await agent.post(path + under, { name: 'x', distribution: 'none' })).status).toBe(403)
      expect((await stranger.post(path + under, { name: 'x', distribution: 'none' })).status).toBe(404)
    }
  }
  expect([(await tags()).length, (await team())?.name]).toEqual([1, 'Billing'])
})
