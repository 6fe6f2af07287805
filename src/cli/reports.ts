import type { Command } from 'commander'
import { keepFigures } from '../reports/keeping.ts'
import type { Days } from '../reports/period.ts'
import type { Scope } from '../reports/scope.ts'
import { measureTickets } from '../reports/ticket-report.ts'
import { forTenant, noun, type TenantOptions, withTenant } from './command.ts'
import { print } from './print.ts'

/** `report tickets`. */
export function reportCommands(root: Command): void {
  withTenant(noun(root, 'report').command('tickets'))
    .description('how support did in a period, and in as many days before it')
    .requiredOption('--from <date>', 'the first day: 2026-03-01')
    .requiredOption('--to <date>', 'the last day')
    .option('--inbox <inbox>', 'its tickets alone')
    .option('--team <team>', 'a team’s alone; none: those of no team')
    .option('--user <user>', 'a person’s alone, by id or email; none: nobody’s')
    .option('--tag <name>', 'those that hold it')
    .option('--channel <channel>', 'email, livechat or messaging')
    .action(async (options: TenantOptions & Days & Scope) => {
      const report = await forTenant(options, async ({ database }, { tenantId, at }) => {
        await keepFigures(database, tenantId)
        return (await measureTickets(database.db, tenantId, options, options, at)).report
      })
      print(report, options)
    })
}
