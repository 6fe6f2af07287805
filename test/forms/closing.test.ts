import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries } from '../../src/db/schema.ts'
import { closeForm, publishForm, reopenForm } from '../../src/forms/publishing.ts'
import { changeSettings } from '../../src/forms/settings/operations.ts'
import type { SettingsChanges } from '../../src/forms/settings/read.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished, createUnpublished, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { refusal } from '../support/refusal.ts'

const HOUR = 3_600_000

let app: TestApp
let acme: TestTenant
let form: TestForm
let visitor: ReturnType<typeof respondent>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '1000000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [{ type: 'nps', required: true }])
  visitor = respondent(app, form)
})
afterAll(() => app.close())

const set = (changes: SettingsChanges) => acme.perform((tx, caller) => changeSettings(tx, caller, form.id, changes))
const status = async () => (await acme.get(`/v1/forms/${form.id}`)).body.status
const responses = async (of = 'complete') =>
  (await acme.get(`/v1/forms/${form.id}/responses?status=${of}&limit=100`)).body.items
const inHours = (hours: number) => new Date(app.clock.now() + hours * HOUR).toISOString()
const closings = async () =>
  (
    await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, form.id))
      .orderBy(auditEntries.number)
  )
    .filter(({ action }) => action === 'form.closed')
    .map(({ via }) => via)
const expectClosed = ({ status, body }: { status: number; body: object }) =>
  expect([status, body]).toEqual([
    404,
    problem('not_found', 'there is no such form, or it is closed and takes no more answers'),
  ])

describe('a form that closes at a time', () => {
  test('collects until then and not a moment longer, even before the job has run', async () => {
    await set({ closes: inHours(1) })
    app.clock.advance(HOUR - 1)
    expect((await visitor.begin([9], true)).status).toBe(201)
    const { body: begun } = await visitor.begin([3])
    app.clock.advance(1)
    expectClosed(await visitor.begin([9], true))
    expectClosed(await visitor.resume(begun, [9], true))
    expect((await app.request('GET', visitor.path)).status).toBe(404)
    expect((await app.request('GET', `${visitor.path}/definition`)).status).toBe(404)
    expect(await responses()).toHaveLength(1)
    expect(await responses('partial')).toMatchObject([{ answers: [{ value: 3 }] }])
  })

  test('becomes inactive by itself, once', async () => {
    await set({ closes: inHours(1) })
    await app.runDue()
    expect(await status()).toBe('active')
    app.clock.advance(HOUR)
    await app.runDue()
    await app.runDue()
    expect([await status(), await closings()]).toEqual(['inactive', ['job']])
  })

  test('is closed at once when that time has passed', async () => {
    await set({ closes: inHours(-1) })
    expect([await status(), await closings()]).toEqual(['inactive', ['command']])
  })

  test('is re-opened only after the time was changed, which it is told', async () => {
    await set({ closes: inHours(1) })
    app.clock.advance(HOUR)
    await app.runDue()
    const reopen = () => acme.perform((tx, caller) => reopenForm(tx, caller, form.id))
    const [code, message] = await refusal(reopen())
    expect([code, message]).toEqual(['conflict', expect.stringContaining('cannot be re-opened: it closed at 2026-')])
    await set({ closes: inHours(1) })
    expect(await status()).toBe('inactive')
    await reopen()
    expect((await visitor.begin([9], true)).status).toBe(201)
  })

  test('can be published meanwhile, and stays closed', async () => {
    form = await createUnpublished(acme, [{ type: 'nps' }])
    await set({ closes: inHours(-1) })
    const published = await acme.perform((tx, caller) => publishForm(tx, caller, form.id))
    expect(published).toMatchObject({ status: 'inactive', publishedAt: expect.any(String) })
    expectClosed(await respondent(app, form).begin([9], true))
  })
})

describe('a form that takes only so many responses', () => {
  test('has exactly so many, however many are sent at once, and is closed by the last', async () => {
    await set({ maxResponses: 100 })
    const answers = await Promise.all(Array.from({ length: 1000 }, () => visitor.begin([9], true)))
    const statuses = answers.map(({ status }) => status)
    expect([201, 404].map((wanted) => statuses.filter((status) => status === wanted).length)).toEqual([100, 900])
    expect(await responses()).toHaveLength(100)
    expect([await status(), await closings()]).toEqual(['inactive', ['job']])
    expect((await acme.events()).filter(({ event }) => event === 'response.created')).toHaveLength(100)
  })

  test('counts what came in before the setting, and no partial ones', async () => {
    await visitor.begin([9], true)
    await visitor.begin([9])
    await set({ maxResponses: 2 })
    const { body: begun } = await visitor.begin([9])
    expect((await visitor.resume(begun, [9], true)).status).toBe(200)
    expectClosed(await visitor.begin([9], true))
    expect(await responses()).toHaveLength(2)
  })

  test('is closed at once when it has more already', async () => {
    await visitor.begin([9], true)
    await visitor.begin([9], true)
    await set({ maxResponses: 1 })
    expect(await status()).toBe('inactive')
  })

  test('counts nothing that was refused', async () => {
    await set({ maxResponses: 1 })
    expect((await visitor.begin([], true)).status).toBe(400)
    expect((await visitor.begin([9], true)).status).toBe(201)
  })

  test('is told to have the number when it is re-opened, and takes more once that was raised', async () => {
    await set({ maxResponses: 1 })
    await visitor.begin([9], true)
    const reopen = () => acme.perform((tx, caller) => reopenForm(tx, caller, form.id))
    expect((await refusal(reopen()))[1]).toContain('it has its 1 responses')
    await set({ maxResponses: 2 })
    await reopen()
    expect((await visitor.begin([9], true)).status).toBe(201)
    expectClosed(await visitor.begin([9], true))
    await set({ maxResponses: null })
    await reopen()
    expect((await visitor.begin([9], true)).status).toBe(201)
  })

  test('tells who sent the last one again that it is complete, and not that the form is closed', async () => {
    await set({ maxResponses: 1 })
    const { body: begun } = await visitor.begin([9])
    expect((await visitor.resume(begun, [9], true)).status).toBe(200)
    const again = await visitor.resume(begun, [9], true)
    expect([again.status, again.body.error]).toEqual([409, 'conflict'])
    expectClosed(await visitor.resume({ ...begun, resumeToken: 'x' }, [9], true))
  })
})

test('of two tabs the first completion stands, and the second is told so', async () => {
  const { body: begun } = await visitor.begin([3])
  const [first, second] = await Promise.all([visitor.resume(begun, [9], true), visitor.resume(begun, [1], true)])
  const statuses = [first.status, second.status]
  expect(statuses.toSorted()).toEqual([200, 409])
  expect((await responses())[0].answers[0].value).toBe(statuses[0] === 200 ? 9 : 1)
})

test('who fills in a form that is closed meanwhile finds what was saved once it is open again', async () => {
  const { body: begun } = await visitor.begin([3])
  await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
  expectClosed(await visitor.resume(begun, [9], true))
  await acme.perform((tx, caller) => reopenForm(tx, caller, form.id))
  expect((await visitor.resume(begun, [], true)).status).toBe(200)
  expect((await responses())[0].answers[0].value).toBe(3)
})
