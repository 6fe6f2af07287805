import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, asc, eq } from 'drizzle-orm'
import { sealOlderChains } from '../../src/audit/carry-over.ts'
import { linkAllEntries } from '../../src/audit/chain.ts'
import { chainKeyOf } from '../../src/audit/key.ts'
import { check } from '../../src/check/index.ts'
import { copyToPostgres } from '../../src/db/copy.ts'
import { auditEntries } from '../../src/db/schema.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { emptyDatabase, startNodes } from '../support/processes/nodes.ts'

/* The audit log's chain where several nodes write it, and where it was written on the other engine. */

let nodes: Awaited<ReturnType<typeof startNodes>>
beforeAll(async () => {
  nodes = await startNodes(3)
})
afterAll(() => nodes.close())

const keyOf = ({ deps }: TestApp) => chainKeyOf(deps.secrets)
const link = (node: TestApp) => linkAllEntries(node.database, keyOf(node))

/** As the start of the service does. */
const begin = (node: TestApp) => sealOlderChains(node.dataDir, node.database, keyOf(node), node.clock.now())

/** What `frontdesk check` says of audit logs. */
async function findings({ deps }: TestApp): Promise<string[]> {
  const problems = (await check(deps.config, Date.now())).map(({ problem }) => problem)
  return problems.filter((problem) => problem.startsWith('audit log'))
}

const chainOf = ({ database }: TestApp, tenantId: string) =>
  database.db
    .select({ position: auditEntries.position, hash: auditEntries.hash })
    .from(auditEntries)
    .where(eq(auditEntries.tenantId, tenantId))
    .orderBy(asc(auditEntries.position))

/** Says of an entry that somebody else made it. */
const forge = ({ database }: TestApp, tenantId: string, position: number) =>
  database.transaction((tx) =>
    tx
      .update(auditEntries)
      .set({ authorName: 'Somebody else' })
      .where(and(eq(auditEntries.tenantId, tenantId), eq(auditEntries.position, position))),
  )

test('entries that three nodes write and link at once are one chain, in which a forged one is found', async () => {
  const [here] = nodes.apps as [TestApp]
  const tenant = await here.createTenant('Shared')
  for (const node of nodes.apps) await begin(node)
  const create = (node: TestApp, name: string) =>
    node.request('POST', '/v1/contacts', { key: tenant.key, body: { email: `${name}@acme.test` } })
  const answers = await Promise.all(
    nodes.apps.flatMap((node, i) => {
      const created = Array.from({ length: 20 }, (_, n) => create(node, `${i}-${n}`))
      return [...created, link(node), node.runDue(), Promise.race(created).then(() => link(node))]
    }),
  )
  expect(answers.flatMap((answer) => answer?.status ?? []).filter((status) => status !== 201)).toEqual([])
  await Promise.all(nodes.apps.map(link))
  const chain = await chainOf(here, tenant.tenantId)
  expect(chain.length).toBeGreaterThanOrEqual(60)
  expect(chain.map(({ position }) => position)).toEqual(chain.map((_, index) => index + 1))
  for (const node of nodes.apps) expect(await findings(node)).toEqual([])
  await forge(here, tenant.tenantId, 30)
  expect(await findings(here)).toEqual([expect.stringMatching(/^audit log of Shared .*: entry 30 .*was changed$/)])
})

test('a chain that was begun in a data folder is the same after the copy, goes on, and is still guarded', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-audit-'))
  const before = await startApp({ dataDir, environment: { FRONTDESK_DATABASE_URL: '' } })
  const tenant = await before.createTenant('Moved')
  await begin(before)
  for (let n = 0; n < 5; n++) await tenant.post('/v1/contacts', { email: `before${n}@acme.test` })
  await link(before)
  expect(await findings(before)).toEqual([])
  const chain = await chainOf(before, tenant.tenantId)
  await before.close()

  const empty = await emptyDatabase()
  await copyToPostgres(dataDir, empty.url)
  const after = await startApp({ dataDir, environment: { FRONTDESK_DATABASE_URL: empty.url } })
  expect(await chainOf(after, tenant.tenantId)).toEqual(chain)
  expect(await findings(after)).toEqual([])
  await begin(after)
  for (let n = 0; n < 3; n++) {
    const body = { email: `after${n}@acme.test` }
    expect((await after.request('POST', '/v1/contacts', { key: tenant.key, body })).status).toBe(201)
  }
  await link(after)
  expect(await chainOf(after, tenant.tenantId)).toHaveLength(chain.length + 3)
  expect(await findings(after)).toEqual([])
  await forge(after, tenant.tenantId, 2)
  expect(await findings(after)).toEqual([expect.stringMatching(/^audit log of Moved .*: entry 2 .*was changed$/)])
  await after.close()
  await empty.sql.end()
  rmSync(dataDir, { recursive: true, force: true })
})
