import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Database, openDatabase } from '../../../src/db/index.ts'
import { startApp, type TestApp } from '../app.ts'
import { engineOf, type Settings, startPostgres } from '../data/postgres.ts'

/** Services on one database of the server that the tests run against. */
export async function startNodes(count: number, more: Record<string, string> = {}) {
  const folders = Array.from({ length: count }, () => mkdtempSync(join(tmpdir(), 'frontdesk-node-')))
  const environment = { ...(await engineOf(folders[0] as string)), ...more }
  const apps = await Promise.all(folders.map((dataDir) => startApp({ dataDir, environment })))
  return {
    apps,
    url: String(environment.FRONTDESK_DATABASE_URL),
    async close() {
      for (const app of apps) await app.close()
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Where nodes share a database, requests are counted by its clock: from now on by that of the test. */
export function countByClockOf({ database, clock }: TestApp): void {
  const windows = database.requestWindows
  if (!windows) return
  const take = windows.take.bind(windows)
  const wait = windows.wait.bind(windows)
  windows.take = (key, terms) => take(key, { ...terms, at: clock.monotonic() })
  windows.wait = (key, terms) => wait(key, { ...terms, at: clock.monotonic() })
}

/** A server of the test's own, to be stopped and started, and a service on it. */
export async function startFragile(settings: Settings = {}) {
  const server = await startPostgres({ settings })
  const environment = {
    FRONTDESK_DATABASE_URL: server.url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-node-'))
  const app = await startApp({ dataDir, environment })
  return {
    app,
    server,
    async close() {
      await app.close()
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Another database of the server, empty. */
export async function emptyDatabase(): Promise<{ url: string; open(): Promise<Database>; sql: postgres.Sql }> {
  const [folder] = [`empty-${crypto.randomUUID()}`]
  const { FRONTDESK_DATABASE_URL: url = '' } = await engineOf(folder)
  const sql = postgres(url, { max: 2, onnotice: () => {} })
  await sql.unsafe('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  return { url, sql, open: () => openDatabase({ dataDir: '', databaseUrl: url }) }
}
