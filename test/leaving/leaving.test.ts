import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { readArchive } from '../../src/backup/archive.ts'
import * as schema from '../../src/db/schema.ts'
import { fileKinds } from '../../src/kinds/files.ts'
import { deleteTenant } from '../../src/leaving/deletion.ts'
import { exportTenant } from '../../src/leaving/export.ts'
import { JSON_TEXT, LEFT_OUT, SECRET } from '../../src/leaving/exported.ts'
import { tenantTables } from '../../src/leaving/tables.ts'
import { listTenants } from '../../src/tenants/operations.ts'
import { furnish } from '../support/api/furnished.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { signedIn } from '../support/pages/console.ts'

const tables = (Object.values(schema) as unknown[]).filter((table): table is SQLiteTable => is(table, SQLiteTable))

/** Tables of no tenant, and those that tell their tenant by another one. */
const OTHERS = ['delivered_batches', 'event_queue', 'installation', 'nodes', 'secret_key', 'tenants']

let app: TestApp
let folder: string
beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  folder = mkdtempSync(join(tmpdir(), 'frontdesk-leaving-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await app.close()
})

async function furnished(name: string): Promise<TestTenant> {
  const tenant = await app.createTenant(name)
  await furnish(tenant)
  await signedIn(app, tenant)
  return tenant
}

const where = () => ({ database: app.database, files: app.deps.files, dataDir: app.dataDir })

/** Where its files lie, by kind. */
async function filesOf({ tenantId }: TestTenant): Promise<string[]> {
  const found: string[] = []
  for (const kind of fileKinds) {
    for (const part of ['kept', 'trash'] as const) {
      for await (const some of app.deps.files.list(kind, part)) {
        if (some.tenantId === tenantId) found.push(...some.files.map(({ id }) => `${kind}/${id}`))
      }
    }
  }
  return found.sort()
}

test('every table is a tenant’s own, or one of those that are not', () => {
  const own = tenantTables().map(({ name }) => name)
  expect([...own, ...OTHERS].sort()).toEqual(tables.map(getTableName).sort())
  // Whatever points to another table stands before it.
  for (const table of tables) {
    const name = getTableName(table)
    for (const key of getTableConfig(table).foreignKeys) {
      const target = getTableName(key.reference().foreignTable)
      if (own.includes(name) && own.includes(target) && name !== target) {
        expect([name, target, own.indexOf(name) < own.indexOf(target)]).toEqual([name, target, true])
      }
    }
  }
})

