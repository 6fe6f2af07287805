import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createTeam } from '../../../../src/teams/operations.ts'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../../support/app.ts'
import { signedIn } from '../../../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../../../support/tickets/tickets.ts'

const HOUR = 3_600_000

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let inboxId: string

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  app.clock.advance(HOUR)
  acme = await app.createTenant()
  agent = await signedIn(app, acme, 'agent')
  inboxId = (await createEmailInbox(acme)).id
})
afterAll(() => app.close())

const open = async (subject: string) => {
  app.clock.advance(1000)
  return (await createTicket(acme, { inboxId, subject })).id
}
const now = async (id: string) => (await acme.get(`/v1/tickets/${id}`)).body
/** What the ticket can be given again. */
const stateOf = async (id: string) => {
  const { status, snoozedUntil, assignee, team, priority, tags } = await now(id)
  return { status, snoozedUntil, assignee: assignee?.id ?? null, team: team?.id ?? null, priority, tags }
}
/** Presses the button beside what was said, as the page that a form led to has it. */
async function undo(answer: Answer): Promise<Answer> {
  expect(answer.status).toBe(303)
  const { text } = await agent.follow(answer)
  const [, form = ''] =
    /data-said>.*?<form method="post" action="\/console\/inbox\/undo">(.*?)<\/form>/s.exec(text) ?? []
  const fields: Record<string, string[]> = {}
  for (const [, name = '', value = ''] of form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)) {
    fields[name] = [...(fields[name] ?? []), value.replaceAll('&amp;', '&')]
  }
  expect(Object.keys(fields)).toContain('was')
  const { csrf: _, ...rest } = fields
  return agent.post('/console/inbox/undo', rest)
}

describe('what was done with a ticket is taken back with a click', () => {
  test('whoever it was assigned to, its team, tags, priority, status and snooze', async () => {
    const id = await open('One')
    const team = await acme.perform((tx, caller) =>
      createTeam(tx, caller, { name: 'Billing', memberIds: [acme.userId], distribution: 'round_robin' }),
    )
    await acme.put(`/v1/tickets/${id}/tags`, { tags: ['billing, EU', 'VIP'] })
    await acme.put(`/v1/tickets/${id}/assignee`, { userId: agent.person.userId })
    const before = await stateOf(id)
    const changes: readonly (readonly [path: string, fields: Record<string, string>])[] = [
      ['assignee', { assigneeId: acme.userId }],
      ['assignee', { assigneeId: '' }],
      ['team', { teamId: team.id }],
      ['tags', { add: 'refund' }],
      ['tags', { untag: 'billing, EU' }],
      ['priority', { priority: 'urgent' }],
      ['status', { status: 'spam' }],
      ['snooze', { until: 'later' }],
      ['snooze', { until: '2099-12-01T09:30', zone: 'Asia/Tokyo' }],
    ]
    for (const [path, fields] of changes) {
      const answer = await agent.post(`/console/tickets/${id}/${path}`, fields)
      expect([path, await stateOf(id)]).not.toEqual([path, before])
      const undone = await undo(answer)
      expect([undone.status, undone.headers.get('location')]).toEqual([303, `/console/tickets/${id}`])
      expect((await agent.follow(undone)).text).toContain('<p class="flash" role="status">Undone.</p></div>')
      expect([path, await stateOf(id)]).toEqual([path, before])
    }
  })

  test('a snooze that was ended is there again unless its time has come meanwhile', async () => {
    const id = await open('One')
    await agent.post(`/console/tickets/${id}/snooze`, { until: 'later' })
    const { snoozedUntil } = await stateOf(id)
    expect(Date.parse(snoozedUntil)).toBe(Math.floor(app.clock.now() / 1000) * 1000 + 3 * HOUR)
    const closed = await agent.post(`/console/tickets/${id}/status`, { status: 'closed' })
    await undo(closed)
    expect(await stateOf(id)).toMatchObject({ status: 'open', snoozedUntil })
    const again = await agent.post(`/console/tickets/${id}/status`, { status: 'closed' })
    app.clock.advance(4 * HOUR)
    agent = await signedIn(app, acme, 'agent')
    await agent.post('/console/inbox/undo', { part: 'status', was: wasOf(id, `open ${snoozedUntil}`) })
    expect(again.status).toBe(303)
    expect(await stateOf(id)).toMatchObject({ status: 'open', snoozedUntil: null })
  })
})

