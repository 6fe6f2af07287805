import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { audit } from '../audit/record.ts'
import { lockForService } from '../db/index.ts'
import { UserError } from '../errors.ts'
import { openFiles } from '../files/index.ts'
import { confirmInstallation } from '../installation/confirm.ts'
import type { LeftToDo } from '../leaving/arrival.ts'
import type { Imported } from '../leaving/import.ts'
import { nowAndThen } from '../leaving/progress.ts'
import { systemClock } from '../lib/clock.ts'
import { makeFolder } from '../lib/disk/durable.ts'
import { nameOfTenant } from '../tenants/operations.ts'
import {
  configOf,
  forTenant,
  noun,
  printsRecord,
  type RecordOptions,
  type TenantOptions,
  withDatabase,
  withTenant,
} from './command.ts'
import { display, print, say, warn } from './print.ts'

/** `tenant export`, `tenant import` and `tenant delete`. */
export function leavingCommands(root: Command): void {
  withTenant(noun(root, 'tenant').command('export'))
    .description(
      'write all of a tenant into one tar, without keys, passwords and secrets, while the service may be running',
    )
    .argument('<file>')
    .action(async (file: string, options: TenantOptions) => {
      const { exportTenant } = await import('../leaving/export.ts')
      const { missing, ...exported } = await forTenant(options, async ({ config, database }, caller) => {
        const { tenantId } = caller
        await database.transaction((tx) => audit(tx, caller, 'tenant.exported', tenantId))
        const dataDir = existsSync(config.dataDir) ? config.dataDir : null
        const where = { database, files: openFiles(config), dataDir }
        return exportTenant(where, tenantId, file, systemClock.now(), nowAndThen(warn, systemClock))
      })
      print({ file, ...exported }, options)
      for (const name of missing) warn(`${name} is missing in the store: the export is without it`)
    })

  printsRecord(noun(root, 'tenant').command('import'))
    .alias('move')
    .description('take in a tenant that `tenant export` wrote, from this or another installation, under all its ids')
    .argument('<file>')
    .action(async (file: string, options: RecordOptions) => {
      const { importTenant } = await import('../leaving/import.ts')
      const config = configOf(options)
      const imported = await withDatabase(options, async (database) => {
        const files = openFiles(config)
        // With the database elsewhere there may be no folder yet.
        makeFolder(config.dataDir)
        // Before any file of the tenant is stored: a store that has some and no mark would look like somebody else's.
        await confirmInstallation(config, database, files)
        const keepAway = (records: number) => {
          try {
            return lockForService(config)
          } catch (error) {
            const why = `${records} records keep whoever else writes waiting for too long: stop the service for it`
            throw error instanceof UserError ? new UserError(`${error.message}: ${why}`) : error
          }
        }
        return importTenant({ database, files, keepAway }, file, systemClock.now(), nowAndThen(warn, systemClock))
      })
      if (options.json) print(imported, options)
      else describe(imported)
      for (const place of imported.missing) warn(`${place} is missing in the export: its record is here without it`)
      for (const place of imported.damaged)
        warn(`${place} is not the file that its record names: it was damaged before`)
    })

  printsRecord(noun(root, 'tenant').command('delete'))
    .description('delete a tenant with everything, for good; interrupted, it goes on when called again')
    .requiredOption('--tenant <id>')
    .option('--yes', 'without it nothing happens')
    .action(async (options: TenantOptions & { yes?: boolean }) => {
      const { deleteTenant } = await import('../leaving/deletion.ts')
      const gone = await forTenant(options, async ({ config, database }, { tenantId }) => {
        const name = await nameOfTenant(database.db, tenantId)
        if (!options.yes) {
          throw new UserError(`--yes: is needed, since this deletes everything of ${name} for good: export it first`)
        }
        return { tenantId, name, ...(await deleteTenant({ database, files: openFiles(config) }, tenantId)) }
      })
      print(gone, options)
    })
}

function describe({ tenantId, name, records, files, ...left }: Imported): void {
  print({ tenantId, name, records, files }, {})
  const lines = [...linesOf(left)]
  if (lines.length > 0) say(`\nLeft to do:\n${lines.map((line) => `- ${line}`).join('\n')}`)
}

/** What people have to do themselves now. Names are those that the export says, as are the ids. */
function* linesOf({ people, elsewhere, webhooks, sources, mailboxes, visitors, partials, replies }: LeftToDo) {
  const shown = (values: readonly string[]) => values.map(display).join(', ')
  yield 'API keys: make new ones (frontdesk key create); programs that go through the event log begin anew'
  if (people > 0)
    yield `people (${people}): each chooses a password by “Forgot password?”, and sets up a second factor again; an identity provider lets them in as before`
  if (elsewhere.length > 0)
    yield `addresses that sign in to another company here, and not to this one: ${shown(elsewhere)}`
  if (webhooks.length > 0)
    yield `webhooks that are switched off until they have a secret again: ${shown(webhooks.map(({ id, name }) => `${name} (${id})`))}`
  if (mailboxes.length > 0) yield `mailboxes to connect anew, by the inboxes they belong to: ${shown(mailboxes)}`
  if (sources.length > 0) yield `chats that need a new secret for who is signed in on their sites: ${shown(sources)}`
  if (replies > 0) yield `replies that were still to be sent (${replies}): they are marked as failed, send them again`
  if (partials > 0) yield `unfinished responses (${partials}): they are kept, and nobody can go on with them`
  if (visitors > 0)
    yield `visitors of chats (${visitors}): whoever comes again begins a new chat; the old ones are kept`
}
