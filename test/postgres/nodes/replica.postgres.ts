import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { runSql, startPostgres, startReplica } from '../../support/data/postgres.ts'
import { complete, createPublished } from '../../support/forms/collecting.ts'
import { until } from '../../support/patience.ts'

type Server = Awaited<ReturnType<typeof startPostgres>>

// As servers are set up: what was answered is in the log that replicas get.
const settings = { synchronous_commit: 'on' }
const folders: string[] = []
let primary: Server
let replica: Server
let here: TestApp
let there: TestApp
let tenant: TestTenant

async function startNode(replicaUrl: string): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-node-'))
  folders.push(dataDir)
  const environment = {
    FRONTDESK_DATABASE_URL: primary.url,
    FRONTDESK_DATABASE_REPLICA_URL: replicaUrl,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  return startApp({ dataDir, environment })
}

beforeAll(async () => {
  primary = await startPostgres({ settings })
  replica = await startReplica(primary.url)
  here = await startNode(replica.url)
  there = await startNode(replica.url)
  tenant = await here.createTenant()
})
afterAll(async () => {
  for (const app of [here, there]) await app.close()
  await replica.stop()
  await primary.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const readsOf = (app: TestApp) => app.database.replica()?.reads ?? { replica: -1, primary: -1 }
const problemOf = (app: TestApp) => app.database.replica()?.problem
const isUsed = (app: TestApp) =>
  until(async () => {
    const before = readsOf(app).replica
    await list(app)
    return readsOf(app).replica > before
  })

let emails = 0
async function create(app = here): Promise<string> {
  const answer = await app.request('POST', '/v1/contacts', {
    key: tenant.key,
    body: { email: `c${++emails}@acme.test` },
  })
  expect(answer.status).toBe(201)
  return answer.body.id
}

async function list(app: TestApp, query = ''): Promise<{ items: { id: string }[]; nextCursor: string | null }> {
  const answer = await app.request('GET', `/v1/contacts?limit=5${query}`, { key: tenant.key })
  expect(answer.status).toBe(200)
  return answer.body
}

const newest = async (app: TestApp) => (await list(app)).items[0]?.id

describe('lists are read from a replica', () => {
  test('and records are not', async () => {
    const id = await create()
    await isUsed(here)
    const before = readsOf(here)
    expect((await here.request('GET', `/v1/contacts/${id}`, { key: tenant.key })).status).toBe(200)
    expect((await here.request('GET', '/v1/me', { key: tenant.key })).status).toBe(200)
    expect(readsOf(here)).toEqual(before)
  })

  test('that has what was just written, on this node or another', async () => {
    const before = readsOf(there).replica
    // Of a replica that a busy machine leaves behind the primary takes the place.
    for (let i = 0; i < 50 || readsOf(there).replica === before; i++) {
      const id = await create(i % 2 ? here : there)
      expect(await newest(there)).toBe(id)
    }
  })

  test('those of responses to all forms, too', async () => {
    const form = await createPublished(tenant, [{ type: 'nps' }])
    const before = readsOf(there).replica
    for (let i = 0; i < 10 || readsOf(there).replica === before; i++) {
      const { response } = await complete(tenant, form, [9])
      const { body } = await there.request('GET', '/v1/responses?limit=1', { key: tenant.key })
      expect(body.items).toMatchObject([{ id: response.id, formId: form.id }])
    }
  })

  test('while others write all the time', async () => {
    let over = false
    const others = Array.from({ length: 4 }, async () => {
      while (!over) await create(here)
    })
    for (let i = 0; i < 50; i++) {
      const answer = await there.request('POST', '/v1/forms', { key: tenant.key, body: { title: `Form ${i}` } })
      const forms = await there.request('GET', '/v1/forms?limit=1', { key: tenant.key })
      expect(forms.body.items[0].id).toBe(answer.body.id)
    }
    over = true
    await Promise.all(others)
  })
})

describe('a replica that stands still', () => {
  afterEach(async () => {
    await runSql(replica.url, 'SELECT pg_wal_replay_resume()')
    await isUsed(here)
  })

  test('is left out, and named once it is seconds behind, until it has everything', async () => {
    await runSql(replica.url, 'SELECT pg_wal_replay_pause()')
    const id = await create()
    const before = readsOf(here).primary
    expect(await newest(here)).toBe(id)
    expect(readsOf(here).primary).toBeGreaterThan(before)
    await until(() => problemOf(here) === 'is more than 5 seconds behind')
    expect(here.database.replica()?.lag).toBeGreaterThan(5)
    const { body } = await here.request('GET', '/healthz')
    expect(body.status).toBe('ok')
    expect(body.warnings).toContain(
      'FRONTDESK_DATABASE_REPLICA_URL is more than 5 seconds behind; lists and reports are read from the primary',
    )
    await runSql(replica.url, 'SELECT pg_wal_replay_resume()')
    await until(() => problemOf(here) === null && here.database.replica()?.lag === 0)
    expect(here.database.warning()).toBeNull()
    await isUsed(here)
    expect(await newest(here)).toBe(id)
  })

  test('takes pages of a list in turns with the primary, and neither skips nor repeats a row', async () => {
    const ids: string[] = []
    for (let i = 0; i < 20; i++) ids.unshift(await create())
    await isUsed(here)
    const { replica: before, primary: instead } = readsOf(here)
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; page < 4; page++) {
      if (page % 2 === 1) {
        await runSql(replica.url, 'SELECT pg_wal_replay_pause()')
        await create()
      } else if (page > 0) {
        await runSql(replica.url, 'SELECT pg_wal_replay_resume()')
        await isUsed(here)
      }
      const { items, nextCursor } = await list(here, cursor)
      seen.push(...items.map(({ id }) => id))
      cursor = `&cursor=${nextCursor}`
    }
    expect(seen).toEqual(ids)
    expect(readsOf(here).replica).toBeGreaterThan(before)
    expect(readsOf(here).primary).toBeGreaterThan(instead)
  })
})

test('a replica that is late on purpose is left out', async () => {
  await runSql(replica.url, "ALTER SYSTEM SET recovery_min_apply_delay = '3s'")
  await runSql(replica.url, 'SELECT pg_reload_conf()')
  await until(async () => {
    const before = readsOf(here).primary
    const id = await create()
    expect(await newest(here)).toBe(id)
    return readsOf(here).primary > before
  })
  await until(() => (here.database.replica()?.lag ?? 0) > 1)
  await runSql(replica.url, 'ALTER SYSTEM RESET recovery_min_apply_delay')
  await runSql(replica.url, 'SELECT pg_reload_conf()')
  await isUsed(here)
})

describe('a replica that is away', () => {
  test('is named at once, and used again when it is back', async () => {
    await replica.halt('immediate')
    const id = await create()
    expect(await newest(here)).toBe(id)
    // The first that shows may be that connections have ended.
    await until(() => /^cannot be used: .*ECONNREFUSED/.test(problemOf(here) ?? ''))
    expect(here.database.warning()).toMatch(/^FRONTDESK_DATABASE_REPLICA_URL cannot be used: .*ECONNREFUSED/)
    await replica.start()
    await isUsed(here)
    await until(() => problemOf(here) === null)
    expect(await newest(here)).toBe(id)
  })

  test('without a word keeps nobody for long', async () => {
    replica.signalAll('SIGSTOP')
    try {
      const id = await create()
      const lists = await Promise.all([newest(here), newest(here), newest(there)])
      expect(lists).toEqual([id, id, id])
      await until(() => problemOf(here) !== null)
    } finally {
      replica.signalAll('SIGCONT')
    }
    await isUsed(here)
  })

  test('at the start keeps nobody from starting', async () => {
    const alone = await startNode('postgres://frontdesk:unmistakable@127.0.0.1:1/postgres')
    const id = await create(alone)
    expect(await newest(alone)).toBe(id)
    expect(alone.database.warning()).toContain('ECONNREFUSED')
    expect(alone.database.warning()).not.toContain('unmistakable')
    await alone.close()
  })
})

describe('what is no replica of the database is not read from:', () => {
  test('the primary itself', async () => {
    const app = await startNode(primary.url)
    expect(problemOf(app)).toStartWith('follows no primary')
    expect(await newest(app)).toBe(await newest(here))
    expect(readsOf(app).replica).toBe(0)
    await app.close()
  })

  test('another cluster', async () => {
    const other = await startPostgres({ settings })
    const app = await startNode(other.url)
    expect(problemOf(app)).toBe('is of another database')
    expect(await newest(app)).toBe(await newest(here))
    await app.close()
    await other.stop()
  })

  test('another database of the cluster', async () => {
    const url = new URL(replica.url)
    url.pathname = '/template1'
    const app = await startNode(url.href)
    expect(problemOf(app)).toBe('is of another database')
    await app.close()
  })

  test('one that was promoted, and one that follows that', async () => {
    const second = await startReplica(primary.url)
    const app = await startNode(second.url)
    await isUsed(app)
    await runSql(second.url, 'SELECT pg_promote()')
    await runSql(second.url, 'DELETE FROM contacts')
    const id = await create()
    expect(await newest(app)).toBe(id)
    await until(() => problemOf(app)?.startsWith('follows no primary'))
    expect(await newest(app)).toBe(id)
    // It follows, but not this primary, and may be further than that.
    const third = await startReplica(second.url)
    const other = await startNode(third.url)
    await until(() => problemOf(other)?.startsWith('is not of the primary’s timeline'))
    expect(await newest(other)).toBe(id)
    for (const node of [app, other]) await node.close()
    for (const server of [third, second]) await server.stop()
  })
})