/** What the form says of one ticket. */
const wasOf = (id: string, value: string) =>
  `${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')} ${value}`

describe('what was done with several tickets', () => {
  const bulk = (fields: Record<string, string | string[]>) => agent.post('/console/inbox/bulk', fields)

  test('is taken back for each as it was, and leads back to the list', async () => {
    const ids = [await open('One'), await open('Two'), await open('Three')]
    const team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Refunds', memberIds: [] }))
    await acme.put(`/v1/tickets/${ids[0]}/tags`, { tags: ['billing'] })
    await acme.put(`/v1/tickets/${ids[1]}/priority`, { priority: 'high' })
    await acme.put(`/v1/tickets/${ids[2]}/assignee`, { userId: acme.userId })
    const before = await Promise.all(ids.map(stateOf))
    const deeds: readonly (readonly [fields: Record<string, string>, expected: object])[] = [
      [{ do: 'close' }, { status: 'closed' }],
      [{ do: 'take' }, { assignee: agent.person.userId }],
      [{ assigneeId: acme.userId }, { assignee: acme.userId }],
      [{ priority: 'urgent' }, { priority: 'urgent' }],
      [
        { until: 'tomorrow', zone: 'UTC' },
        { status: 'open', snoozedUntil: expect.any(String) },
      ],
      [{ do: 'tag', add: 'later, billing' }, { tags: ['billing', 'later'] }],
      [{ add: '', tag: 'later, billing' }, { tags: expect.arrayContaining(['later, billing']) }],
      [{ teamId: team.id }, { team: team.id }],
      [
        { do: 'tag', add: '', untilTime: '2099-12-01T09:30', zone: 'Asia/Tokyo' },
        { snoozedUntil: '2099-12-01T00:30:00.000Z' },
      ],
      [{ until: 'time', untilTime: '2099-12-01T09:30', zone: 'UTC' }, { snoozedUntil: '2099-12-01T09:30:00.000Z' }],
    ]
    for (const [fields, expected] of deeds) {
      const answer = await bulk({ ...fields, ticket: ids, list: 'assignee=nobody' })
      for (const id of ids) expect([fields, await stateOf(id)]).toEqual([fields, expect.objectContaining(expected)])
      const undone = await undo(answer)
      expect(undone.headers.get('location')).toBe('/console/inbox?assignee=nobody')
      expect([fields, await Promise.all(ids.map(stateOf))]).toEqual([fields, before])
    }
  })

  test('is offered to be taken back for as many as can be ticked', async () => {
    const ids: string[] = []
    for (let count = 0; count < 100; count += 1) ids.push(await open(`No. ${count}`))
    const answer = await bulk({ do: 'close', ticket: ids })
    for (const cookie of answer.headers.getSetCookie()) expect(cookie.length).toBeLessThan(4096)
    await undo(answer)
    expect((await acme.get('/v1/tickets?status=closed')).body.items).toEqual([])
  })
})

