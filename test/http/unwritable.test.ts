import { Database as Sqlite } from 'bun:sqlite'
import { afterEach, expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { uploads } from '../../src/db/schema.ts'
import { copyFile } from '../../src/db/sqlite/files.ts'
import { AppError } from '../../src/errors.ts'
import { DATABASE_FILE, KEY_FILE } from '../../src/folder/names.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { testOfSqlite } from '../support/data/postgres.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { png, respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { startListener } from '../support/mail/listener.ts'

/* A data folder that takes nothing, and one that is damaged: told as what it is, whatever part of a write fails. */

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

async function health(app: TestApp) {
  app.clock.advance(1_000)
  const { status, body } = await app.request('GET', '/healthz')
  return [status, body.reason ?? null]
}

test('where no file can be made, uploads are a 503 that nothing is left of, and /healthz says why', async () => {
  const app = await startApp()
  const acme = await app.createTenant()
  const visitor = respondent(app, await createPublished(acme, [questionBody('file_upload')]))
  expect(await health(app)).toEqual([200, null])
  // Whoever the tests run as may not make a folder in a file.
  writeFileSync(join(app.dataDir, 'uploads'), '')
  const { status, body, headers } = await visitor.upload(png)
  expect([status, body.error, Number(headers.get('retry-after'))]).toEqual([503, 'unavailable', 10])
  expect(await app.database.db.select().from(uploads)).toEqual([])
  expect(await health(app)).toEqual([503, expect.stringMatching(/^no files can be stored \(E[A-Z]+\)$/)])
  rmSync(join(app.dataDir, 'uploads'))
  expect((await visitor.upload(png)).status).toBe(201)
  expect(await health(app)).toEqual([200, null])
  await app.close()
})

test('where the data folder takes no file, /healthz says so, though the database does', async () => {
  const app = await startApp()
  Object.assign(app.deps.config, { dataDir: join(app.dataDir, 'gone') })
  expect(await health(app)).toEqual([503, 'nothing can be stored in the data folder (ENOENT)'])
  await app.close()
})

test.each([
  [452, 'EACCES', 'open'],
  [452, 'ENOTDIR', 'mkdir'],
  [452, 'SQLITE_READONLY', undefined],
  [451, 'CONNECTION_CLOSED', undefined],
])('a mail that cannot be stored is a %d (%s), in words about that', async (code, cause, syscall) => {
  const fault = Object.assign(new Error(cause), { code: cause, ...(syscall === undefined ? {} : { syscall }) })
  const error = Object.assign(new AppError('unavailable', 'nothing can be stored', { retryAfter: 1 }), { cause: fault })
  const listener = await startListener({ receive: () => Promise.reject(error) })
  const client = await listener.client()
  await client.begin('help@acme.test')
  client.write('Subject: Hi\r\n\r\nHello\r\n.\r\n')
  const answer = await client.answer()
  expect(answer).toStartWith(`${code} nothing can be stored at the moment`)
  expect(listener.logged).toMatchObject([{ code, cause }])
})

testOfSqlite.each(['GET', 'POST'])(
  'a damaged page is a 503 to a %s that needs it, and /healthz says so from then on',
  async (method) => {
    const sound = await startApp()
    const { key, post } = await sound.createTenant()
    expect((await post('/v1/contacts', { email: 'bob@acme.test' })).status).toBe(201)
    const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
    folders.push(dataDir)
    copyFile(sound.dataDir, dataDir)
    await Bun.write(join(dataDir, KEY_FILE), Bun.file(join(sound.dataDir, KEY_FILE)))
    await sound.close()
    spoil(join(dataDir, DATABASE_FILE), 'contacts')

    const app = await startApp({ dataDir })
    expect(await health(app)).toEqual([200, null])
    const body = method === 'POST' ? { email: 'ada@acme.test' } : undefined
    const answer = await app.request(method, '/v1/contacts', { key, body })
    expect([answer.status, answer.body.error, Number(answer.headers.get('retry-after'))]).toEqual([
      503,
      'unavailable',
      10,
    ])
    expect((await app.request('GET', '/v1/me', { key })).status).toBe(200)
    for (let time = 0; time < 2; time++) {
      expect(await health(app)).toEqual([
        503,
        expect.stringMatching(/^the database is damaged \(.*\): see frontdesk check$/),
      ])
    }
    await app.close()
  },
)

/** Overwrites the first page of a table. */
function spoil(file: string, table: string): void {
  const sqlite = new Sqlite(file, { readonly: true })
  const { rootpage } = sqlite
    .query<{ rootpage: number }, [string]>('SELECT rootpage FROM sqlite_schema WHERE name = ?')
    .get(table) as { rootpage: number }
  const { page_size: size } = sqlite.query<{ page_size: number }, []>('PRAGMA page_size').get() as { page_size: number }
  sqlite.close()
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size)
  closeSync(descriptor)
}
