import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import { prepared } from '../db/index.ts'
import { noteAnew } from '../db/installation-values.ts'
import { tenants } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { within } from '../lib/concurrency/within.ts'
import { freeBytes, probeFolder } from '../lib/disk/disk.ts'
import { api } from './api.ts'
import type { HttpDeps } from './deps.ts'

/** How long the database may take to answer, in milliseconds. */
const PATIENCE = 5_000
/** For how long an answer stands, in milliseconds: nobody who asks often makes the disk work often. */
const FRESH = 1_000

type Said = string | string[] | null

/** What an administrator should know while all goes on: sentences, or null. Asked at most once a second. */
export type HealthWarning = () => Said | Promise<Said>

type Health = { status: 'ok'; warnings: string[] } | { status: 'failing'; reason: string }

/**
 * `GET /healthz` (decisions §10): 200 when the database can be read, a write reaches the disk and the disk has room,
 * with what `warnings` say; otherwise 503 with the reason.
 */
export function healthRoutes(deps: HttpDeps, warnings: readonly HealthWarning[] = []) {
  const healthOf = sharedLook(deps, warnings)
  return new Elysia().use(api(deps)).get(
    '/healthz',
    async ({ set }) => {
      const health = await healthOf()
      if (health.status === 'failing') set.status = 503
      return health
    },
    { scope: 'public', detail: { hide: true } },
  )
}

/** All who ask within a second share one look, and while one hangs there is no other. */
function sharedLook(deps: HttpDeps, warnings: readonly HealthWarning[]): () => Promise<Health> {
  let answer: Promise<Health> | null = null
  let freshUntil = 0
  let looking: Promise<Health> | null = null
  return () => {
    const now = deps.clock.monotonic()
    if (answer && now < freshUntil) return answer
    freshUntil = now + FRESH
    looking ??= look(deps, warnings).finally(() => {
      looking = null
    })
    answer = withPatience(looking)
    return answer
  }
}

async function withPatience(looking: Promise<Health>): Promise<Health> {
  return (await within(PATIENCE, looking)) ? looking : failing('the database does not answer')
}

const anyRow = prepared((db) => db.select({ one: sql<number>`1` }).from(tenants).limit(1).prepare())

async function look(deps: HttpDeps, warnings: readonly HealthWarning[]): Promise<Health> {
  const { config, database } = deps
  // Any query may have met the damage before: the row read below can be sound all the same.
  const damage = database.damage()
  if (damage !== null) return failing(damage)
  try {
    await anyRow(database.db).execute()
  } catch {
    return failing(database.damage() ?? 'the database cannot be read')
  }
  try {
    await database.transaction(async (tx) => {
      // Another value each time: what is there already would not be written again.
      await noteAnew(tx, 'last_probe', crypto.randomUUID())
    })
    const unwritable = await unwritableIn(deps)
    if (unwritable !== null) return failing(unwritable)
    if ((await freeBytes(config.dataDir)) < config.minFree) {
      return failing(`less than ${config.minFree / 1_000_000} MB are free on the disk: what strangers send is refused`)
    }
  } catch {
    return failing(database.damage() ?? 'nothing can be stored')
  }
  try {
    const said = await Promise.all(warnings.map((warning) => warning()))
    return { status: 'ok', warnings: said.flat().filter((sentence) => sentence !== null) }
  } catch {
    return failing('the database cannot be read')
  }
}

/** Why no file can be written into the data folder, or the store of files, or null. */
async function unwritableIn({ config, files }: Pick<HttpDeps, 'config' | 'files'>): Promise<string | null> {
  for (const [what, probe] of [
    ['nothing can be stored in the data folder', () => probeFolder(config.dataDir)],
    ['no files can be stored', () => files.probe()],
  ] as const) {
    try {
      await probe()
    } catch (error) {
      const { code } = ((error instanceof AppError ? error.cause : error) ?? {}) as { code?: unknown }
      return typeof code === 'string' ? `${what} (${code})` : what
    }
  }
  return null
}

function failing(reason: string): Health {
  return { status: 'failing', reason }
}
