import { afterAll, describe, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { eq } from 'drizzle-orm'
import { backUp } from '../../src/backup/backup.ts'
import { restore } from '../../src/backup/restore.ts'
import { check } from '../../src/check/index.ts'
import { loadConfig } from '../../src/config.ts'
import type { Database } from '../../src/db/index.ts'
import { installation } from '../../src/db/schema.ts'
import { copyFile } from '../../src/db/sqlite/files.ts'
import { openFiles } from '../../src/files/index.ts'
import { readMarkFile, writeMarkFile } from '../../src/files/mark-file.ts'
import { DATABASE_FILE, KEY_FILE, MARK_FILE } from '../../src/folder/names.ts'
import { findId } from '../../src/installation/id.ts'
import { RECORDED_WITHIN } from '../../src/installation/orphans.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { startService } from '../../src/service.ts'
import { storeAttachment } from '../../src/tickets/attachments/operations.ts'
import { startApp } from '../support/app.ts'
import { engineOf, openDataOf, serverUrl, testOfSqlite } from '../support/data/postgres.ts'
import { placeDatabase } from '../support/data/template.ts'
import { refusalOf } from '../support/refusal.ts'
import { startS3 } from '../support/servers/s3.ts'
import { createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

const folders: string[] = []
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  folders.push(made)
  return made
}
const s3 = await startS3()
afterAll(async () => {
  await s3.stop()
  for (const made of folders) rmSync(made, { recursive: true, force: true })
})

/** Where files may lie, each time another place. */
let prefixes = 0
const stores: Record<string, () => Record<string, string>> = {
  'the data folder': () => ({}),
  'a shared folder': () => ({ FRONTDESK_FILES_URL: pathToFileURL(folder()).href }),
  'an S3-compatible store': () => ({ ...s3.environment, FRONTDESK_FILES_URL: `s3://files/desk-${++prefixes}` }),
}

/** A data folder and its store of files, with an old file that a record names. */
async function furnished(store: Record<string, string>) {
  const dataDir = folder()
  await placeDatabase(dataDir)
  const app = await startApp({ dataDir, environment: store })
  const acme = await app.createTenant()
  const attachment = await createTestAttachment(acme)
  await createTicket(acme, { attachments: [attachment] })
  await app.close()
  const old = new Date(Date.now() - 10 * RECORDED_WITHIN)
  const root = store.FRONTDESK_FILES_URL?.startsWith('file') ? new URL(store.FRONTDESK_FILES_URL).pathname : dataDir
  if (existsSync(join(root, 'attachments'))) {
    for (const name of readdirSync(join(root, 'attachments'), { recursive: true, encoding: 'utf8' }))
      utimesSync(join(root, 'attachments', name), old, old)
  }
  return { dataDir, store, tenantId: acme.tenantId, id: attachment.id }
}

type Furnished = Awaited<ReturnType<typeof furnished>>

const configOf = async ({ dataDir, store }: Pick<Furnished, 'dataDir' | 'store'>, database = dataDir) =>
  loadConfig({ FRONTDESK_PORT: '0', ...(await engineOf(database)), ...store }, { dataDir })

/** Starts the service and stops it. */
async function start(of: Pick<Furnished, 'dataDir' | 'store'>, database?: string) {
  const log: string[] = []
  const service = await startService(
    await configOf(of, database),
    createLog((line) => log.push(line), false),
  )
  await service.stop()
  return log
}

async function markOf({ dataDir, store }: Pick<Furnished, 'dataDir' | 'store'>) {
  const config = await configOf({ dataDir, store })
  const database = await openDataOf(dataDir)
  const id = await findId(database.db)
  await database.close()
  const folder = join(dataDir, MARK_FILE)
  return {
    id,
    folder: existsSync(folder) ? readFileSync(folder, 'utf8').trim() : null,
    store: await openFiles(config).readMark(),
  }
}

async function isThere({ dataDir, store, tenantId, id }: Furnished): Promise<boolean> {
  const found = await openFiles(await configOf({ dataDir, store })).read({ kind: 'attachments', tenantId, id })
  return found !== null
}

/** What a version of before left: no mark anywhere. */
async function unmark(
  { dataDir, store }: Furnished,
  change: (database: Database) => Promise<unknown> = async () => {},
) {
  rmSync(join(dataDir, MARK_FILE), { force: true })
  if (store.FRONTDESK_FILES_URL?.startsWith('file'))
    rmSync(join(new URL(store.FRONTDESK_FILES_URL).pathname, MARK_FILE), { force: true })
  if (store.FRONTDESK_FILES_URL?.startsWith('s3'))
    await s3.client.delete(`${store.FRONTDESK_FILES_URL.slice('s3://files/'.length)}/${MARK_FILE}`)
  const database = await openDataOf(dataDir)
  await database.transaction((tx) => tx.delete(installation).where(eq(installation.name, 'id')))
  await change(database)
  await database.close()
}

/**
 * The data folder of an installation beside the database of another, or an empty one. Returns the folder, and whose
 * database its service is told of.
 */
async function beside(of: Furnished, other: string | null): Promise<[Furnished, string]> {
  if (serverUrl) return [of, other ?? folder()]
  const dataDir = folder()
  for (const name of readdirSync(of.dataDir).filter((name) => !name.startsWith('frontdesk.'))) {
    cpSync(join(of.dataDir, name), join(dataDir, name), { recursive: true, preserveTimestamps: true })
  }
  if (other === null) await placeDatabase(dataDir)
  else copyFile(other, dataDir)
  return [{ ...of, dataDir }, dataDir]
}

describe.each(Object.keys(stores))('with files in %s', (name) => {
  const store = () => (stores[name] as () => Record<string, string>)()

  test('the first start marks the database, the data folder and the store, and the next finds them so', async () => {
    const fresh = { dataDir: folder(), store: store() }
    await start(fresh)
    const mark = await markOf(fresh)
    expect(mark).toEqual({ id: expect.any(String), folder: mark.id, store: mark.id })
    await start(fresh)
    expect(await markOf(fresh)).toEqual(mark)
  })

  test('an installation of before gets its mark at its next start, whether it had an id for its mails or not', async () => {
    const of = await furnished(store())
    await unmark(of)
    await start(of)
    const mark = await markOf(of)
    expect(mark).toEqual({ id: expect.any(String), folder: mark.id, store: mark.id })
    await unmark(of, (database) =>
      database.transaction((tx) => tx.insert(installation).values({ name: 'id', value: mark.id as string })),
    )
    await start(of)
    expect(await markOf(of)).toEqual(mark)
    expect(await isThere(of)).toBe(true)
  })

  test.each(['marked', 'of before'])('an empty database beside %s data is refused, and no file goes', async (which) => {
    const of = await furnished(store())
    await start(of)
    if (which === 'of before') await unmark(of)
    const [wrong, database] = await beside(of, null)
    for (let time = 0; time < 2; time++)
      expect(await refusalOf(start(wrong, database))).toContain('is an empty database')
    expect(await isThere(wrong)).toBe(true)
    await start(of)
    expect(await isThere(of)).toBe(true)
  })

  test('files and a key of before, without a mark, are not taken for those of a database that knows others', async () => {
    const of = await furnished(store())
    await unmark(of)
    const other = await furnished({})
    const [wrong, database] = await beside(of, other.dataDir)
    // On PostgreSQL it is in the configuration.
    if (!serverUrl) cpSync(join(other.dataDir, KEY_FILE), join(wrong.dataDir, KEY_FILE), { force: true })
    expect(await refusalOf(start(wrong, database))).toContain('holds files of tenants that')
    expect(await isThere(wrong)).toBe(true)
  })

  test('another installation’s database is refused, and the check says so', async () => {
    const [of, other] = [await furnished(store()), await furnished(store())]
    await start(of)
    await start(other)
    const [wrong, database] = await beside(of, other.dataDir)
    expect(await refusalOf(start(wrong, database))).toContain('belongs to another installation than')
    expect(await isThere(wrong)).toBe(true)
    const problems = (await check(await configOf(wrong, database), Date.now())).map(({ problem }) => problem)
    const wanted = problems.filter((problem) => problem.includes('another installation'))
    expect(wanted).toHaveLength(name === 'the data folder' ? 1 : 2)
    expect(await check(await configOf(other), Date.now())).toEqual([])
  })

  test('a mark that holds no id is refused', async () => {
    const of = await furnished(store())
    await start(of)
    await Bun.write(join(of.dataDir, MARK_FILE), 'x')
    expect(await refusalOf(start(of))).toContain('holds no id of an installation')
  })
})

testOfSqlite('where the database file is gone, the start is refused before another is made', async () => {
  const of = await furnished({})
  await start(of)
  for (const left of [[MARK_FILE, KEY_FILE, 'attachments'], [KEY_FILE], ['attachments']]) {
    const dataDir = folder()
    for (const name of left) cpSync(join(of.dataDir, name), join(dataDir, name), { recursive: true })
    expect(await refusalOf(start({ dataDir, store: {} }))).toContain(`is there and ${DATABASE_FILE} is gone: put`)
    expect(existsSync(join(dataDir, DATABASE_FILE))).toBe(false)
    expect(await check(await configOf({ dataDir, store: {} }), Date.now())).toMatchObject([
      { problem: expect.stringContaining('is gone: put') },
    ])
  }
})

testOfSqlite('a backup carries the mark along, and one of before is taken as what it is', async () => {
  const of = await furnished({})
  await start(of)
  const mark = await markOf(of)
  const strange = crypto.randomUUID()
  /** Restores a backup into a folder that bears another mark, and starts the service there. */
  async function restored() {
    const [dataDir, file] = [folder(), join(folder(), 'a.tar')]
    writeMarkFile(dataDir, strange)
    await backUp(await configOf(of), file, { force: false })
    restore(await configOf({ dataDir, store: {} }), file)
    const before = readMarkFile(dataDir)
    await start({ dataDir, store: {} })
    expect(await isThere({ ...of, dataDir })).toBe(true)
    return { before, after: await markOf({ dataDir, store: {} }) }
  }
  expect(await restored()).toEqual({ before: mark.id, after: mark })
  await unmark(of)
  const { before, after } = await restored()
  expect([before, after.folder]).toEqual([null, after.id])
  expect([mark.id, strange]).not.toContain(after.id)
})

test('a store that is away keeps nothing from starting, is told, and is swept by nobody', async () => {
  const away = await startS3()
  const of = { dataDir: folder(), store: { ...away.environment } }
  await start(of)
  await away.stop()
  expect((await start(of)).join('')).toContain('nobody can tell yet whether the store of files is this installation’s')
})

test('an attachment that is stored and not recorded yet is nobody else’s for that', async () => {
  const dataDir = folder()
  await placeDatabase(dataDir)
  const app = await startApp({ dataDir })
  const acme = await app.createTenant()
  await storeAttachment(app.deps.files, acme.caller(), {}, new Blob(['x']).stream())
  await app.close()
  await start({ dataDir, store: {} })
})
