import { type Command, Option } from 'commander'
import { createGroup } from '../groups/operations.ts'
import { createInbox } from '../inboxes/operations.ts'
import { channels } from '../kinds/inboxes.ts'
import { createOrganisation } from '../organisations/operations.ts'
import { change, noun, type TenantOptions, withTenant } from './command.ts'
import { print } from './print.ts'

type NameOptions = TenantOptions & { name: string }

/** `organisation`, `group` and `inbox create`. */
export function catalogueCommands(root: Command): void {
  withTenant(noun(root, 'organisation').command('create'))
    .description('create an organisation')
    .requiredOption('--name <name>')
    .option('--domain <domain>', 'contacts with an email of this domain join by themselves')
    .action(async (options: NameOptions & { domain?: string }) => {
      print(await change(options, (tx, caller) => createOrganisation(tx, caller, options)), options)
    })

  withTenant(noun(root, 'group').command('create'))
    .description('create a group of contacts')
    .requiredOption('--name <name>')
    .option('--consent-wording <text>', 'what people agree to when they join')
    .option('--consent-group-type <type>')
    .action(async (options: NameOptions & { consentWording?: string; consentGroupType?: string }) => {
      print(await change(options, (tx, caller) => createGroup(tx, caller, options)), options)
    })

  withTenant(noun(root, 'inbox').command('create'))
    .description('create an inbox')
    .requiredOption('--name <name>')
    .addOption(new Option('--channel <channel>').choices(channels).makeOptionMandatory())
    .option('--address <email>', 'the address of an email inbox')
    .action(async (options: NameOptions & { channel: string; address?: string }) => {
      const { name, channel, address: emailAddress } = options
      print(await change(options, (tx, caller) => createInbox(tx, caller, { name, channel, emailAddress })), options)
    })
}
