import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { auditEntries } from '../../../src/db/schema.ts'
import { engineOf, openDataOf } from '../../support/data/postgres.ts'
import { emptyDatabase } from '../../support/processes/nodes.ts'
import { emptyFolder, ownExecutable, record, run } from '../../support/processes/program.ts'

const program = await ownExecutable()

let cwd: string
const otherKey = Buffer.alloc(32, 2).toString('base64')
const dataDir = () => join(cwd, 'data')
const check = (environment: Record<string, string> = {}) => run(program, ['check'], { cwd, environment })

beforeAll(async () => {
  cwd = emptyFolder()
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd })
  await record(program, ['key', 'create', '--name', 'k', '--scopes', 'forms:read'], { cwd })
  // The service has its key from its first start.
  const environment = { FRONTDESK_RATE_LIMIT: '1' }
  const { serve } = await import('../../support/processes/program.ts')
  await (await serve(program, { cwd, environment })).stop()
})

const finding = (line: RegExp) => ({ code: 1, stdout: expect.stringMatching(line), stderr: 'frontdesk: 1 finding\n' })

describe('frontdesk check names in one line, with what to do,', () => {
  test('nothing of a sound database', async () => {
    expect(await check()).toEqual({ code: 0, stdout: './data is in order\n', stderr: '' })
  })

  test('a server that is away, and a password that is in no line', async () => {
    const answer = await check({ FRONTDESK_DATABASE_URL: 'postgres://u:unmistakable@127.0.0.1:1/none' })
    expect(answer).toEqual(
      finding(/^FRONTDESK_DATABASE_URL: .*ECONNREFUSED.*: without it the service does not start\n$/),
    )
    expect(answer.stdout).not.toContain('unmistakable')
  })

  test('a database that is not there', async () => {
    const { FRONTDESK_DATABASE_URL: url = '' } = await engineOf(dataDir())
    const answer = await check({ FRONTDESK_DATABASE_URL: `${url}-none` })
    expect(answer).toEqual(
      finding(/^FRONTDESK_DATABASE_URL: .*does not exist: without it the service does not start\n$/),
    )
  })

  test('a database that holds nothing, and leaves it so', async () => {
    const { url, sql } = await emptyDatabase()
    const answer = await check({ FRONTDESK_DATABASE_URL: url })
    expect(answer).toEqual(finding(/^FRONTDESK_DATABASE_URL: there is no database: start the service, .*\n$/))
    expect(await sql`SELECT 1 FROM pg_tables WHERE schemaname = 'public'`).toHaveLength(0)
    await sql.end()
  })

  test('a database of another version', async () => {
    const { url, sql, open } = await emptyDatabase()
    await (await open()).close()
    await sql`INSERT INTO migrations (position, hash) VALUES (9999, 'of a later day')`
    const answer = await check({ FRONTDESK_DATABASE_URL: url })
    expect(answer).toEqual(finding(/^FRONTDESK_DATABASE_URL: .*another version of frontdesk: .*\n$/))
    await sql.end()
  })

  test('another key', async () => {
    const answer = await check({ FRONTDESK_SECRET_KEY: otherKey })
    expect(answer).toEqual(finding(/^\S+: FRONTDESK_SECRET_KEY is another key than .*\n$/))
  })

  test('no key, and does not take the database for one of the folder', async () => {
    const answer = await check({ FRONTDESK_SECRET_KEY: '' })
    expect(answer).toEqual(finding(/^FRONTDESK_SECRET_KEY: must be set where FRONTDESK_DATABASE_URL is.*\n$/))
  })

  test('an entry of the audit log that was changed', async () => {
    const database = await openDataOf(dataDir())
    const set = (recordId: string) =>
      database.transaction(async (tx) => {
        await tx
          .update(auditEntries)
          .set({ recordId })
          .where(and(eq(auditEntries.position, 1)))
      })
    await set('somebody else')
    const answer = await check()
    expect(answer).toEqual(finding(/^FRONTDESK_DATABASE_URL: audit log of Acme \(\S+\): entry 1 .*was changed: .*\n$/))
    await database.close()
  })
})

afterAll(() => rmSync(cwd, { recursive: true, force: true }))
