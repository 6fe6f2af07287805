import type { Command } from 'commander'
import { openFiles } from '../files/index.ts'
import { availableSecrets, knownFingerprint } from '../installation/secret-key.ts'
import { retentionRules } from '../kinds/retention.ts'
import { systemClock } from '../lib/clock.ts'
import { createLog } from '../lib/log/log.ts'
import { apply } from '../retention/applying.ts'
import { countOld } from '../retention/counting.ts'
import { readDays, readRule, setRetention } from '../retention/operations.ts'
import { retentionOf } from '../tenants/retention.ts'
import { forTenant, look, noun, type TenantOptions, withTenant } from './command.ts'
import { print } from './print.ts'

interface SetOptions extends TenantOptions {
  rule: string
  days: string
}

/** `retention show` and `set`. */
export function retentionCommands(root: Command): void {
  const retention = noun(root, 'retention')

  withTenant(retention.command('show'))
    .description('for how many days what is kept; nothing: for good')
    .action(async (options: TenantOptions) => print(await look(options, retentionOf), options))

  withTenant(retention.command('set'))
    .description('keep something for so many days and delete what is older, at once, at every start and hourly')
    .requiredOption('--rule <name>', retentionRules.join(', '))
    .requiredOption('--days <days>', 'a number, or off: for good')
    .action(async (options: SetOptions) => {
      const kept = { rule: readRule(options.rule), days: readDays(options.days) }
      const count = await forTenant(options, async ({ config, database }, caller) => {
        const { tenantId } = caller
        const goes = await countOld(database.db, tenantId, kept, systemClock.now())
        await database.transaction((tx) => setRetention(tx, caller, kept))
        // The audit log without its key at hand is left to the service, as is all of it where this is killed.
        const secrets = availableSecrets(config, await knownFingerprint(database.db))
        if (kept.rule === 'audit' && !secrets) return goes
        const parts = {
          database,
          secrets,
          clock: systemClock,
          files: openFiles(config),
          log: createLog(() => {}, false),
        }
        for await (const _ of apply(parts, { tenantId, rule: kept.rule }));
        return goes
      })
      print({ ...kept, count }, options)
    })
}
