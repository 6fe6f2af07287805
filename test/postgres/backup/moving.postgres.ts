import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { membersOf, recordsOf } from '../../support/data/moving.ts'
import { startPostgres } from '../../support/data/postgres.ts'
import { emptyFolder, executable, record, run, serve } from '../../support/processes/program.ts'

let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

/** What is done with a tenant adds to the audit log. */
const OWN = new Set(['audit_entries'])

test('a tenant moves from a file into PostgreSQL and back: under all its ids, with every record', async () => {
  const program = await executable()
  const onFile = { FRONTDESK_DATABASE_URL: '', FRONTDESK_SECRET_KEY: '' }
  const onServer = {
    FRONTDESK_DATABASE_URL: server.url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  const [first, middle, last] = [emptyFolder(), emptyFolder(), emptyFolder()]
  const demo = await serve(program, { cwd: first, environment: onFile }, ['demo'])
  await demo.stop()
  const tenants = (cwd: string, environment: Record<string, string>) =>
    record(program, ['tenant', 'list'], { cwd, environment })
  const tenant = await tenants(first, onFile)
  const exported = async (cwd: string, environment: Record<string, string>, name: string) => {
    const file = join(emptyFolder(), name)
    await record(program, ['tenant', 'export', file], { cwd, environment })
    return { file, members: membersOf(file) }
  }
  const taken = async (cwd: string, environment: Record<string, string>, file: string) => {
    const { code, stderr } = await run(program, ['tenant', 'import', file, '--json'], { cwd, environment })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
    expect(await tenants(cwd, environment)).toEqual(tenant)
    expect(await record(program, ['check'], { cwd, environment })).toEqual([])
  }

  const before = await exported(first, onFile, 'before.tar')
  // No service runs meanwhile: it would send and count what waits.
  await taken(middle, onServer, before.file)
  const between = await exported(middle, onServer, 'between.tar')
  await taken(last, onFile, between.file)
  const after = await exported(last, onFile, 'after.tar')

  const kinds = (members: typeof after.members) => [...members.keys()].filter((name) => name.endsWith('.jsonl')).sort()
  const [there, back] = [between, after].map(({ members }) => members) as [typeof after.members, typeof after.members]
  expect(kinds(there)).toEqual(kinds(before.members))
  expect(kinds(back)).toEqual(kinds(before.members))
  const files = (members: typeof after.members) => [...members].filter(([name]) => name.startsWith('files/'))
  expect(files(before.members).length).toBeGreaterThan(0)
  expect(files(back).map(([name, bytes]) => [name, Bun.hash(bytes)])).toEqual(
    files(before.members).map(([name, bytes]) => [name, Bun.hash(bytes)]),
  )
  let compared = 0
  for (const name of kinds(back)) {
    const kind = name.slice(0, -'.jsonl'.length)
    if (OWN.has(kind)) continue
    const counts = [before.members, there, back].map((members) => recordsOf(members, kind).length)
    expect([kind, new Set(counts).size]).toEqual([kind, 1])
    // What a tenant loses on its way it loses on the first.
    expect([kind, recordsOf(back, kind)]).toEqual([kind, recordsOf(there, kind)])
    const ids = (members: typeof after.members) => recordsOf(members, kind).map(({ id, number }) => [id, number])
    expect([kind, ids(back)]).toEqual([kind, ids(before.members)])
    compared += recordsOf(back, kind).length
  }
  expect(compared).toBeGreaterThan(1000)
})