describe('a form that was made up', () => {
  test('changes no more tickets than can be ticked', async () => {
    const ids: string[] = []
    for (let count = 0; count < 101; count += 1) ids.push(await open(`No. ${count}`))
    const was = ids.map((id) => wasOf(id, 'closed '))
    expect((await agent.post('/console/inbox/undo', { part: 'status', was })).status).toBe(303)
    expect(await Promise.all(ids.map(async (id) => (await stateOf(id)).status))).toEqual([
      ...Array(100).fill('closed'),
      'open',
    ])
  })

  test('changes nothing of another tenant’s, nor what it names wrongly', async () => {
    const other = await app.createTenant()
    const theirs = (await createTicket(other)).id
    const mine = await open('Mine')
    const send = (fields: Record<string, string | string[]>) => agent.post('/console/inbox/undo', fields)
    const foreign = await send({ part: 'status', was: wasOf(theirs, 'closed ') })
    expect([foreign.status, foreign.headers.get('location')]).toEqual([303, `/console/tickets/${theirs}`])
    expect((await other.get(`/v1/tickets/${theirs}`)).body.status).toBe('open')
    const wrong: Record<string, string>[] = [
      { part: 'excerpt', was: wasOf(mine, 'x') },
      { part: 'constructor', was: wasOf(mine, 'x') },
      { part: 'status', was: wasOf(mine, 'gone') },
      { part: 'priority', was: wasOf(mine, 'most') },
      { part: 'assignee', was: wasOf(mine, other.userId) },
      { part: 'tags', was: wasOf(mine, 'x'.repeat(41)) },
    ]
    const before = await stateOf(mine)
    for (const fields of wrong) expect([fields, (await send(fields)).status]).toEqual([fields, 400])
    for (const was of ['', 'x', '!!', `${'A'.repeat(22)} open`])
      expect((await send({ part: 'status', was })).status).toBe(303)
    expect(await stateOf(mine)).toEqual(before)
  })
})

describe('the list', () => {
  const rowsOn = async (path: string) =>
    [...(await agent.get(path)).text.matchAll(/<span class="subject" dir="auto">(.*?)<\/span>/g)].map(
      ([, text]) => text,
    )

  test('is narrowed by team and by tag, also when it is searched', async () => {
    const [one, two] = [await open('Kettle one'), await open('Kettle two')]
    const team = await acme.perform((tx, caller) =>
      createTeam(tx, caller, { name: 'Billing', memberIds: [], distribution: 'none' }),
    )
    await acme.put(`/v1/tickets/${one}/assignee`, { teamId: team.id })
    await acme.put(`/v1/tickets/${two}/tags`, { tags: ['VIP'] })
    const [tag] = (await acme.get('/v1/tags')).body.items
    expect(await rowsOn(`/console/inbox?team=${team.id}`)).toEqual(['Kettle one'])
    expect(await rowsOn(`/console/inbox?tag=${tag.id}`)).toEqual(['Kettle two'])
    expect(await rowsOn(`/console/inbox?tag=${tag.id}&team=${team.id}`)).toEqual([])
    expect(await rowsOn(`/console/inbox?q=kettle&team=${team.id}`)).toEqual(['<mark>Kettle</mark> one'])
    expect(await rowsOn(`/console/inbox?q=kettle&tag=${tag.id}`)).toEqual(['<mark>Kettle</mark> two'])
    expect(await rowsOn('/console/inbox?tag=no-such-tag')).toEqual([])
  })

  test('says how many tickets a view holds, and of an own answer that it is one', async () => {
    const id = await open('One')
    await open('Two')
    const viewsOn = async () =>
      [...(await agent.get('/console/inbox')).text.matchAll(/<span>(\w+)<\/span><span class="count">([^<]*)</g)].map(
        ([, name, count]) => `${name} ${count}`,
      )
    expect(await viewsOn()).toEqual(['Open 2', 'Unassigned 2'])
    await agent.post(`/console/tickets/${id}/assignee`, { assigneeId: agent.person.userId })
    await agent.post(`/console/tickets/${id}/snooze`, { until: 'tomorrow' })
    expect(await viewsOn()).toEqual(['Open 1', 'Unassigned 1', 'Snoozed 1'])
    const own = async () => /class="by-us">([^<]*)</.exec((await agent.get('/console/inbox?status=snoozed')).text)?.[1]
    expect(await own()).toBeUndefined()
    const { text } = await agent.get(`/console/tickets/${id}`)
    const newest = /name="newest" value="([^"]*)"/.exec(text)?.[1] ?? ''
    await agent.post(`/console/tickets/${id}/replies`, { newest, answer: 'Here it is.' })
    app.clock.advance(10_000)
    await app.runDue()
    expect(await own()).toBe('You:')
  })
})
