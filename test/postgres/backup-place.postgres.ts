import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { list } from 'tar'
import { startPostgres } from '../support/postgres.ts'
import { emptyFolder, executable, record, run } from '../support/program.ts'

const program = await executable()
let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

test('a backup by itself has a dump of the database, which restore puts back with the files', async () => {
  const cwd = emptyFolder()
  const folder = join(emptyFolder(), 'kept')
  const environment = {
    FRONTDESK_DATABASE_URL: server.url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    FRONTDESK_BACKUP_TO: folder,
  }
  await record(program, ['tenant', 'create', '--name', 'Before'], { cwd, environment })
  const { name } = await record(program, ['backup', 'now'], { cwd, environment })
  const members: string[] = []
  await list({ file: join(folder, name), onReadEntry: ({ path }) => void members.push(path) })
  expect(members).toEqual(expect.arrayContaining(['database.dump', 'manifest.json']))
  expect(await record(program, ['backup', 'list'], { cwd, environment })).toMatchObject([{ name, good: true }])
  await record(program, ['tenant', 'create', '--name', 'After'], { cwd, environment })
  const names = async () =>
    (await record(program, ['tenant', 'list'], { cwd, environment }))
      .map((tenant: { name: string }) => tenant.name)
      .sort()
  expect(await names()).toEqual(['After', 'Before'])
  expect(await record(program, ['check', '--backup', name], { cwd, environment })).toEqual([])
  expect((await run(program, ['restore', name], { cwd, environment })).stderr).toBe('')
  expect(await names()).toEqual(['Before'])
  const onSqlite = { FRONTDESK_BACKUP_TO: folder, FRONTDESK_DATABASE_URL: '', FRONTDESK_SECRET_KEY: '' }
  const refused = await run(program, ['restore', name], { cwd: emptyFolder(), environment: onSqlite })
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/it holds a dump of PostgreSQL: set FRONT.*\n$/),
  ])
  const bytes = readFileSync(join(folder, name))
  bytes[2000] = (bytes[2000] as number) ^ 1
  const damaged = join(emptyFolder(), 'damaged.tar')
  writeFileSync(damaged, bytes)
  expect((await run(program, ['check', '--backup', damaged], { cwd, environment })).code).toBe(1)
  await server.stop()
  const away = await run(program, ['backup', 'now'], { cwd, environment })
  expect([away.code, away.stderr]).toEqual([1, expect.stringMatching(/^frontdesk: FRONTDESK_DATABASE_URL: [^\n]+\n$/)])
})
