import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { auditEntries, inboxViews, tags, tickets } from '../../../src/db/schema.ts'
import { assignTicket, setPriority } from '../../../src/tickets/assignment.ts'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../../src/tickets/merging/operations.ts'
import { setStatus } from '../../../src/tickets/status.ts'
import { setTags } from '../../../src/tickets/tagging.ts'
import { addNote } from '../../../src/tickets/thread/notes.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { signedIn } from '../../support/pages/console.ts'
import { createEmailInbox, createTicket } from '../../support/tickets/tickets.ts'

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

const open = (subject: string, more: object = {}) => {
  app.clock.advance(1000)
  return createTicket(acme, { inboxId, subject, ...more })
}
/** The rows of the list, by their subjects. */
async function rowsOn(path: string): Promise<Map<string, string>> {
  const { status, text } = await agent.get(path)
  expect(status).toBe(200)
  const rows = text.match(/<li[^>]*><input type="checkbox".*?<\/li>/gs) ?? []
  return new Map(rows.map((row) => [/<span class="subject" dir="auto">(.*?)<\/span>/s.exec(row)?.[1] ?? '', row]))
}
const subjectsOn = async (path: string) => [...(await rowsOn(path)).keys()]
const linkOn = async (path: string, rel: 'prev' | 'next') => {
  const { text } = await agent.get(path)
  return new RegExp(`rel="${rel}" href="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&')
}
const stored = async (id: string) => {
  const [row] = await app.database.db
    .select()
    .from(tickets)
    .where(and(eq(tickets.tenantId, acme.tenantId), eq(tickets.id, id)))
  return row
}

describe('searching the inbox', () => {
  test('shows the place with the words marked, whatever a stranger wrote', async () => {
    await open('About <b>kettles</b>', { text: 'The <script>kettle</script> leaks' })
    const { status, text } = await agent.get('/console/inbox?q=kettle')
    expect(status).toBe(200)
    expect(text).toContain('About &lt;b&gt;<mark>kettles</mark>&lt;/b&gt;')
    expect(text).toContain('The &lt;script&gt;<mark>kettle</mark>&lt;/script&gt; leaks')
    expect(text).toContain('value="kettle"')
  })

  test('looks in every status unless one is chosen, which keeps the words', async () => {
    const { id } = await open('Closed kettle')
    await open('Open kettle')
    await acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'closed' }))
    expect(await subjectsOn('/console/inbox?q=kettle')).toHaveLength(2)
    expect(await subjectsOn('/console/inbox?q=kettle&status=open')).toEqual(['Open <mark>kettle</mark>'])
    const { text } = await agent.get('/console/inbox?q=kettle')
    expect(text).toMatch(
      /<form method="get" aria-label="Inbox filters"[^>]*><input type="hidden" name="q" value="kettle">/,
    )
  })

  test('says so where nothing is found, or was typed that has no word', async () => {
    await open('One')
    for (const text of ['kettle', '***', '"', 'a"b OR', '%00']) {
      const answer = await agent.get(`/console/inbox?q=${encodeURIComponent(text)}`)
      expect([text, answer.status]).toEqual([text, 200])
      expect(answer.text).toContain('Nothing was found for')
    }
  })

  test('goes on page by page', async () => {
    for (let i = 0; i < 52; i += 1) await createTicket(acme, { inboxId, subject: `kettle ${i}` })
    const next = (await linkOn('/console/inbox?q=kettle', 'next')) as string
    expect(next).toContain('q=kettle')
    expect(await subjectsOn('/console/inbox?q=kettle')).toHaveLength(50)
    expect(await subjectsOn(next)).toHaveLength(2)
    expect((await agent.get(`${next}x`)).status).toBe(400)
  })
})

describe('the list', () => {
  test('loads less than 60 kB of scripts, compressed, as the page of a ticket does', async () => {
    const { id } = await open('Kettle')
    for (const path of ['/console/inbox', `/console/tickets/${id}`]) {
      const { text } = await agent.get(path)
      const scripts = [...text.matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src as string)
      expect(scripts.length).toBeGreaterThan(1)
      let bytes = 0
      for (const src of scripts) {
        const answer = await agent.get(src, { 'accept-encoding': 'identity' })
        expect(answer.status).toBe(200)
        bytes += Bun.gzipSync(answer.text).length
      }
      expect(bytes).toBeLessThan(60_000)
    }
  })

  test('shows everybody what is written as soon as it is written, whoever looked at it before', async () => {
    const { id } = await open('Kettle')
    const other = await signedIn(app, acme, 'agent')
    const everybody = async (path: string) => {
      const both = await Promise.all([agent.get(path), other.get(path)])
      return both.map(({ text }) => /<ul class="tickets".*?<\/ul>/s.exec(text)?.[0] ?? '')
    }
    const all = '/console/inbox?status=all'
    for (const text of await everybody(all)) expect(text).toContain('Kettle')
    await acme.perform((tx, caller) => addNote(tx, caller, id, { text: 'Called them' }))
    for (const text of await everybody(all)) expect(text).toContain('Called them')
    await acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId: other.person.userId }))
    for (const text of await everybody(all)) expect(text).toContain(other.person.email)
    const tagged = await acme.perform((tx, caller) => setTags(tx, caller, id, ['hot']))
    const [tag] = await app.database.db.select().from(tags).where(eq(tags.tenantId, acme.tenantId))
    expect(tagged.tags).toEqual(['hot'])
    const ofTag = `/console/inbox?tag=${tag?.id}`
    for (const text of await everybody(ofTag)) expect(text).toContain('Kettle')
    await acme.perform((tx, caller) => setTags(tx, caller, id, []))
    for (const text of await everybody(ofTag)) expect(text).not.toContain('Kettle')
  })

  test('says what a ticket is in the word that its own page and its customer’s timeline have for it', async () => {
    const snoozedUntil = new Date(app.clock.now() + HOUR).toISOString()
    const words = { pending: 'Waiting', closed: 'Closed', spam: 'Spam', snoozed: 'Snoozed' }
    for (const [state, word] of Object.entries(words)) {
      const { id } = await open(`Is ${state}`, { email: `${state}@acme.test` })
      const change = state === 'snoozed' ? { status: 'open', snoozedUntil } : { status: state }
      const { body: ticket } = await acme.put(`/v1/tickets/${id}/status`, change)
      const pages = [
        (await rowsOn(`/console/inbox?status=${state}`)).get(`Is ${state}`),
        (await agent.get(`/console/tickets/${id}`)).text,
        (await agent.get(`/console/contacts/${ticket.contactId}`)).text,
      ]
      const badges = pages.map((page) => new RegExp(`<span class="badge (\\w+)">${word}</span>`).exec(page ?? '')?.[1])
      expect([state, ...badges]).toEqual([state, ...Array(3).fill(state === 'spam' ? 'warn' : 'neutral')])
    }
  })

  test('is gone through both ways', async () => {
    for (let i = 0; i < 120; i += 1) {
      app.clock.advance(1000)
      await createTicket(acme, { inboxId, subject: `No. ${i}` })
    }
    const second = (await linkOn('/console/inbox', 'next')) as string
    const third = (await linkOn(second, 'next')) as string
    expect(await linkOn('/console/inbox', 'prev')).toBeUndefined()
    expect(await linkOn(third, 'next')).toBeUndefined()
    expect(await subjectsOn(third)).toHaveLength(20)
    const back = (await linkOn(third, 'prev')) as string
    expect(await subjectsOn(back)).toEqual(await subjectsOn(second))
    expect(await subjectsOn((await linkOn(back, 'prev')) as string)).toEqual(await subjectsOn('/console/inbox'))
    expect(await subjectsOn((await linkOn(back, 'next')) as string)).toEqual(await subjectsOn(third))
  })

  test('marks what somebody has not read yet, for each person apart', async () => {
    const { id } = await open('News')
    const other = await signedIn(app, acme, 'agent')
    const look = async (by: typeof agent) => {
      const headers = { 'content-type': 'application/json', 'x-csrf-token': await by.csrf() }
      expect((await by.request('POST', `/console/tickets/${id}/read`, '{}', headers)).status).toBe(200)
    }
    const isUnread = async () => (await rowsOn('/console/inbox')).get('News')?.includes('class="unread"')
    expect(await isUnread()).toBe(true)
    await look(other)
    expect(await isUnread()).toBe(true)
    await agent.get(`/console/tickets/${id}`)
    expect(await isUnread()).toBe(true)
    await look(agent)
    expect(await isUnread()).toBe(false)
    app.clock.advance(1000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'And?' }))
    expect(await isUnread()).toBe(true)
    await look(agent)
    expect(await isUnread()).toBe(false)
    const elsewhere = await signedIn(app, await app.createTenant())
    const headers = { 'content-type': 'application/json', 'x-csrf-token': await elsewhere.csrf() }
    expect((await elsewhere.request('POST', `/console/tickets/${id}/read`, '{}', headers)).status).toBe(404)
  })

  test('says how long a customer has waited, until they have an answer', async () => {
    const { id } = await open('Question')
    const waits = async () =>
      /class="sr">unanswered ([^<]*)</.exec((await rowsOn('/console/inbox')).get('Question') ?? '')?.[1]
    expect(await waits()).toBe('1 min')
    app.clock.advance(5 * HOUR)
    expect(await waits()).toBe('5 hr')
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'Hello?' }))
    app.clock.advance(67 * HOUR)
    agent = await signedIn(app, acme, 'agent')
    expect(await waits()).toBe('3 days')
    await acme.post(`/v1/tickets/${id}/replies`, { html: '<p>Here.</p>' })
    expect(await waits()).toBeUndefined()
    app.clock.advance(HOUR)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'Out of office', isAutomatic: true }))
    expect(await waits()).toBeUndefined()
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'Thanks, but' }))
    app.clock.advance(2 * 60_000)
    expect(await waits()).toBe('2 min')
    await acme.perform((tx, caller) => setStatus(tx, caller, id, { status: 'closed' }))
    expect((await stored(id))?.waitingSince).toBeNull()
  })

  test('knows of merged tickets since when their customers wait', async () => {
    const first = await open('First')
    const second = await open('Second')
    const since = (await stored(first.id))?.waitingSince
    await acme.post(`/v1/tickets/${second.id}/replies`, { html: '<p>Here.</p>' })
    app.clock.advance(1000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, second.id, { text: 'Again' }))
    const again = (await stored(second.id))?.waitingSince
    await acme.perform((tx, caller) => mergeTickets(tx, caller, first.id, second.id))
    expect([(await stored(first.id))?.waitingSince, (await stored(second.id))?.waitingSince]).toEqual([null, again])
    expect(since).not.toBe(again)
  })

  test('leads admins to what a tenant without an inbox needs', async () => {
    const lonely = await app.createTenant()
    const make = '<p><a class="primary" href="/console/settings/inboxes">'
    for (const role of ['admin', 'agent'] as const) {
      const { text } = await (await signedIn(app, lonely, role)).get('/console/inbox')
      expect([text.includes('There is no inbox yet'), text.includes(make)]).toEqual([true, role === 'admin'])
    }
  })

  test('says why it is empty', async () => {
    const expected = {
      '': 'Nothing is waiting: no ticket is open.',
      '?assignee=me': 'Nothing waits for you.',
      '?assignee=nobody': 'Every open ticket is assigned to somebody.',
      '?status=snoozed': 'Nothing is snoozed.',
      '?status=spam': 'There is no spam.',
      '?priority=high': 'No tickets match these filters.',
    }
    for (const [query, text] of Object.entries(expected)) {
      expect((await agent.get(`/console/inbox${query}`)).text).toContain(text)
    }
  })
})

describe('what is done with several tickets', () => {
  const bulk = (fields: Record<string, string | string[]>) => agent.post('/console/inbox/bulk', fields)

  test('assigns, closes, reopens and moves to spam those that are ticked, and leads back to the list', async () => {
    const [one, two, three] = [await open('One'), await open('Two'), await open('Three')]
    const ticket = [one.id, two.id]
    const answer = await bulk({ do: 'take', ticket, list: 'assignee=nobody' })
    expect(answer.headers.get('location')).toBe('/console/inbox?assignee=nobody')
    expect((await agent.follow(answer)).text).toContain('2 tickets were changed.')
    expect((await stored(one.id))?.assigneeId).toBe(agent.person.userId)
    await bulk({ do: 'assign', assigneeId: acme.userId, ticket })
    expect((await stored(two.id))?.assigneeId).toBe(acme.userId)
    await bulk({ do: 'assign', assigneeId: '', ticket })
    expect((await stored(two.id))?.assigneeId).toBeNull()
    for (const [what, status] of [
      ['close', 'closed'],
      ['spam', 'spam'],
      ['reopen', 'open'],
    ] as const) {
      await bulk({ do: what, ticket })
      expect([(await stored(one.id))?.status, (await stored(two.id))?.status]).toEqual([status, status])
    }
    expect(await stored(three.id)).toMatchObject({ status: 'open', assigneeId: null })
  })

  test('merges two that are ticked into the older one, once both were seen', async () => {
    const [one, two, three] = [await open('One'), await open('Two'), await open('Three')]
    const ask = (ticket: string[]) => bulk({ do: 'merge', ticket })
    const asked = await ask([two.id, one.id])
    expect([asked.status, asked.text.includes(`action="/console/tickets/${two.id}/merge"`)]).toEqual([200, true])
    expect(asked.text).toContain(`name="seen" value="${one.id}"`)
    for (const ticket of [[one.id], [one.id, two.id, three.id]]) {
      const refused = await ask(ticket)
      expect([refused.status, refused.text.includes('Select the two tickets')]).toEqual([400, true])
    }
    expect(await stored(two.id)).toMatchObject({ status: 'open' })
  })

  test('leaves alone what was merged or deleted since, and says so', async () => {
    const [one, two] = [await open('One'), await open('Two')]
    await acme.perform((tx, caller) => mergeTickets(tx, caller, one.id, two.id))
    const answer = await bulk({ do: 'close', ticket: [one.id, two.id, crypto.randomUUID()] })
    const { text } = await agent.follow(answer)
    expect(text).toContain('1 ticket was changed. 2 were not: they were merged or deleted.')
  })

  test('refuses an empty choice, an unknown deed and somebody else’s user; other tenants’ tickets stay', async () => {
    const { id } = await open('One')
    const other = await app.createTenant()
    const theirs = await createTicket(other)
    const nothing = await bulk({ do: 'close', list: 'assignee=nobody' })
    expect([nothing.status, nothing.text.includes('Select at least one ticket.')]).toEqual([400, true])
    expect(nothing.text).toContain('One')
    expect((await bulk({ do: 'delete', ticket: id })).status).toBe(400)
    expect((await bulk({ do: 'assign', assigneeId: other.userId, ticket: id })).status).toBe(400)
    expect((await agent.follow(await bulk({ do: 'close', ticket: theirs.id }))).text).toContain(
      '0 tickets were changed.',
    )
    expect((await other.get(`/v1/tickets/${theirs.id}`)).body.status).toBe('open')
    expect((await stored(id))?.status).toBe('open')
  })

  test('never leads out of the list', async () => {
    const { id } = await open('One')
    for (const list of ['https://evil.test/', '//evil.test', 'status=no-such&next=https://evil.test']) {
      expect((await bulk({ do: 'take', ticket: id, list })).headers.get('location')).toBe('/console/inbox')
    }
  })
})

describe('views', () => {
  const keep = (path: string, fields: Record<string, string>, browser = agent) => browser.post(path, fields)
  const own = '/console/inbox/views'
  const shared = '/console/inbox/shared-views'
  const list = 'status=all&assignee=me&priority=urgent'
  const kept = () => app.database.db.select().from(inboxViews).where(eq(inboxViews.tenantId, acme.tenantId))

  test('are kept under a name and lead to what they were kept of, for oneself alone', async () => {
    const { id } = await open('Mine')
    await acme.perform(async (tx, caller) => {
      await assignTicket(tx, caller, id, { userId: agent.person.userId })
      await setPriority(tx, caller, id, 'urgent')
    })
    await open('Other')
    const answer = await keep(own, { name: 'Mine, <urgent>', list })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/console/inbox?${list}`])
    expect(await subjectsOn(`/console/inbox?${list}`)).toEqual(['Mine'])
    const { text } = await agent.get(`/console/inbox?${list}`)
    expect(text).toMatch(/aria-current="page"><span>Mine, &lt;urgent&gt;</)
    expect(text).not.toContain('Save this view')
    const other = await signedIn(app, acme, 'agent')
    expect((await other.get('/console/inbox')).text).not.toContain('Mine, &lt;')
    const [view] = await kept()
    const log = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, view?.id ?? ''))
      .orderBy(auditEntries.number)
    expect(log.map(({ action }) => action)).toEqual(['view.created'])
  })

  test('are kept for everybody, and deleted, by admins alone', async () => {
    expect((await keep(shared, { name: 'Ours', list })).status).toBe(403)
    expect((await agent.get(`/console/inbox?${list}`)).text).not.toContain('Save for everybody')
    const admin = await signedIn(app, acme, 'admin')
    await keep(shared, { name: 'Ours', list }, admin)
    expect((await agent.get('/console/inbox')).text).toContain('<span>Ours</span></a>')
    const [view] = await kept()
    for (const path of [`${own}/${view?.id}/delete`, `${shared}/${view?.id}/delete`])
      expect([403, 404]).toContain((await agent.post(path)).status)
    const elsewhere = await signedIn(app, await app.createTenant(), 'admin')
    expect((await elsewhere.post(`${shared}/${view?.id}/delete`)).status).toBe(404)
    expect(await kept()).toHaveLength(1)
    expect((await admin.post(`${shared}/${view?.id}/delete`)).status).toBe(303)
    expect(await kept()).toEqual([])
  })

  test('are deleted by whose they are', async () => {
    await keep(own, { name: 'Mine', list })
    const [view] = await kept()
    const other = await signedIn(app, acme, 'admin')
    expect((await other.post(`${own}/${view?.id}/delete`)).status).toBe(404)
    expect((await agent.get(`/console/inbox?${list}`)).text).toContain('Delete “Mine”')
    expect((await agent.post(`${own}/${view?.id}/delete`)).status).toBe(303)
    expect(await kept()).toEqual([])
  })

  test('have a name, and are as many as can be shown', async () => {
    const refused = await keep(own, { name: ' ', list })
    expect([refused.status, refused.text.includes('id="field-name-error"')]).toEqual([400, true])
    for (let i = 0; i < 20; i += 1) await keep(own, { name: `View ${i}`, list })
    const full = await keep(own, { name: 'One more', list })
    expect([full.status, full.text.includes('There are 20 views already')]).toEqual([409, true])
    expect(await kept()).toHaveLength(20)
  })

  test('keep nothing but filters of the list', async () => {
    await keep(own, { name: 'Odd', list: `cursor=x&next=//evil.test&status=spam&q=${'x'.repeat(400)}` })
    const [view] = await kept()
    expect(new URLSearchParams(view?.filters).size).toBe(2)
    expect(new URLSearchParams(view?.filters).get('q')).toHaveLength(320)
  })
})
