import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { responseSegments, responses } from '../../src/db/schema.ts'
import { markPaid } from '../../src/responses/payments.ts'
import { forgetSegments } from '../../src/responses/results/columns/adding.ts'
import type { TestApp, TestTenant } from '../support/app.ts'
import { answersByType, begin, complete, createPublished, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import type { signedIn } from '../support/pages/console.ts'
import { setUpAgent } from '../support/pages/fixtures.ts'

const MINUTE = 60_000

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>

setUpAgent((fixture) => ({ app, acme, agent } = fixture))

/** So many responses more, each a copy of one of the form's, or of the one that is named. */
async function multiply(form: TestForm, count: number, id?: string): Promise<void> {
  const all = await app.database.db.select().from(responses).where(eq(responses.formId, form.id))
  const rows = id === undefined ? all : all.filter((row) => row.id === id)
  const copies = Array.from({ length: count }, (_, index) => ({
    ...(rows[index % rows.length] as (typeof rows)[number]),
    id: `r_${Bun.randomUUIDv7('hex', app.clock.now()).replaceAll('-', '')}`,
  }))
  await acme.perform(async (tx) => {
    for (let i = 0; i < count; i += 500) await tx.insert(responses).values(copies.slice(i, i + 500))
  })
}

const segmentsOf = (form: TestForm) =>
  app.database.db
    .select()
    .from(responseSegments)
    .where(eq(responseSegments.formId, form.id))
    .orderBy(responseSegments.number)

/** Lets so much time go by that what is stored now is put into columns. */
async function settle(): Promise<void> {
  app.clock.advance(5 * MINUTE)
  await app.runDue()
}

const results = async (form: TestForm, query = '') => {
  const { status, text } = await agent.get(`/console/forms/${form.id}/results${query}`)
  expect(status).toBe(200)
  return text.slice(text.indexOf('<main')).replace(/<time.*?<\/time>/g, '')
}
const countOf = (text: string) =>
  Number(/<dt>Complete responses<\/dt><dd><a[^>]*>([\d,]+)/.exec(text)?.[1]?.replace(',', ''))

test('results are the same from columns as from the responses, for every type of question', async () => {
  const types = Object.keys(answersByType) as (keyof typeof answersByType)[]
  const fields = (type: string) => (type === 'payment' ? { amount: 3000, currency: 'EUR' } : {})
  const form = await createPublished(
    acme,
    types.map((type) => questionBody(type, fields(type))),
  )
  const sent = types.map((type) => answersByType[type].sent)
  await complete(acme, form, sent)
  await complete(acme, form, [])
  await complete(acme, form, [{ selected: 'Blue' }, ...sent.slice(1, 9)])
  await multiply(form, 4100)
  const before = await results(form)
  expect(await segmentsOf(form)).toEqual([])
  await settle()
  const segments = await segmentsOf(form)
  expect(segments.map(({ number }) => number)).toEqual([1, 2])
  expect(segments.some(({ content }) => /<b>works|ada@acme|cv\.pdf/.test(content))).toBe(false)
  expect((await results(form)) === before).toBe(true)
  // Once more, from what is at hand.
  expect((await results(form)) === before).toBe(true)
  expect(countOf(before)).toBe(4103)
})

test('what comes later is counted at once, and what was paid since counts as paid once', async () => {
  const form = await createPublished(acme, [{ type: 'payment', amount: 500, currency: 'EUR' }])
  const { response } = await complete(acme, form, [{}])
  await multiply(form, 2100)
  await settle()
  expect(await segmentsOf(form)).toHaveLength(1)
  expect(countOf(await results(form))).toBe(2101)
  const paid = { formId: form.id, responseId: response.id, questionIds: form.questionIds }
  await acme.perform((tx, caller) => markPaid(tx, caller, paid, 'pi_1'))
  const { response: other } = await complete(acme, form, [{}])
  await begin(acme, form, [])
  await expectPaidOnce(form, '2,101', '€10,505.00')
  await multiply(form, 2000, other.id)
  await settle()
  expect(await segmentsOf(form)).toHaveLength(2)
  await expectPaidOnce(form, '4,101', '€20,505.00')
})

async function expectPaidOnce(form: TestForm, pending: string, sum: string): Promise<void> {
  const text = await results(form)
  expect(text).toMatch(/<th scope="row">paid<\/th>.*?<td class="number">1<\/td>/s)
  expect(text).toMatch(new RegExp(`<th scope="row">pending</th>.*?<td class="number">${pending}</td>`, 's'))
  expect(text).toContain(`<dt>Paid in EUR</dt><dd>€5.00</dd></div><div><dt>Not yet paid in EUR</dt><dd>${sum}</dd>`)
}

describe('what has settled, and is too little to be stored in columns,', () => {
  /** A form with 300 responses more, whose results have been looked at since they settled. */
  async function lookedAt(question: object, answer: unknown) {
    const form = await createPublished(acme, [question])
    const { response } = await complete(acme, form, [answer])
    await multiply(form, 300)
    await settle()
    expect(await segmentsOf(form)).toEqual([])
    return { form, response, seen: await results(form) }
  }

  test('is kept at hand, and not read again', async () => {
    const { form, seen } = await lookedAt({ type: 'nps' }, 3)
    // Nobody changes answers and leaves their timestamp: it shows what is read.
    await acme.perform((tx) => tx.update(responses).set({ answers: '[]' }).where(eq(responses.formId, form.id)))
    expect((await results(form)) === seen).toBe(true)
  })

  test('is added up with what came later, and with what has changed since as it is now', async () => {
    const { form, response } = await lookedAt({ type: 'payment', amount: 500, currency: 'EUR' }, {})
    await acme.perform((tx, caller) =>
      markPaid(tx, caller, { formId: form.id, responseId: response.id, questionIds: form.questionIds }, 'pi_1'),
    )
    await expectPaidOnce(form, '300', '€1,500.00')
    const { response: other } = await complete(acme, form, [{}])
    await expectPaidOnce(form, '301', '€1,505.00')
    await multiply(form, 150, other.id)
    await settle()
    for (const _ of ['read', 'kept at hand']) await expectPaidOnce(form, '451', '€2,255.00')
    await multiply(form, 2000, other.id)
    await settle()
    expect(await segmentsOf(form)).toHaveLength(1)
    await expectPaidOnce(form, '2,451', '€12,255.00')
  })

  test('is no longer counted once it is deleted', async () => {
    const { form, response } = await lookedAt({ type: 'nps' }, 3)
    await acme.perform((tx) => tx.delete(responses).where(eq(responses.id, response.id)))
    for (const _ of ['read', 'kept at hand']) expect(countOf(await results(form))).toBe(300)
  })

  /** One goes and another comes, of the same time: as many as there were. */
  async function exchange(form: TestForm, id: string, answer: unknown, at: string): Promise<void> {
    await acme.perform((tx) => tx.delete(responses).where(eq(responses.id, id)))
    const { response } = await complete(acme, form, [answer])
    await acme.perform((tx) => tx.update(responses).set({ updatedAt: at }).where(eq(responses.id, response.id)))
  }

  const threes = (text: string) => Number(/<th scope="row">3<\/th><td class="number">(\d+)/.exec(text)?.[1])

  test('has settled: what is younger is read again', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const { response } = await complete(acme, form, [3])
    app.clock.advance(10)
    const { response: last } = await complete(acme, form, [9])
    await multiply(form, 300, last.id)
    expect(threes(await results(form))).toBe(1)
    await exchange(form, response.id, 9, response.startedAt)
    await settle()
    expect(threes(await results(form))).toBe(0)
  })

  test('is read again after the clock was set back', async () => {
    const { form, response, seen } = await lookedAt({ type: 'nps' }, 3)
    expect(threes(seen)).toBe(301)
    app.clock.jump(-60 * MINUTE)
    await exchange(form, response.id, 9, response.startedAt)
    for (const _ of ['read', 'read again']) expect(threes(await results(form))).toBe(300)
    app.clock.jump(60 * MINUTE)
    for (const _ of ['read', 'kept at hand']) expect(threes(await results(form))).toBe(300)
  })
})

