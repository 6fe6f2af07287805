import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { check } from '../../../src/check/index.ts'
import { DATABASE_FILE } from '../../../src/db/index.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import landed from '../../support/data/landed/answers.json' with { type: 'json' }

/*
 * A data folder as the version before principals, revisions, sealed secrets and a second engine left it, with one of
 * everything in it, and what that version answered: people's data is carried over, and reads as it did.
 */

const FOLDER = join(import.meta.dir, '../../support/data/landed')

let app: TestApp
let dataDir: string

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-landed-'))
  const sqlite = new Sqlite(join(dataDir, DATABASE_FILE))
  sqlite.run('PRAGMA journal_mode = WAL')
  sqlite.run('PRAGMA foreign_keys = OFF')
  const statements = readFileSync(join(FOLDER, 'database.sql'), 'utf8').split('\n--> statement-breakpoint\n')
  for (const statement of statements) sqlite.run(statement)
  sqlite.close()
  const [name, content] = landed.upload as [string, string]
  mkdirSync(dirname(join(dataDir, name)), { recursive: true })
  writeFileSync(join(dataDir, name), Buffer.from(content, 'base64'))
  app = await startApp({ dataDir })
})
afterAll(async () => {
  await app.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Responses, tickets and questions as that version showed them, with the fields that they have got since then. */
function withNews(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), (_, value) => {
    if (value?.startedAt && value?.answers) return { ...value, hiddenFields: {}, language: 'en', variables: {} }
    if (value?.launchCode && value?.pages) return { ...value, variables: [], ends: [] }
    if (value?.questions) return { ...value, showIf: null }
    if (value?.required !== undefined) {
      return { ...value, showIf: null, ...(value.fileUploadSlots ? { maxFiles: 1 } : {}) }
    }
    if (value?.ticketReference) return { ...value, tags: [], assignee: null, team: null, dueAt: null }
    return value
  })
}

test('a data folder of the landed version is upgraded by the start, and every read answers as it did', async () => {
  for (const [path, { status, body }] of Object.entries(landed.answers)) {
    const answer = await app.request('GET', path, { key: landed.key })
    const got = answer.body ?? answer.text.length
    expect([path, answer.status, got]).toEqual([path, status, withNews(body)])
  }
})

test('is in order, and goes on: forms collect, contacts are written, webhooks are due', async () => {
  expect(await check({ ...app.deps.config, secretKey: null }, app.clock.now())).toEqual([])
  const created = await app.request('POST', '/v1/contacts', { key: landed.key, body: { email: 'new@furnished.test' } })
  expect(created.status).toBe(201)
  const again = await app.request('POST', '/v1/contacts', { key: landed.key, body: { email: 'Later@furnished.test' } })
  expect([again.status, again.body.contactId]).toEqual([409, expect.any(String)])
  const ticket = Object.keys(landed.answers).find((path) => /^\/v1\/tickets\/[^/?]+$/.test(path)) as string
  const reply = await app.request('POST', `${ticket}/replies`, {
    key: landed.key,
    body: { html: '<p>Still here.</p>' },
  })
  expect(reply.status).toBe(201)
  await app.runDue()
})
