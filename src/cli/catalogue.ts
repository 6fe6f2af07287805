import type { Command } from 'commander'
import { createGroup } from '../groups/operations.ts'
import { createOrganisation } from '../organisations/operations.ts'
import { change, noun, ofTenant, type TenantOptions } from './command.ts'
import { print } from './print.ts'

type NameOptions = TenantOptions & { name: string }

/** `organisation create` and `group create`. */
export function catalogueCommands(root: Command): void {
  ofTenant(noun(root, 'organisation').command('create'))
    .description('create an organisation')
    .requiredOption('--name <name>')
    .option('--domain <domain>', 'contacts with an email of this domain join by themselves')
    .action(async (options: NameOptions & { domain?: string }) => {
      print(await change(options, (tx, caller) => createOrganisation(tx, caller, options)), options)
    })

  ofTenant(noun(root, 'group').command('create'))
    .description('create a group of contacts')
    .requiredOption('--name <name>')
    .option('--consent-wording <text>', 'what people agree to when they join')
    .option('--consent-group-type <type>')
    .action(async (options: NameOptions & { consentWording?: string; consentGroupType?: string }) => {
      print(await change(options, (tx, caller) => createGroup(tx, caller, options)), options)
    })
}