test('nothing of a response is left in results once it is deleted and they are forgotten', async () => {
  const form = await createPublished(acme, [{ type: 'nps' }])
  const { response } = await complete(acme, form, [3])
  await complete(acme, form, [10])
  await multiply(form, 2100)
  await settle()
  const before = countOf(await results(form))
  await acme.perform(async (tx) => {
    await tx.delete(responses).where(eq(responses.id, response.id))
    await forgetSegments(tx, acme.tenantId, form.id)
  })
  expect(await segmentsOf(form)).toEqual([])
  expect(countOf(await results(form))).toBe(before - 1)
  await settle()
  expect(await segmentsOf(form)).toHaveLength(1)
  expect(countOf(await results(form))).toBe(before - 1)
})

test('whoever deletes complete responses has their results forgotten', () => {
  const src = join(import.meta.dir, '../../src')
  const holding = (text: string) =>
    (readdirSync(src, { recursive: true }) as string[])
      .filter((path) => path.endsWith('.ts') && readFileSync(join(src, path), 'utf8').includes(text))
      .sort()
  // One place deletes them; of those that were never completed, which are not counted, only what removes these.
  expect(holding('.delete(responses)')).toEqual(['responses/deletion.ts'])
  expect(holding('forgetSegments(')).toContain('responses/deletion.ts')
  expect(holding('deleteUnfinished(')).toEqual(['responses/deletion.ts', 'responses/old.ts'])
})

test('responses of a form in the trash are left alone', async () => {
  const form = await createPublished(acme, [{ type: 'nps' }])
  await complete(acme, form, [3])
  await multiply(form, 2100)
  await agent.post(`/console/forms/${form.id}/trash`)
  await settle()
  expect(await segmentsOf(form)).toEqual([])
})

test('responses count that come after the clock was set back', async () => {
  const form = await createPublished(acme, [{ type: 'nps' }])
  await complete(acme, form, [3])
  await multiply(form, 2100)
  await settle()
  app.clock.jump(-60 * MINUTE)
  await complete(acme, form, [4])
  await settle()
  expect(countOf(await results(form))).toBe(2102)
  app.clock.jump(60 * MINUTE)
  await settle()
  expect(await segmentsOf(form)).toHaveLength(1)
  expect(countOf(await results(form))).toBe(2102)
})
