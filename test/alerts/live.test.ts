import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { type AlertChoices, DEFAULT_CHOICES, setAlertChoices } from '../../src/alerts/choices.ts'
import { sessions } from '../../src/db/schema.ts'
import { assignTicket } from '../../src/tickets/assignment.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { setAway } from '../../src/users/changes.ts'
import { updateUser } from '../../src/users/profile.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { messagesOf, type Told } from '../support/chat/event-stream.ts'
import { signedIn } from '../support/pages/console.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const HOUR = 3_600_000

let app: TestApp
let acme: TestTenant
let robin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  robin = await signedIn(app, acme, 'agent')
  await choose({ browser: true, sound: true })
})
afterAll(() => app.close())

const choose = (assigned: { browser: boolean; sound: boolean }) =>
  acme.perform((tx, caller) =>
    setAlertChoices(tx, caller, robin.person.userId, {
      ...DEFAULT_CHOICES,
      assigned: { ...assigned, mail: 'off' },
    } satisfies AlertChoices),
  )
const assign = async (id: string, userId: string | null = robin.person.userId) =>
  acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId }))

/** A page that listens at a path; what it is told, one after the other. */
async function open(path: string, browser = robin, headers: Record<string, string> = {}) {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const { upTo, close } = messagesOf(await fetch(app.url + path, { headers: { cookie, ...headers } }))
  /** The next of these events: others are of the page itself. */
  const nextOf = async (...events: string[]) => (await upTo(({ event }) => events.includes(event))).at(-1) as Told
  expect((await nextOf('listening')).event).toBe('listening')
  return { nextOf, close }
}

test.each(['/console/inbox/events', '/console/alerts/events'])(
  'a page that listens at %s is told of its person’s alerts, in their words, and of nobody else’s',
  async (path) => {
    const colleague = await signedIn(app, acme, 'agent')
    const [own, other] = [await open(`${path}?alerts=`), await open(`${path}?alerts=`, colleague)]
    const { id, ticketReference } = await createTicket(acme, { subject: 'Broken <b>' })
    expect(await own.nextOf('news', 'alert')).toMatchObject({ event: 'news', data: { ticket: id } })
    await acme.perform((tx, caller) => updateUser(tx, caller, colleague.person.userId, { name: 'Kim Lee' }))
    await colleague.post(`/console/tickets/${id}/assignee`, { assigneeId: robin.person.userId })
    expect((await own.nextOf('alert')).data).toMatchObject({
      ticket: id,
      url: `/console/tickets/${id}`,
      title: 'Kim Lee assigned a ticket to you',
      body: `${ticketReference} Broken <b>`,
      isShown: true,
      isHeard: true,
    })
    await acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'Still.' }))
    expect((await other.nextOf('alert', 'news')).event).toBe('news')
    expect((await other.nextOf('alert', 'news')).event).toBe('news')
    await Promise.all([own.close(), other.close()])
  },
)

test('a page that listens again is told what it missed, and one that begins nothing of before', async () => {
  const first = await open('/console/alerts/events?alerts=')
  const { id } = await createTicket(acme)
  await assign(id)
  const { id: until, data } = await first.nextOf('alert')
  await first.close()
  await assign(id, null)
  app.clock.advance(61_000)
  await assign(id)
  const cookie = [...robin.cookies].map((pair) => pair.join('=')).join('; ')
  for (const [path, headers] of [
    [`/console/alerts/events?alerts=${until}`, {}],
    ['/console/alerts/events?alerts=', { 'last-event-id': until as string }],
  ] as const) {
    const stream = messagesOf(await fetch(app.url + path, { headers: { cookie, ...headers } }))
    const told = await stream.upTo(({ event }) => event === 'listening')
    await stream.close()
    const numbers = told.flatMap(({ data: { number } }) => (number === undefined ? [] : Number(number)))
    // Any may come again.
    expect(new Set(numbers.filter((number) => number > Number(data.number))).size).toBe(1)
  }
})

test('who is away, and what was not chosen, make no noise', async () => {
  const page = await open('/console/alerts/events?alerts=')
  const [first, second, third] = [await createTicket(acme), await createTicket(acme), await createTicket(acme)]
  await acme.perform((tx, caller) => setAway(tx, caller, robin.person.userId, true))
  await assign(first.id)
  await acme.perform((tx, caller) => setAway(tx, caller, robin.person.userId, false))
  await choose({ browser: false, sound: false })
  await assign(second.id)
  await choose({ browser: true, sound: false })
  await assign(third.id)
  expect((await page.nextOf('alert')).data).toMatchObject({ ticket: third.id, isHeard: false })
  await page.close()
})

test('a page that nobody looks at keeps no session going', async () => {
  const seen = async () => {
    const [row] = await app.database.db
      .select({ at: sessions.lastSeenAt })
      .from(sessions)
      .where(eq(sessions.userId, robin.person.userId))
    return row?.at
  }
  const before = await seen()
  app.clock.advance(HOUR)
  await (await open('/console/alerts/events?alerts=')).close()
  expect(await seen()).toBe(before)
  await (await open('/console/inbox/events?alerts=')).close()
  expect(await seen()).not.toBe(before)
})
