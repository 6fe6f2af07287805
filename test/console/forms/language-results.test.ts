import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { responseSegments, responses } from '../../../src/db/schema.ts'
import { changeTexts } from '../../../src/forms/texts/operations.ts'
import type { TestApp, TestTenant } from '../../support/app.ts'
import { createPublished, type TestForm } from '../../support/forms/collecting.ts'
import type { signedIn } from '../../support/pages/console.ts'
import { setUpAgent } from '../../support/pages/fixtures.ts'

const MINUTE = 60_000

let app: TestApp
let acme: TestTenant
let agent: Awaited<ReturnType<typeof signedIn>>
let form: TestForm

setUpAgent((fixture) => ({ app, acme, agent } = fixture))
beforeEach(async () => {
  form = await createPublished(acme, [{ type: 'nps', text: 'Recommend' }])
  await acme.perform((tx, caller) => changeTexts(tx, caller, form.id, 'de', [{ key: 'title', text: 'Umfrage' }]))
})

async function answer(value: number, language?: string): Promise<void> {
  const answers = [{ questionId: form.questionIds[0], value }]
  const body = { answers, complete: true, ...(language && { language }) }
  const { status } = await app.request('POST', `/f/${form.launchCode}/responses`, { body })
  expect(status).toBe(201)
}

const main = async (path: string) => {
  const { status, text } = await agent.get(`/console/forms/${form.id}/${path}`)
  expect(status).toBe(200)
  return text.slice(text.indexOf('<main'))
}

const countOf = (text: string) => /<dt>Complete responses<\/dt><dd><a[^>]*>([\d,]+)/.exec(text)?.[1]

test('results are narrowed down by the language that was answered in, from responses and columns alike', async () => {
  await answer(9, 'de')
  await answer(8, 'de')
  await answer(1)
  const text = await main('results')
  expect(text).toContain('<option value="de">German</option>')
  const counts = async () =>
    Promise.all(
      ['', '?language=de', '?language=en', '?language=fr'].map(async (query) => countOf(await main(`results${query}`))),
    )
  expect(await counts()).toEqual(['3', '2', '1', undefined])
  const rows = await app.database.db.select().from(responses).where(eq(responses.formId, form.id))
  const copies = Array.from({ length: 2997 }, (_, index) => ({
    ...(rows[index % 3] as (typeof rows)[number]),
    id: `r_${Bun.randomUUIDv7('hex', app.clock.now()).replaceAll('-', '')}`,
  }))
  await acme.perform(async (tx) => {
    for (let i = 0; i < copies.length; i += 500) await tx.insert(responses).values(copies.slice(i, i + 500))
  })
  app.clock.advance(5 * MINUTE)
  await app.runDue()
  const segments = await app.database.db.select().from(responseSegments).where(eq(responseSegments.formId, form.id))
  expect(segments).toHaveLength(1)
  expect(await counts()).toEqual(['3,000', '2,000', '1,000', undefined])
})

test('what was stored before forms had several languages counts as in the form’s own', async () => {
  await answer(9, 'de')
  await answer(1)
  await acme.perform((tx) => tx.update(responses).set({ language: null }).where(eq(responses.language, 'en')))
  expect(countOf(await main('results?language=en'))).toBe('1')
  expect((await agent.get(`/console/forms/${form.id}/export.csv?language=en`)).text).toContain(',1,en\r\n')
})

test('the list, how far people got and files are of that language too, which is their last column', async () => {
  await answer(9, 'de')
  await answer(1)
  const list = await main('responses?language=de')
  expect([list.includes('9 of 10'), list.includes('1 of 10')]).toEqual([true, false])
  const export_ = (format: string) => agent.get(`/console/forms/${form.id}/export.${format}?language=de`)
  const lines = (await export_('csv')).text.replace('\ufeff', '').split('\r\n')
  expect(lines.map((line) => line.split(',').slice(-2))).toEqual([['Recommend', 'Language'], ['9', 'de'], ['']])
  expect((await export_('json')).body.map(({ language }: { language: string }) => language)).toEqual(['de'])
})

test('a language is chosen where a form has several; what is none is refused', async () => {
  const plain = await createPublished(acme, [{ type: 'nps', text: 'Recommend' }])
  const { text } = await agent.get(`/console/forms/${plain.id}/results`)
  expect(text).not.toContain('name="language"')
  expect((await agent.get(`/console/forms/${plain.id}/export.csv`)).text).not.toContain('Language')
  for (const path of ['results', 'responses', 'export.csv'])
    expect((await agent.get(`/console/forms/${form.id}/${path}?language=%22x%22`)).status).toBe(400)
})
