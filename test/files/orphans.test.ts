import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathOf } from '../../src/files/names.ts'
import { MARK_FILE } from '../../src/folder/names.ts'
import { ORPHANS_EVERY, RECORDED_WITHIN, TRASH_KEPT } from '../../src/installation/orphans.ts'
import { newId } from '../../src/lib/ids.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { png, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'

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

/** Puts a file where an upload of a tenant would lie. */
function place(tenantId: string, old: number, ending = '') {
  const id = newId(app.clock.now())
  const name = { kind: 'uploads', tenantId, id } as const
  const path = join(app.dataDir, pathOf(name)) + ending
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x')
  age(path, old)
  return { id, path, trashed: join(app.dataDir, 'trash', pathOf(name)) }
}

const there = (...paths: string[]) => paths.map((path) => existsSync(path))
const logged = (words: string) => app.logged.filter((line) => line.includes(words))

test('a file without a record goes to the trash once it is old, which the log says, and 7 days later for good', async () => {
  const old = place(acme.tenantId, RECORDED_WITHIN + 1_000)
  const half = place(acme.tenantId, RECORDED_WITHIN + 1_000, '.part')
  const young = place(acme.tenantId, RECORDED_WITHIN - 1_000)
  const strange = join(dirname(old.path), 'notes.txt')
  writeFileSync(strange, 'x')
  age(strange, RECORDED_WITHIN + 1_000)
  await app.runDue()
  expect(there(old.path, half.path, young.path, strange)).toEqual([false, false, true, true])
  expect(there(old.trashed, half.trashed, young.trashed)).toEqual([true, false, false])
  expect(logged('moved to the trash')).toEqual([expect.stringContaining(old.id)])
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(there(young.path, young.trashed)).toEqual([false, true])
  app.clock.advance(TRASH_KEPT - ORPHANS_EVERY)
  await app.runDue()
  expect(there(old.trashed, young.trashed)).toEqual([true, true])
  expect(logged('deleted')).toEqual([])
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(there(old.trashed, young.trashed)).toEqual([false, true])
  expect(logged('7 days were deleted')).toEqual([expect.stringContaining(old.id)])
})

test('files of a tenant that the database does not know stay, and so do all where the store is another installation’s', async () => {
  const stranger = place(crypto.randomUUID(), 10 * RECORDED_WITHIN)
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(there(stranger.path, stranger.trashed)).toEqual([true, false])
  const orphan = place(acme.tenantId, 10 * RECORDED_WITHIN)
  const mark = await Bun.file(join(app.dataDir, MARK_FILE)).text()
  writeFileSync(join(app.dataDir, MARK_FILE), `${crypto.randomUUID()}\n`)
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(there(orphan.path, orphan.trashed)).toEqual([true, false])
  expect(logged('no files are swept').join('')).toContain('belongs to another installation')
  writeFileSync(join(app.dataDir, MARK_FILE), mark)
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(there(orphan.path, orphan.trashed)).toEqual([false, true])
})

test('what is fetched back from the trash stays where a record names it', async () => {
  const visitor = respondent(app, await createPublished(acme, [questionBody('signature')]))
  const { uploadId } = (await visitor.upload(png)).body
  expect((await visitor.begin([{ uploadId }], true)).status).toBe(201)
  const name = { kind: 'uploads', tenantId: acme.tenantId, id: uploadId } as const
  const path = join(app.dataDir, pathOf(name))
  const trashed = join(app.dataDir, 'trash', pathOf(name))
  mkdirSync(dirname(trashed), { recursive: true })
  renameSync(path, trashed)
  age(trashed, 1_000)
  expect((await acme.get(`/v1/uploads/${uploadId}`)).status).toBe(404)
  // As the guide says.
  const { exitCode } = Bun.spawnSync(['cp', '-Rn', `${join(app.dataDir, 'trash')}/.`, app.dataDir])
  expect(exitCode).toBe(0)
  app.clock.advance(Date.now() - app.clock.now() + 2 * RECORDED_WITHIN)
  await app.runDue()
  expect((await acme.get(`/v1/uploads/${uploadId}`)).status).toBe(200)
})

test('a file that is removed is gone from the trash, too', async () => {
  const { id, trashed } = place(acme.tenantId, 10 * RECORDED_WITHIN)
  app.clock.advance(ORPHANS_EVERY)
  await app.runDue()
  expect(there(trashed)).toEqual([true])
  await app.deps.files.remove({ kind: 'uploads', tenantId: acme.tenantId, id })
  expect(there(trashed)).toEqual([false])
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
