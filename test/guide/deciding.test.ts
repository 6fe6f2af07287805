import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cases } from '../forms/logic/cases.ts'
import { publishReacting } from '../forms/logic/publishing.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { blocksOf } from '../support/sources/text-blocks.ts'

const blockOf = (language: string) => {
  const [block, another] = blocksOf('src/guide/forms.md').filter((block) => block.language === language)
  if (!block || another) throw new Error(`the chapter has not one block of ${language}`)
  return block
}
const [example, snippet] = [blockOf('json'), blockOf('js')]

type Decide = (
  definition: object,
  answers: Readonly<Record<number, unknown>>,
  hidden?: object,
) => { shown: Set<number>; variables: object; end: { thanks: string | null; redirect: string | null } | null }

let app: TestApp
let acme: TestTenant
let folder: string
let decide: Decide

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-guide-'))
  writeFileSync(join(folder, 'decide.mjs'), snippet.text)
  decide = (await import(join(folder, 'decide.mjs'))).decide
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the form that the chapter shows can be created', async () => {
  const { status, body } = await acme.post('/v1/forms', JSON.parse(example.text))
  expect([status, body.message]).toEqual([201, undefined])
})

test('the client of the chapter is short and needs nothing else', () => {
  expect(snippet.text.split('\n').length).toBeLessThanOrEqual(60)
  expect(snippet.text).not.toMatch(/\b(?:import|require|eval|Function)\b/)
})

describe('the client of the chapter decides as the service does', () => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_, each) => {
    const form = await publishReacting(app, acme, each.form, {
      hidden: each.hiddenFields ?? [],
      thanks: '<p>As ever</p>',
    })
    const given = await form.uploaded(each)
    const byId = Object.fromEntries(Object.entries(given).map(([name, value]) => [form.ids.get(name), value]))
    const { shown, variables, end } = decide(await form.definition(), byId, each.hidden)
    expect([...shown]).toEqual(each.shown.map((name) => form.ids.get(name) as number))

    const { body } = await form.complete(given, each.hidden)
    const response = await form.read(body.id)
    expect(variables).toEqual(response.variables)
    const redirect = body.redirect?.replace(`?response=${body.id}`, '') ?? null
    expect(end ?? { thanks: '<p>As ever</p>', redirect: null }).toMatchObject({ thanks: body.thanks, redirect })
    const kept: number[] = response.answers.map(({ questionId }: { questionId: number }) => questionId)
    expect(kept).toEqual([...shown].filter((id) => byId[id] !== undefined))
  })
})
