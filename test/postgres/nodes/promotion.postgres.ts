import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { runSql, startPostgres, startReplica } from '../../support/data/postgres.ts'
import { until } from '../../support/patience.ts'

type Server = Awaited<ReturnType<typeof startPostgres>>

const CLIENTS = 10
const settings = { synchronous_commit: 'remote_apply' }

let primary: Server
let replica: Server
let app: TestApp
let tenant: TestTenant
let environment: Record<string, string>
const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-node-'))

beforeEach(async () => {
  primary = await startPostgres({ settings })
  replica = await startReplica(primary.url, settings)
  // Where the server answers once its replica has the commit.
  await runSql(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'")
  await runSql(primary.url, 'SELECT pg_reload_conf()')
  const { port } = new URL(replica.url)
  const { port: own } = new URL(primary.url)
  const both = `postgres://frontdesk@127.0.0.1:${own},127.0.0.1:${port}/postgres`
  environment = { FRONTDESK_DATABASE_URL: both, FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
  app = await startApp({ dataDir, environment })
  tenant = await app.createTenant()
})
afterEach(async () => {
  await app.close()
  await replica.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a node that knows both hosts goes on with the promoted replica by itself, and nothing acknowledged is lost', async () => {
  const answers: Answer[] = []
  const acknowledged = () => answers.filter(({ status }) => status === 201)
  let emails = 0
  let isOver = false
  const clients = Array.from({ length: CLIENTS }, async () => {
    while (!isOver) {
      answers.push(await tenant.post('/v1/contacts', { email: `c${++emails}@acme.test` }))
      if (answers.at(-1)?.status !== 201) await Bun.sleep(20)
    }
  })
  await until(() => acknowledged().length > 200)
  await primary.stop('immediate')
  const before = acknowledged().length
  await runSql(replica.url, "ALTER SYSTEM SET synchronous_standby_names = ''")
  await runSql(replica.url, 'SELECT pg_promote()')
  await until(() => acknowledged().length > before + 200)
  isOver = true
  await Promise.all(clients)

  expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([])
  const told = new Set((await tenant.events()).map(({ payload }) => payload.id))
  expect(acknowledged().filter(({ body }) => !told.has(body.id))).toEqual([])
  const rows = await runSql(replica.url, 'SELECT id FROM contacts')
  expect(new Set(rows.map(({ id }) => id))).toEqual(told)
})

test('a node finds the primary behind a first host that stands still, while it runs and when it starts, and loses nothing', async () => {
  const answers: Answer[] = []
  const write = async () => {
    const answer = await tenant.post('/v1/contacts', { email: `c${answers.length}@acme.test` })
    answers.push(answer)
    return answer.status === 201
  }
  await until(write)
  primary.signalAll('SIGSTOP')
  try {
    await runSql(replica.url, "ALTER SYSTEM SET synchronous_standby_names = ''")
    await runSql(replica.url, 'SELECT pg_promote()')
    await until(write)
    const folder = mkdtempSync(join(tmpdir(), 'frontdesk-node-'))
    const another = await startApp({ dataDir: folder, environment })
    expect((await another.request('GET', '/healthz')).status).toBe(200)
    await another.close()
    rmSync(folder, { recursive: true, force: true })
  } finally {
    primary.signalAll('SIGCONT')
    await primary.stop('immediate')
  }
  const stored = new Set((await runSql(replica.url, 'SELECT id FROM contacts')).map(({ id }) => id))
  expect(answers.filter(({ status, body }) => status === 201 && !stored.has(body.id))).toEqual([])
})
