import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { copyToPostgres } from '../../src/db/copy.ts'
import { startApp } from '../support/app.ts'
import { asBefore } from '../support/data/earlier-version.ts'
import { startPostgres } from '../support/data/postgres.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'
import { until } from '../support/patience.ts'
import { emptyDatabase } from '../support/processes/nodes.ts'

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

  // Of its own: on one that is shared another suite may keep a transaction open for longer than the purge waits.
  const server = await startPostgres()
  const { url } = server
  const sql = postgres(url, { max: 1, onnotice: () => {} })
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
  await sql`CREATE DATABASE elsewhere`
  const elsewhere = new URL(url)
  elsewhere.pathname = '/elsewhere'
  const [reader, writer] = [postgres(url, { max: 1 }), postgres(elsewhere.href, { max: 1 })]
  await reader.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
  await writer.unsafe('BEGIN; CREATE TABLE held (id int)')
  let isOver = false
  const starting = startApp({ dataDir, environment }).finally(() => {
    isOver = true
  })
  /** The purge has looked whether it may begin, and what it saw kept it from that; or it did not wait. */
  const waited = async () => {
    for (let looks = 0; looks < 2; looks++) {
      const [row] = await sql`SELECT clock_timestamp()::text AS now`
      const looked = () => sql`
        SELECT 1 FROM pg_stat_activity WHERE application_name = 'frontdesk'
        AND query LIKE '%pg_snapshot_xmin%' AND query_start > ${row?.now}::timestamptz`
      await until(async () => isOver || (await looked()).length > 0)
    }
  }
  await waited()
  await reader.unsafe('COMMIT')
  await waited()
  await writer.unsafe('COMMIT')
  const after = await starting
  for (const client of [reader, writer]) await client.end()
  expect(await bytes()).not.toContain(SECRET)
  expect(await bytes()).not.toContain(begun.resumeToken)
  const [shown] = (await after.request('GET', '/v1/webhooks', { key: tenant.key })).body.items
  expect(shown.hasSecret).toBe(true)
  expect((await respondent(after, form).begin(['x'], false, once)).body).toEqual(begun)
  await after.close()
  await sql.end()
  await server.stop()
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
