import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { removeUser } from '../../src/privacy/user-removal.ts'
import { createTeam, type TeamInput, updateTeam } from '../../src/teams/operations.ts'
import { deleteTeam } from '../../src/tickets/assignment.ts'
import { setAway } from '../../src/users/changes.ts'
import { updateUser } from '../../src/users/profile.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { createPerson } from '../support/pages/console.ts'
import { refusal } from '../support/refusal.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
let ada: string
let bob: string
beforeEach(async () => {
  acme = await app.createTenant()
  ada = await person('Ada')
  app.clock.advance(1)
  bob = await person('Bob')
})
afterAll(() => app.close())

async function person(name: string): Promise<string> {
  const { userId } = await createPerson(acme, 'agent')
  await acme.perform((tx, caller) => updateUser(tx, caller, userId, { name }))
  return userId
}
const team = (input: TeamInput & { name: string }) => acme.perform((tx, caller) => createTeam(tx, caller, input))
const assign = (id: string, to: object) => acme.put(`/v1/tickets/${id}/assignee`, to)
const away = (userId: string, isAway = true) =>
  acme.perform((tx, caller) => setAway(tx, { ...caller, author: { ...caller.author, id: userId } }, userId, isAway))
/** Hands a new ticket to the team, and says whose it is then. */
async function handed(teamId: string) {
  const { body } = await assign((await createTicket(acme)).id, { teamId })
  expect(body.team.id).toBe(teamId)
  return body.assignee?.name ?? null
}

describe('handing a ticket to a team', () => {
  test('leaves the person as they are where the team does not distribute', async () => {
    const { id: teamId } = await team({ name: 'Billing', memberIds: [ada, bob] })
    expect(await handed(teamId)).toBeNull()
    const ticket = await createTicket(acme)
    await assign(ticket.id, { userId: bob })
    const { body } = await assign(ticket.id, { teamId })
    expect(body).toMatchObject({ team: { id: teamId, name: 'Billing' }, assignee: { id: bob, name: 'Bob' } })
    expect((await assign(ticket.id, { teamId: null })).body).toMatchObject({ team: null, assignee: { id: bob } })
    expect((await assign(ticket.id, {})).body).toMatchObject({ team: null, assignee: { id: bob } })
  })

  test('gives it to the members in turn, leaving out who is away', async () => {
    const { id } = await team({ name: 'Billing', distribution: 'round_robin', memberIds: [bob, ada, acme.userId] })
    const turns = [await handed(id), await handed(id), await handed(id), await handed(id)]
    expect(new Set(turns.slice(0, 3)).size).toBe(3)
    expect(turns[3]).toBe(turns[0])
    await away(ada)
    const without = [await handed(id), await handed(id), await handed(id)]
    expect(without).not.toContain('Ada')
    expect(new Set(without).size).toBe(2)
    await away(ada, false)
    expect([await handed(id), await handed(id), await handed(id)]).toContain('Ada')
  })

  test('gives it to whoever has the fewest open tickets', async () => {
    const { id } = await team({ name: 'Billing', distribution: 'least_open', memberIds: [bob, ada] })
    const mine = await createTicket(acme)
    await assign(mine.id, { userId: ada })
    expect([await handed(id), await handed(id)]).toEqual(['Bob', 'Ada'])
    await acme.put(`/v1/tickets/${mine.id}/status`, { status: 'closed' })
    expect([await handed(id), await handed(id)]).toEqual(['Ada', 'Bob'])
  })

  test('lets it wait for the team where nobody is there', async () => {
    const { id } = await team({ name: 'Billing', distribution: 'round_robin', memberIds: [ada] })
    const empty = await team({ name: 'Empty', distribution: 'least_open' })
    await away(ada)
    expect([await handed(id), await handed(empty.id)]).toEqual([null, null])
  })

  test('gives it to who is named, and the same again changes nothing', async () => {
    const { id: teamId } = await team({ name: 'Billing', distribution: 'round_robin', memberIds: [ada, bob] })
    const ticket = await createTicket(acme)
    const events = await acme.events()
    const { text } = await assign(ticket.id, { teamId: teamId.toUpperCase(), userId: bob.toUpperCase() })
    expect(JSON.parse(text)).toMatchObject({ assignee: { id: bob }, team: { id: teamId } })
    app.clock.advance(1000)
    expect((await assign(ticket.id, { teamId })).text).toBe(text)
    const fired = (await acme.events()).slice(events.length)
    expect(fired).toMatchObject([
      { event: 'ticket.assigned', payload: { ticket: JSON.parse(text), previousAssignee: null } },
    ])
  })

  test('is refused for what the tenant does not have', async () => {
    const other = await app.createTenant()
    const theirs = await other.perform((tx, caller) => createTeam(tx, caller, { name: 'Theirs' }))
    const ticket = await createTicket(acme)
    const wrong: [object, string][] = [
      [{ teamId: theirs.id }, 'teamId: there is no such team'],
      [{ userId: other.userId }, 'userId: there is no such user'],
      [{ userId: 'ada' }, 'userId: must be a UUID'],
      [{ assigneeId: ada }, 'assigneeId: unknown field'],
    ]
    for (const [to, message] of wrong) {
      const { status, body } = await assign(ticket.id, to)
      expect(status).toBe(400)
      expect(body.message).toBe(message)
    }
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body).toMatchObject({ assignee: null, team: null })
  })
})