describe('an export', () => {
  test('leaves out what is named, and no column that sounds like a secret is in it', () => {
    const own = tenantTables()
    for (const list of [LEFT_OUT, SECRET, JSON_TEXT]) {
      expect(Object.keys(list).filter((name) => !own.some((table) => table.name === name))).toEqual([])
    }
    // What these say is no secret: hashes of files, the address of a form, and parts of it.
    const harmless = /^(?:sha256|launchCode|publicKey|eventsHash|statusCode|rawHash)$/
    for (const { name, columns } of own.filter((table) => !(table.name in LEFT_OUT))) {
      const hidden = SECRET[name] ?? []
      expect([name, hidden.filter((column) => !(column in columns))]).toEqual([name, []])
      const telling = Object.keys(columns).filter((column) =>
        /hash|secret|sealed|token|password|totp|recovery/i.test(column),
      )
      expect([name, telling.filter((column) => !hidden.includes(column) && !harmless.test(column))]).toEqual([name, []])
    }
  })

  test('holds every record and every file of the tenant, for its owner alone', async () => {
    const [acme, globex] = [await furnished('Acme'), await furnished('Globex')]
    const { tenantId } = acme
    const file = join(folder, 'acme.tar')
    const done = await exportTenant(where(), tenantId, file, app.clock.now())
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(done).toMatchObject({ bytes: statSync(file).size, missing: [] })
    const members = new Map<string, Buffer[]>()
    readArchive(file, ({ name }) => {
      const pieces: Buffer[] = []
      members.set(name, pieces)
      return (piece) => pieces.push(Buffer.from(piece))
    })
    const textOf = (name: string) => Buffer.concat(members.get(name) ?? []).toString()
    for (const { name, table } of tenantTables()) {
      const rows: { tenantId?: unknown }[] = await app.database.db.select().from(table)
      const own = rows.filter((row) => row.tenantId === tenantId).length
      const lines = members.has(`${name}.jsonl`) ? textOf(`${name}.jsonl`).split('\n').length - 1 : null
      expect([name, lines]).toEqual([name, name in LEFT_OUT ? null : own])
    }
    const stored = [...members.keys()].filter((name) => name.startsWith('files/')).map((name) => name.slice(6))
    expect(stored.sort()).toEqual(await filesOf(acme))
    const manifest = JSON.parse(textOf('manifest.json'))
    expect(manifest).toMatchObject({ format: 1, tenantId, name: 'Acme', exportedAt: expect.any(String) })
    expect(manifest.members.map(({ name }: { name: string }) => name)).toEqual(
      [...members.keys()].filter((name) => name !== 'manifest.json'),
    )
    const [response] = textOf('responses.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(Array.isArray(response.answers)).toBe(true)
    // Nothing of anybody else, and nothing that opens something.
    const all = readFileSync(file).toString('latin1')
    expect(all).not.toContain(globex.tenantId)
    const users = await app.database.db.select().from(schema.users)
    for (const { passwordHash } of users) if (passwordHash.length > 1) expect(all).not.toContain(passwordHash)
    expect(all).not.toContain(acme.key)
    const again = exportTenant(where(), tenantId, file, 0)
    expect(await again.catch(({ message }) => message)).toContain('is there already')
  })

  test('that cannot be written leaves nothing behind', async () => {
    const acme = await app.createTenant()
    writeFileSync(join(folder, 'no-folder'), '')
    const failed = exportTenant(where(), acme.tenantId, join(folder, 'no-folder', 'acme.tar'), 0)
    expect(await failed.catch(({ message }) => message)).toContain('cannot be written')
  })
})

describe('a tenant that is deleted', () => {
  const rowsOf = async (tenant: TestTenant) => {
    const found = await snapshot(app)
    return Object.entries(found).flatMap(([name, rows]) =>
      rows.filter((row) => row.includes(tenant.tenantId)).map((row) => `${name} ${row}`),
    )
  }

  test('is gone with every row and file, and nobody else’s are', async () => {
    const [acme, globex] = [await furnished('Acme'), await furnished('Globex')]
    await app.runDue()
    const before = { rows: await rowsOf(globex), files: await filesOf(globex) }
    expect([(await rowsOf(acme)).length > 50, (await filesOf(acme)).length > 1]).toEqual([true, true])
    const { rows, files } = await deleteTenant(app.deps, acme.tenantId)
    expect([rows > 50, files > 1]).toEqual([true, true])
    expect([await rowsOf(acme), await filesOf(acme)]).toEqual([[], []])
    expect({ rows: await rowsOf(globex), files: await filesOf(globex) }).toEqual(before)
    expect((await acme.get('/v1/contacts')).status).toBe(401)
    expect((await globex.get('/v1/contacts')).status).toBe(200)
    await app.runDue()
    expect(await rowsOf(acme)).toEqual([])
  })

  test('is listed as leaving where that was interrupted, whenever it was, and goes when it is deleted again', async () => {
    const acme = await furnished('Interrupted')
    await app.runDue()
    const listed = async () => (await listTenants(app.database.db)).find(({ tenantId }) => tenantId === acme.tenantId)
    expect(await listed()).not.toHaveProperty('leaving')
    for (let allowed = 1, done = false; !done; allowed += 7) {
      let left = allowed
      const { database, files } = app.deps
      const dying = {
        ...database,
        db: database.db,
        transaction: ((work) => {
          if (left-- <= 0) throw new Error('killed')
          return database.transaction(work)
        }) as typeof database.transaction,
      }
      done = await deleteTenant({ database: dying, files }, acme.tenantId).then(
        () => true,
        () => false,
      )
      if (!done) expect(await listed()).toMatchObject({ name: 'Interrupted', leaving: true })
    }
    expect(await listed()).toBeUndefined()
    expect([await rowsOf(acme), await filesOf(acme)]).toEqual([[], []])
  })
})
