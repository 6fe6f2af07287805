import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { followTag } from '../../src/rules/tag-names.ts'
import { createTag, deleteTag, mergeTags, updateTag } from '../../src/tags/operations.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { refusal } from '../support/refusal.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const tag = (id: string, ...tags: unknown[]) => acme.put(`/v1/tickets/${id}/tags`, { tags })
const tagsOf = async (id: string) => (await acme.get(`/v1/tickets/${id}`)).body.tags
const listed = async (query: string) =>
  (await acme.get(`/v1/tickets?${query}`)).body.items.map(({ id }: { id: string }) => id)
const allTags = async () => (await acme.get('/v1/tags')).body.items

describe('the tags of a ticket', () => {
  test('are replaced as a whole, made where they are missing, and shown by the name first written', async () => {
    const [one, two] = [await createTicket(acme), await createTicket(acme)]
    const events = await acme.events()
    app.clock.advance(1000)
    const { status, body } = await tag(one.id, ' VIP ', 'billing', 'vip')
    expect([status, body.tags]).toEqual([200, ['billing', 'VIP']])
    expect(body.updatedAt).toBe(new Date(app.clock.now()).toISOString())
    expect((await tag(two.id, 'BILLING')).body.tags).toEqual(['billing'])
    expect(await allTags()).toEqual([
      { id: expect.any(String), name: 'billing', colour: null, ticketCount: 2 },
      { id: expect.any(String), name: 'VIP', colour: null, ticketCount: 1 },
    ])
    expect((await tag(one.id, 'vip')).body.tags).toEqual(['VIP'])
    expect((await tag(one.id)).body.tags).toEqual([])
    expect(await tagsOf(two.id)).toEqual(['billing'])
    expect((await acme.get('/v1/tickets')).body.items.map((item: { tags: string[] }) => item.tags)).toEqual([
      ['billing'],
      [],
    ])
    const told = (await acme.events())
      .slice(events.length)
      .map(({ event, payload }) => [event, payload.added, payload.removed])
    expect(told).toEqual([
      ['ticket.tagged', ['billing', 'VIP'], []],
      ['ticket.tagged', ['billing'], []],
      ['ticket.tagged', [], ['billing']],
      ['ticket.tagged', [], ['VIP']],
    ])
  })

  test('that it has already change nothing', async () => {
    const ticket = await createTicket(acme)
    await tag(ticket.id, 'a', 'b')
    const before = (await acme.get(`/v1/tickets/${ticket.id}`)).text
    app.clock.advance(1000)
    await tag(ticket.id, 'B', 'A')
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).text).toBe(before)
  })

  test('are 1 to 40 characters, 20 at most, and refused together: nothing is made', async () => {
    const ticket = await createTicket(acme)
    const many = Array.from({ length: 21 }, (_, index) => `tag ${index}`)
    const wrong: [unknown[], string][] = [
      [['fine', ' '], 'tags[1]: must be 1 to 40 characters'],
      [['x'.repeat(41)], 'tags[0]: must be 1 to 40 characters'],
      [many, 'tags: at most 20 items are allowed'],
      [[7], 'tags[0]: must be a string'],
    ]
    for (const [names, message] of wrong) {
      expect(await tag(ticket.id, ...names)).toMatchObject({ status: 400, body: { error: 'invalid_request', message } })
    }
    expect(await acme.put(`/v1/tickets/${ticket.id}/tags`, {})).toMatchObject({ status: 400 })
    expect(await allTags()).toEqual([])
    expect((await tag(ticket.id, 'x'.repeat(40), ...many.slice(2))).status).toBe(200)
  })

  test('filter the list, with every other filter and over pages, whatever the case', async () => {
    const tickets = []
    for (let i = 0; i < 5; i++) {
      app.clock.advance(1)
      tickets.push(await createTicket(acme))
    }
    const [a, b, c, d] = tickets.map(({ id }) => id) as [string, string, string, string]
    for (const id of [a, b, d]) await tag(id, 'Billing')
    await acme.put(`/v1/tickets/${b}/priority`, { priority: 'high' })
    expect(await listed('tag=bIlLiNg')).toEqual([d, b, a])
    expect(await listed('tag=billing&priority=high')).toEqual([b])
    expect(await listed('tag=nothing')).toEqual([])
    const first = (await acme.get('/v1/tickets?tag=billing&limit=2')).body
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual([d, b])
    expect(await listed(`tag=billing&limit=2&cursor=${first.nextCursor}`)).toEqual([a])
    expect(await listed('priority=normal')).toEqual([tickets[4]?.id as string, d, c, a])
  })

  test('are those of one tenant', async () => {
    const other = await app.createTenant()
    const theirs = await createTicket(other)
    await other.put(`/v1/tickets/${theirs.id}/tags`, { tags: ['secret'] })
    expect(await allTags()).toEqual([])
    expect((await tag(theirs.id, 'x')).status).toBe(404)
    expect(await listed('tag=secret')).toEqual([])
    expect((await other.get(`/v1/tickets/${theirs.id}`)).body.tags).toEqual(['secret'])
  })

  test('need tickets:write, and a ticket that is not merged', async () => {
    const [a, b] = [await createTicket(acme), await createTicket(acme)]
    const { key } = await acme.createKey(['tickets:read'])
    const path = `/v1/tickets/${a.id}/tags`
    expect((await app.request('PUT', path, { key, body: { tags: ['x'] } })).status).toBe(403)
    await acme.perform((tx, caller) => mergeTickets(tx, caller, a.id, b.id))
    expect(await tag(a.id, 'x')).toMatchObject({ status: 422 })
    expect(await allTags()).toEqual([])
  })
})

