import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTeam } from '../../src/teams/operations.ts'
import type { TestApp } from '../support/app.ts'
import { createPerson } from '../support/pages/console.ts'
import { startNodes } from '../support/processes/nodes.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
beforeAll(async () => {
  nodes = await startNodes(2)
})
afterAll(() => nodes.close())

test('a tag that two nodes are told of at once is one, and a team that distributes gives each its turn', async () => {
  const [here, there] = nodes.apps as [TestApp, TestApp]
  const tenant = await here.createTenant()
  const memberIds = await Promise.all(Array.from({ length: 8 }, async () => (await createPerson(tenant)).userId))
  const team = await tenant.perform((tx, caller) =>
    createTeam(tx, caller, { name: 'Support', distribution: 'round_robin', memberIds }),
  )
  const { id: inboxId } = await createEmailInbox(tenant)
  const tickets: string[] = []
  for (let i = 0; i < 8; i++) tickets.push((await createTicket(tenant, { inboxId })).id)
  const ask = (what: string, body: object) =>
    Promise.all(
      tickets.map((id, index) =>
        (index % 2 ? here : there).request('PUT', `/v1/tickets/${id}/${what}`, { key: tenant.key, body }),
      ),
    )
  const tagged = await ask('tags', { tags: ['Refund'] })
  expect(tagged.map(({ status, body }) => [status, body.tags])).toEqual(tickets.map(() => [200, ['Refund']]))
  for (const { request } of [here, there]) {
    const { items } = (await request('GET', '/v1/tags', { key: tenant.key })).body
    expect(items).toEqual([{ id: expect.any(String), name: 'Refund', colour: null, ticketCount: 8 }])
  }
  const handed = await ask('assignee', { teamId: team.id })
  expect(handed.map(({ body }) => body.assignee?.id).sort()).toEqual(memberIds.toSorted())
})
