import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/db/index.ts'
import { createTestContact, createTestGroup } from '../../support/api/contacts.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { noteStatements, planOf, slowSteps } from '../../support/data/plans.ts'
import { complete, createPublished } from '../../support/forms/collecting.ts'
import { signedIn } from '../../support/pages/console.ts'

const noted = noteStatements()

let app: TestApp
let database: Database

beforeAll(async () => {
  app = await startApp()
  database = new Database(join(app.dataDir, DATABASE_FILE), { readonly: true })
})
afterAll(async () => {
  noted.stop()
  database.close()
  await app.close()
})

test('no page about forms or responses reads a whole table or sorts', async () => {
  const tables = database
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all()
    .map(({ name }) => name)
  const acme = await app.createTenant()
  const agent = await signedIn(app, acme, 'agent')
  const group = await createTestGroup(acme)
  const form = await createPublished(acme, [{ type: 'textbox' }, { type: 'nps' }])
  const { response } = await complete(acme, form, ['ü'.repeat(9000), 9])
  await createTestContact(acme, { groupIds: [group.id], email: 'ada@acme.test' })
  const narrowed = `answer=${form.questionIds[1]}.in.9~`
  const own = `/console/forms/${form.id}`
  const before = new Set(noted.statements)
  for (const path of [
    '/console/forms',
    '/console/forms/trash',
    own,
    `${own}/settings`,
    `${own}/results`,
    `${own}/results?from=2026-01-01&to=2026-12-31`,
    `${own}/results?compare=dates&from2=2026-01-01&${narrowed}`,
    `${own}/results?email=ada@acme.test`,
    `${own}/results?group=${group.id}`,
    `${own}/results/${form.questionIds[0]}`,
    `${own}/results/${form.questionIds[0]}?q=u&group=${group.id}&${narrowed}`,
    `${own}/responses`,
    `${own}/export.csv`,
    `${own}/export.json?status=all`,
    `/console/responses/${response.id}`,
  ]) {
    const { status } = await agent.get(path)
    expect([path, status]).toEqual([path, 200])
  }
  app.clock.advance(600_000)
  await app.runDue()
  const plans = [...noted.statements]
    // A job carries people's codes of earlier versions over: there are few people.
    .filter((statement) => !before.has(statement) && !statement.includes('"recovery_codes" is not null'))
    .flatMap((statement) => planOf(database, statement) ?? [])
  expect(plans.length).toBeGreaterThan(8)
  // A group may have tens of thousands of responses: no row of theirs is looked at.
  const ofGroup = plans.filter(({ statement }) => /string_agg\(substr\("id"/.test(statement))
  expect(ofGroup.map(({ steps }) => steps.some((step) => /COVERING INDEX responses_contact/.test(step)))).toEqual([
    true,
  ])
  for (const plan of plans) {
    const slow = slowSteps(plan, tables)
    expect(slow.length ? [plan.statement, ...slow] : []).toEqual([])
  }
})