test('tickets are listed by person and team, and those of nobody', async () => {
  const { id: billing } = await team({ name: 'Billing' })
  const made = []
  for (let i = 0; i < 4; i++) {
    app.clock.advance(1)
    made.push((await createTicket(acme)).id)
  }
  const [a, b, c, d] = made as [string, string, string, string]
  await assign(a, { userId: ada })
  await assign(b, { userId: ada, teamId: billing })
  await assign(c, { teamId: billing })
  const listed = async (query: string) =>
    (await acme.get(`/v1/tickets?${query}`)).body.items.map(({ id }: { id: string }) => id)
  expect(await listed(`assignee=${ada.toUpperCase()}`)).toEqual([b, a])
  expect(await listed('assignee=none')).toEqual([d, c])
  expect(await listed(`team=${billing}`)).toEqual([c, b])
  expect(await listed('team=none')).toEqual([d, a])
  expect(await listed(`team=${billing}&assignee=none`)).toEqual([c])
  expect(await listed(`team=${billing}&assignee=${ada}&priority=normal&status=open`)).toEqual([b])
  expect(await acme.get('/v1/tickets?assignee=me')).toMatchObject({
    status: 400,
    body: { message: 'assignee: must be a UUID or none' },
  })
})

describe('a team', () => {
  test('is listed with its members by name, and changed in what is given', async () => {
    const made = await team({ name: ' Billing ', distribution: 'round_robin', memberIds: [bob, ada, bob] })
    expect((await acme.get('/v1/teams')).body).toEqual({
      items: [
        {
          id: made.id,
          name: 'Billing',
          distribution: 'round_robin',
          members: [
            { id: ada, name: 'Ada' },
            { id: bob, name: 'Bob' },
          ],
        },
      ],
      nextCursor: null,
    })
    const changed = await acme.perform((tx, caller) => updateTeam(tx, caller, made.id, { memberIds: [bob] }))
    expect(changed).toEqual({ ...made, members: [{ id: bob, name: 'Bob' }] })
  })

  test('has a name of its own, members of its tenant and a known way to distribute', async () => {
    const other = await app.createTenant()
    await team({ name: 'Billing' })
    expect(await refusal(team({ name: 'bILLING' }))).toEqual(['conflict', 'a team of this name already exists'])
    expect(await refusal(team({ name: 'X', memberIds: [other.userId] }))).toEqual([
      'invalid_request',
      'members: there is no such user',
    ])
    expect(await refusal(team({ name: 'X', distribution: 'dice' }))).toEqual([
      'invalid_request',
      'distribution: must be one of none, round_robin, least_open',
    ])
    expect((await acme.get('/v1/teams')).body.items).toHaveLength(1)
    expect((await other.get('/v1/teams')).body.items).toEqual([])
  })

  test('that is deleted leaves its tickets with whoever has them', async () => {
    const { id: teamId } = await team({ name: 'Billing', memberIds: [ada] })
    const ticket = await createTicket(acme)
    await assign(ticket.id, { teamId, userId: ada })
    await acme.perform((tx, caller) => deleteTeam(tx, caller, teamId))
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body).toMatchObject({ team: null, assignee: { id: ada } })
    expect((await acme.get('/v1/teams')).body.items).toEqual([])
  })

  test('loses who is removed, and so do tickets', async () => {
    const { id: teamId } = await team({ name: 'Billing', memberIds: [ada, bob] })
    const ticket = await createTicket(acme)
    await assign(ticket.id, { teamId, userId: ada })
    const admin = { ...acme.caller().author, type: 'agent' as const, id: acme.userId }
    await acme.perform((tx, caller) => removeUser(tx, { ...caller, author: admin }, ada))
    expect((await acme.get('/v1/teams')).body.items[0].members).toEqual([{ id: bob, name: 'Bob' }])
    expect((await acme.get(`/v1/tickets/${ticket.id}`)).body).toMatchObject({ team: { id: teamId }, assignee: null })
  })
})

test('users are listed, newest first, with whether they are away', async () => {
  await away(bob)
  const { body } = await acme.get('/v1/users')
  expect(body.items.map(({ name, role, away }: Record<string, unknown>) => [name, role, away])).toEqual([
    ['Bob', 'agent', true],
    ['Ada', 'agent', false],
    [expect.stringContaining('admin@'), 'admin', false],
  ])
  expect(Object.keys(body.items[0])).toEqual(['id', 'name', 'email', 'role', 'away'])
})
