import type { Command } from 'commander'
import { loadConfig } from '../config.ts'
import { type Database, openBeside, type Reader, type Tx } from '../db/index.ts'
import type { Caller } from '../deps.ts'
import { systemClock } from '../lib/clock.ts'
import { administratorOf } from '../tenants/operations.ts'

export interface DataOptions {
  data?: string
}

/** What every command that prints a record takes. */
export interface RecordOptions extends DataOptions {
  json?: boolean
}

export interface TenantOptions extends RecordOptions {
  tenant: string
}

/** `frontdesk NOUN …`: the group of commands about one kind of thing, made on first mention. */
export function noun(root: Command, name: string): Command {
  return root.commands.find((command) => command.name() === name) ?? root.command(name).description(`${name} commands`)
}

export function withData(command: Command): Command {
  return command.option('--data <dir>', 'data folder (FRONTDESK_DATA, ./data)')
}

/** A command that prints a record. */
export function printsRecord(command: Command): Command {
  return withData(command).option('--json', 'print JSON')
}

/** A command about one tenant that prints a record. */
export function ofTenant(command: Command): Command {
  return printsRecord(command.requiredOption('--tenant <id>', 'the tenant'))
}

/** Opens the database, which another process may be serving, for as long as `work` takes. */
export function withDatabase<T>(options: DataOptions, work: (database: Database) => Promise<T>): Promise<T> {
  return opened(options, {}, work)
}

/** As `withDatabase`, for data that has to be there: a mistyped folder must not be made. */
function withExistingDatabase<T>(options: DataOptions, work: (database: Database) => Promise<T>): Promise<T> {
  return opened(options, { existing: true }, work)
}

async function opened<T>(
  options: DataOptions,
  which: { existing?: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openBeside(loadConfig(process.env, { dataDir: options.data }), which)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Changes something on a tenant's behalf, in one transaction. */
export async function change<T>(options: TenantOptions, work: (tx: Tx, caller: Caller) => Promise<T>): Promise<T> {
  return withExistingDatabase(options, async ({ db, transaction }) => {
    const caller = await administratorOf(db, options.tenant, systemClock.now())
    return transaction((tx) => work(tx, caller))
  })
}

/** Reads something of a tenant. */
export async function look<T>(options: TenantOptions, work: (db: Reader, tenantId: string) => Promise<T>): Promise<T> {
  return withExistingDatabase(options, async ({ db }) => {
    const { tenantId } = await administratorOf(db, options.tenant, systemClock.now())
    return work(db, tenantId)
  })
}
