import { isatty } from 'node:tty'
import { type Command, Option } from 'commander'
import { isKeyed } from '../audit/carry-over.ts'
import { linkAllEntries } from '../audit/chain.ts'
import { chainKeyOf } from '../audit/key.ts'
import { backUpBeforeMigration } from '../backup/before-migration.ts'
import type { Caller } from '../caller.ts'
import { type Config, loadConfig } from '../config.ts'
import { type Database, openBeside, type Reader, type Tx } from '../db/index.ts'
import { UserError } from '../errors.ts'
import { confirmBeside, confirmFolder } from '../installation/confirm.ts'
import { availableSecrets, knownFingerprint } from '../installation/secret-key.ts'
import { systemClock } from '../lib/clock.ts'
import { administratorOf, listTenants } from '../tenants/operations.ts'
import { besideService } from './address.ts'
import { display } from './print.ts'

/** How many tenants an error names, of which one is to be chosen. */
const TENANTS_NAMED = 10

export interface DataOptions {
  data?: string
}

/** What every command that prints a record takes. */
export interface RecordOptions extends DataOptions {
  json?: boolean
}

export interface TenantOptions extends RecordOptions {
  tenant?: string
}

const nouns = {
  tenant: 'companies, each with data of its own',
  user: 'people who can sign in',
  key: 'API keys',
  workspace: 'folders of forms',
  organisation: 'companies that contacts belong to',
  group: 'groups of contacts',
  inbox: 'where tickets come in',
  source: 'sources of articles for live chat, and their chats',
  ticket: 'what customers ask, and what is done about it',
  tag: 'words that sort tickets',
  rule: 'what happens by itself when something has happened',
  team: 'people whom tickets are handed to together',
  calendar: 'when people work',
  promise: 'what customers are promised: by when they are answered',
  mail: 'mail that comes in',
  report: 'how support does',
  form: 'publish, close and trash forms, and their settings',
  webhook: 'subscriptions to events',
  retention: 'for how long what is kept',
}

/** `frontdesk NOUN …`: the group of commands about one kind of thing, made on first mention. */
export function noun(root: Command, name: keyof typeof nouns): Command {
  return root.commands.find((command) => command.name() === name) ?? root.command(name).description(nouns[name])
}

/** Takes an option's value apart at its commas: `--tags billing,VIP`. */
export const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** An option of an earlier version, which still works and is no longer offered. */
export const earlierOption = (flags: string): Option => new Option(flags).hideHelp()

export function withData(command: Command): Command {
  return command.option('--data <dir>', 'data folder (FRONTDESK_DATA, ./data)')
}

/** A command that prints a record. */
export function printsRecord(command: Command): Command {
  return withData(command).option('--json', 'print JSON')
}

/** A command about one tenant that prints a record. */
export function withTenant(command: Command): Command {
  return printsRecord(command.option('--tenant <id>', 'the tenant; may be left out while there is only one'))
}

/** Opens the database, which another process may be serving, for as long as `work` takes. */
export function withDatabase<T>(options: DataOptions, work: (database: Database) => Promise<T>): Promise<T> {
  return opened(options, {}, work)
}

/** As `withDatabase`, for data that has to be there: a mistyped folder must not be made. */
export function withExistingDatabase<T>(options: DataOptions, work: (database: Database) => Promise<T>): Promise<T> {
  return opened(options, { existing: true }, work)
}

async function opened<T>(
  options: DataOptions,
  which: { existing?: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const config = loadConfig(process.env, { dataDir: options.data })
  await confirmFolder(config)
  await backUpBeforeMigration(config, systemClock.now())
  const database = await openBeside(config, which)
  try {
    await confirmBeside(config, database)
    const result = await work(database)
    await linkOwnEntries(config, database)
    return result
  } finally {
    await database.close()
  }
}

/** Without the key, or before the first start with this version, that is left to the service. */
async function linkOwnEntries(config: Config, database: Database): Promise<void> {
  const secrets = availableSecrets(config, await knownFingerprint(database.db))
  if (secrets && (await isKeyed(database.db))) await linkAllEntries(database, chainKeyOf(secrets))
}

/** What a command is configured with; links lead to the service that runs on its data folder, if one does. */
export function configOf({ data }: DataOptions): Config {
  return besideService(loadConfig(process.env, { dataDir: data }))
}

/** Changes something on a tenant's behalf, in one transaction. */
export async function change<T>(options: TenantOptions, work: (tx: Tx, caller: Caller) => Promise<T>): Promise<T> {
  return withExistingDatabase(options, async ({ db, transaction }) => {
    const caller = await administratorFor(db, options)
    return transaction((tx) => work(tx, caller))
  })
}

/** Reads something of a tenant. */
export async function look<T>(options: TenantOptions, work: (db: Reader, tenantId: string) => Promise<T>): Promise<T> {
  return withExistingDatabase(options, async ({ db }) => {
    const { tenantId } = await administratorFor(db, options)
    return work(db, tenantId)
  })
}

/** Does something of a tenant that needs more than a transaction. */
export async function forTenant<T>(
  options: TenantOptions,
  work: (parts: { config: Config; database: Database }, caller: Caller) => Promise<T>,
): Promise<T> {
  const config = configOf(options)
  return withExistingDatabase(options, async (database) =>
    work({ config, database }, await administratorFor(database.db, options)),
  )
}

/** What was piped in for `option`, without the line's end that `echo` puts behind it. Throws UserError at a terminal. */
export async function readSecret(option: string): Promise<string> {
  if (isatty(0)) throw new UserError(`${option}: pipe it in: typed here, it would show on the screen`)
  return (await Bun.stdin.text()).replace(/\r?\n$/, '')
}

/** On behalf of the tenant that is named, or of the only one there is. */
export async function administratorFor(db: Reader, { tenant }: TenantOptions): Promise<Caller> {
  return administratorOf(db, tenant ?? (await onlyTenant(db)), systemClock.now())
}

async function onlyTenant(db: Reader): Promise<string> {
  const tenants = await listTenants(db)
  const [first, ...others] = tenants
  if (!first)
    throw new UserError('there is no tenant yet: create a tenant first, with `frontdesk tenant create --name NAME`')
  if (others.length === 0) return first.tenantId
  const shown = tenants.slice(0, TENANTS_NAMED).map(({ tenantId, name }) => `${tenantId} (${display(name)})`)
  const rest = tenants.length > TENANTS_NAMED ? ', and more: see `frontdesk tenant list`' : ''
  throw new UserError(`--tenant: is needed, since there are ${tenants.length} tenants: ${shown.join(', ')}${rest}`)
}
