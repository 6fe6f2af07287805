import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { asc, eq } from 'drizzle-orm'
import { createApp } from '../../src/app.ts'
import type { Caller } from '../../src/caller.ts'
import { commandCaller } from '../../src/caller.ts'
import type { IncomingMail } from '../../src/channels/email/incoming-mail.ts'
import { receiveMail } from '../../src/channels/email/receiving/receive.ts'
import { createChannels } from '../../src/channels/index.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import { openDatabase, type Tx } from '../../src/db/index.ts'
import { events } from '../../src/db/schema.ts'
import { unwatched } from '../../src/db/watch.ts'
import { createDeps, type Deps } from '../../src/deps.ts'
import { openFiles } from '../../src/files/index.ts'
import { listen } from '../../src/http/server.ts'
import { openSecrets } from '../../src/installation/secret-key.ts'
import { createJobs } from '../../src/jobs/index.ts'
import { createKey } from '../../src/keys/operations.ts'
import { scopes as allScopes } from '../../src/kinds/scopes.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log/log.ts'
import type { Meter } from '../../src/ports/meter.ts'
import type { HashCosts } from '../../src/secrets/slow-hash.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { createUser } from '../../src/users/accounts.ts'
import { dropDatabaseOf, engineOf } from './data/postgres.ts'
import { shortLived } from './data/short-lived.ts'
import { placeDatabase } from './data/template.ts'

/** Time that moves only when a test says so. Starts at a fixed moment. */
export class TestClock implements Clock {
  #now = Date.parse('2026-03-01T09:00:00.000Z')
  #monotonic = 0

  now = () => this.#now
  monotonic = () => this.#monotonic

  /** Time passes. */
  advance(ms: number): void {
    this.#now += ms
    this.#monotonic += ms
  }

  /** Somebody sets the wall clock. */
  jump(ms: number): void {
    this.#now += ms
  }
}

/** Runs a statement that drizzle has no words for. */
export async function runStatement(tx: Tx, statement: string): Promise<void> {
  const handle = tx as unknown as { run?(text: string): unknown; execute?(text: string): unknown }
  await (handle.run ? handle.run(statement) : handle.execute?.(statement))
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  body: any
  text: string
}

export interface RequestOptions {
  key?: string | null
  body?: unknown
  headers?: Record<string, string>
}

export type TestApp = Awaited<ReturnType<typeof startApp>>
export type TestTenant = Awaited<ReturnType<TestApp['createTenant']>>

/** Those of the service take tenths of a second, and nearly every test signs in. */
export const CHEAP_HASHES: HashCosts = {
  password: { memoryCost: 64, timeCost: 2 },
  recoveryCode: { memoryCost: 64, timeCost: 2 },
}

/**
 * A fresh service on a file database of its own, listening on a free port: tests speak HTTP to it. `environment` is
 * what FRONTDESK_ variables would say; `replace` swaps whole dependencies; `meter` is told of what happens. Close it when done.
 */
export async function startApp(
  options: { environment?: Record<string, string>; replace?: Partial<Deps>; dataDir?: string; meter?: Meter } = {},
) {
  const dataDir = options.dataDir ?? mkdtempSync(join(shortLived(), 'frontdesk-test-'))
  if (!options.dataDir) await placeDatabase(dataDir)
  const clock = new TestClock()
  const engine = await engineOf(dataDir)
  const config: Config = loadConfig(
    { FRONTDESK_PORT: '0', FRONTDESK_RATE_LIMIT: '100000', ...engine, ...options.environment },
    { dataDir },
  )
  const { meter } = options
  const watch = meter && { ...unwatched, committed: meter.committed }
  const database = await openDatabase(config, watch)
  const logged: string[] = []
  const log = createLog((line) => logged.push(line), false)
  const listener = listen(config)
  const secrets = await openSecrets(config, database)
  const own = { config: listener.config, database, clock, secrets, hashCosts: CHEAP_HASHES, ...(meter && { meter }) }
  const parts = { ...own, ...options.replace }
  const deps = createDeps({
    log,
    channels: createChannels(parts),
    files: openFiles(config),
    ...parts,
  })
  listener.serve(createApp(deps), meter && log, meter)
  const jobs = createJobs(deps)
  const url = listener.server.url.origin

  async function request(method: string, path: string, { key, body, headers }: RequestOptions = {}): Promise<Answer> {
    const raw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as BodyInit) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
  }

  /** A tenant with an admin who can own forms, and a key of all scopes. Its calls carry the key. */
  async function createTestTenant(name = 'Acme') {
    const { tenantId, workspaceId } = await database.transaction((tx) => createTenant(tx, { name }, clock.now()))
    const caller = () => commandCaller(tenantId, clock.now())
    const createTestKey = (scopes: readonly string[] = allScopes, expiresAt: string | null = null) =>
      database.transaction((tx) => createKey(tx, caller(), { name: 'test', scopes, expiresAt }))
    const { userId } = await database.transaction((tx) =>
      createUser(tx, caller(), { email: `admin@${tenantId}.test`, role: 'admin', billable: true, passwordHash: '-' }),
    )
    const { key, keyId } = await createTestKey()
    const call = (method: string) => (path: string, body?: unknown, headers?: Record<string, string>) =>
      request(method, path, { key, body, ...(headers ? { headers } : {}) })
    return {
      tenantId,
      workspaceId,
      userId,
      files: deps.files,
      /** Takes a mail, from a server of our own network. */
      receive: (mail: Pick<IncomingMail, 'raw' | 'inbox'>) =>
        receiveMail(deps, { at: clock.now(), envelope: null, connection: null, ...mail }),
      key,
      keyId,
      caller,
      createKey: createTestKey,
      get: call('GET'),
      post: call('POST'),
      put: call('PUT'),
      delete: call('DELETE'),
      /** Does something through operations, as the command line would. */
      perform: <T>(work: (tx: Tx, caller: Caller) => Promise<T>) => database.transaction((tx) => work(tx, caller())),
      /** The tenant's outbox, oldest first. */
      events: async () =>
        (await database.db.select().from(events).where(eq(events.tenantId, tenantId)).orderBy(asc(events.number))).map(
          (row) => ({ ...row, payload: JSON.parse(row.payload) }),
        ),
    }
  }

  return {
    url,
    deps,
    database,
    clock,
    dataDir,
    logged,
    request,
    createTenant: createTestTenant,
    /** Does all that is due by the clock, as the running service would by itself. */
    runDue: () => jobs.runDue(),
    jobs,
    openSockets: () => listener.openSockets,
    async close() {
      await jobs.stop(0)
      await listener.server.stop(true)
      await database.close()
      if (options.dataDir) return
      await dropDatabaseOf(dataDir)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
