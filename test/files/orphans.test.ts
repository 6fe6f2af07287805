import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from '../../src/files/names.ts'
import { ORPHANS_EVERY, RECORDED_WITHIN } from '../../src/files/orphans.ts'
import { newId } from '../../src/lib/ids.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/collecting.ts'
import { png, respondent } from '../support/hosted.ts'
import { questionBody } from '../support/questions.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** Makes a file look as if it had been written so long ago, by the service's clock. */
function age(path: string, ms: number) {
  const then = new Date(app.clock.now() - ms)
  utimesSync(path, then, then)
}

test('a file without a record goes once it is old, though no record is due', async () => {
  const folder = join(app.dataDir, 'uploads', acme.tenantId, 'ab')
  mkdirSync(folder, { recursive: true })
  for (const name of ['old', 'old.part', 'young']) writeFileSync(join(folder, name), 'x')
  for (const name of ['old', 'old.part']) age(join(folder, name), RECORDED_WITHIN + 1_000)
  age(join(folder, 'young'), RECORDED_WITHIN - 1_000)
  await app.runDue()
  expect(readdirSync(folder)).toEqual(['young'])
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(readdirSync(folder)).toEqual([])
})

test('a file that a record names stays, however old', async () => {
  const visitor = respondent(app, await createPublished(acme, [questionBody('signature')]))
  const { uploadId } = (await visitor.upload(png)).body
  expect((await visitor.begin([{ uploadId }], true)).status).toBe(201)
  const path = join(app.dataDir, pathOf({ kind: 'uploads', tenantId: acme.tenantId, id: uploadId }))
  age(path, 10 * RECORDED_WITHIN)
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(existsSync(path)).toBe(true)
})

test('a file that is being received stays, though the clock jumps', async () => {
  const id = newId(app.clock.now())
  const path = join(app.dataDir, pathOf({ kind: 'uploads', tenantId: acme.tenantId, id }))
  const begun = Promise.withResolvers<void>()
  const rest = Promise.withResolvers<void>()
  async function* content() {
    yield Buffer.from('first')
    begun.resolve()
    await rest.promise
    yield Buffer.from('last')
  }
  const storing = app.deps.files.store({ kind: 'uploads', tenantId: acme.tenantId, id }, content(), 100)
  await begun.promise
  expect(existsSync(`${path}.part`)).toBe(true)
  age(`${path}.part`, 10 * RECORDED_WITHIN)
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  rest.resolve()
  expect((await storing).size).toBe(9)
  expect(existsSync(path)).toBe(true)
})
