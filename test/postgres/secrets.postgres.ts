import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyToPostgres } from '../../src/db/copy.ts'
import { startApp } from '../support/app.ts'
import { createPublished } from '../support/collecting.ts'
import { asBefore } from '../support/earlier-version.ts'
import { respondent } from '../support/hosted.ts'
import { emptyDatabase } from '../support/nodes.ts'
import { questionBody } from '../support/questions.ts'

const SECRET = 'unmistakable-5ecret'

const newKey = () => randomBytes(32).toString('base64')

test('what an earlier version left in clear text is copied, and sealed and purged by the first start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-copy-'))
  const before = await startApp({ dataDir, environment: { FRONTDESK_DATABASE_URL: '' } })
  const tenant = await before.createTenant()
  const webhook = { name: 'w', url: 'https://hooks.example.com/', events: ['contact.created_or_updated'], secret: 's' }
  expect((await tenant.post('/v1/webhooks', webhook)).status).toBe(201)
  const form = await createPublished(tenant, [questionBody('textbox')])
  const once = { 'idempotency-key': 'k'.repeat(16) }
  const begun = (await respondent(before, form).begin(['x'], false, once)).body
  await before.close()
  asBefore('sealed_secrets', dataDir, (sqlite) => {
    sqlite.run('UPDATE webhooks SET secret = ?', [SECRET])
    sqlite.run('UPDATE idempotency_keys SET body = ?', [JSON.stringify(begun)])
  })

  const { url, sql } = await emptyDatabase()
  await copyToPostgres(dataDir, url)
  /** All that lies in the files of the tables. */
  const bytes = async () => {
    await sql`CHECKPOINT`
    const files = await sql`
      SELECT pg_read_binary_file(pg_relation_filepath(name::regclass)) AS content
      FROM unnest(ARRAY['webhooks', 'idempotency_keys']) AS name`
    return Buffer.concat(files.map(({ content }) => content)).toString('latin1')
  }
  expect(await bytes()).toContain(SECRET)
  expect(await bytes()).toContain(begun.resumeToken)
  const environment = { FRONTDESK_DATABASE_URL: url, FRONTDESK_SECRET_KEY: newKey() }
  // Whoever has begun to read here, or to write anywhere on the server, keeps what was there for as long.
  const elsewhere = await emptyDatabase()
  const [reader, writer] = [await sql.reserve(), await elsewhere.sql.reserve()]
  await reader`BEGIN ISOLATION LEVEL REPEATABLE READ`
  await reader`SELECT 1`
  await writer`BEGIN`
  await writer`CREATE TABLE held (id int)`
  const ended = Bun.sleep(200)
    .then(() => reader`COMMIT`)
    .then(() => Bun.sleep(300))
    .then(() => writer`COMMIT`)
  const after = await startApp({ dataDir, environment })
  await ended
  for (const held of [reader, writer]) held.release()
  await elsewhere.sql.end()
  expect(await bytes()).not.toContain(SECRET)
  expect(await bytes()).not.toContain(begun.resumeToken)
  const [shown] = (await after.request('GET', '/v1/webhooks', { key: tenant.key })).body.items
  expect(shown.hasSecret).toBe(true)
  expect((await respondent(after, form).begin(['x'], false, once)).body).toEqual(begun)
  await after.close()
  await sql.end()
  rmSync(dataDir, { recursive: true, force: true })
})

test('of nodes that start at once on a new database, those with one key start and those with another do not', async () => {
  const { url, sql, open } = await emptyDatabase()
  await (await open()).close()
  const keys = [newKey(), newKey()]
  const folders = [0, 1, 0, 1].map((which) => ({
    dataDir: mkdtempSync(join(tmpdir(), 'frontdesk-node-')),
    environment: { FRONTDESK_DATABASE_URL: url, FRONTDESK_SECRET_KEY: keys[which] as string },
  }))
  const outcomes = await Promise.allSettled(folders.map((options) => startApp(options)))
  const started = outcomes.map(({ status }) => status === 'fulfilled')
  expect([started, started.map((value) => !value)]).toContainEqual([true, false, true, false])
  for (const outcome of outcomes) {
    if (outcome.status === 'fulfilled') await outcome.value.close()
    else expect(outcome.reason.message).toContain('FRONTDESK_SECRET_KEY is another key')
  }
  await sql.end()
  for (const { dataDir } of folders) rmSync(dataDir, { recursive: true, force: true })
})