describe('a tag', () => {
  const made = (name: string, colour?: string) =>
    acme.perform((tx, caller) => createTag(tx, caller, { name, ...(colour ? { colour } : {}) }))

  test('is renamed and coloured on all its tickets at once', async () => {
    const ticket = await createTicket(acme)
    await tag(ticket.id, 'biling')
    const [{ id }] = await allTags()
    await acme.perform((tx, caller) => updateTag(tx, caller, id, { name: 'Billing', colour: '#0A7D4F' }, followTag))
    expect(await tagsOf(ticket.id)).toEqual(['Billing'])
    expect(await allTags()).toEqual([{ id, name: 'Billing', colour: '#0a7d4f', ticketCount: 1 }])
    await acme.perform((tx, caller) => updateTag(tx, caller, id, { colour: null }, followTag))
    expect((await allTags())[0].colour).toBeNull()
  })

  test('has a name and a colour that hold, and a name of its own', async () => {
    const billing = await made('Billing', '#ff0000')
    expect(await refusal(made('bILLING'))).toEqual(['conflict', 'a tag of this name already exists'])
    expect(await refusal(made(''))).toEqual(['invalid_request', 'name: must be 1 to 40 characters'])
    expect(await refusal(made('Red', 'red'))).toEqual(['invalid_request', 'colour: must be a colour such as #0a7d4f'])
    const other = await made('Other')
    const rename = acme.perform((tx, caller) => updateTag(tx, caller, other.id, { name: 'billing' }, followTag))
    expect(await refusal(rename)).toEqual(['conflict', 'a tag of this name already exists'])
    // Its own in another case it may have.
    await acme.perform((tx, caller) => updateTag(tx, caller, billing.id, { name: 'BILLING' }, followTag))
    expect((await allTags()).map(({ name }: { name: string }) => name).sort()).toEqual(['BILLING', 'Other'])
  })

  test('is merged into another, and deleted, with nothing of it left at any ticket', async () => {
    const [a, b, c] = [await createTicket(acme), await createTicket(acme), await createTicket(acme)]
    await tag(a.id, 'invoice')
    await tag(b.id, 'invoice', 'billing')
    await tag(c.id, 'billing')
    const idOf = async (name: string) => (await allTags()).find((one: { name: string }) => one.name === name)?.id
    const [invoice, billing] = [await idOf('invoice'), await idOf('billing')]
    const itself = acme.perform((tx, caller) => mergeTags(tx, caller, billing, billing, followTag))
    expect(await refusal(itself)).toEqual(['invalid_request', 'into: must be another tag'])
    await acme.perform((tx, caller) => mergeTags(tx, caller, invoice, billing, followTag))
    expect(await allTags()).toEqual([{ id: billing, name: 'billing', colour: null, ticketCount: 3 }])
    for (const { id } of [a, b, c]) expect(await tagsOf(id)).toEqual(['billing'])
    await acme.perform((tx, caller) => deleteTag(tx, caller, billing))
    expect(await allTags()).toEqual([])
    for (const { id } of [a, b, c]) expect(await tagsOf(id)).toEqual([])
    const other = await app.createTenant()
    const theirs = await other.perform((tx, caller) => createTag(tx, caller, { name: 'Theirs' }))
    const removed = acme.perform((tx, caller) => deleteTag(tx, caller, theirs.id))
    expect(await refusal(removed)).toEqual(['not_found', 'tag not found'])
  })
})
