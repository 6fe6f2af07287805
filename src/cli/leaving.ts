import type { Command } from 'commander'
import { audit } from '../audit/record.ts'
import { UserError } from '../errors.ts'
import { openFiles } from '../files/index.ts'
import { systemClock } from '../lib/clock.ts'
import { getTenantSettings, nameOfTenant } from '../tenants/operations.ts'
import { forTenant, noun, printsRecord, type TenantOptions, withTenant } from './command.ts'
import { print, warn } from './print.ts'

/** `tenant export` and `tenant delete`. */
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
        const tenant = { tenantId, ...(await getTenantSettings(database.db, tenantId)) }
        await database.transaction((tx) => audit(tx, caller, 'tenant.exported', tenantId))
        return exportTenant({ db: database.db, files: openFiles(config) }, tenant, file, systemClock.now())
      })
      print({ file, ...exported }, options)
      for (const name of missing) warn(`${name} is missing in the store: the export is without it`)
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
