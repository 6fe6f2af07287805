import type { Command } from 'commander'
import { createSource, getSource } from '../../articles/sources.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { openSecretsBeside } from '../../installation/secret-key.ts'
import { type ChatSettingsChanges, changeChatSettings, renewChatSecret } from '../../livechat/settings.ts'
import type { Secrets } from '../../secrets/seal.ts'
import { change, forTenant, noun, type TenantOptions, withTenant } from '../command.ts'
import { print } from '../print.ts'

/** As they were typed: an empty one clears, and one that is left out is undefined. */
interface ChatOptions extends TenantOptions {
  origins?: string
  hours?: string
  emailInbox?: string
  away?: string
  hideWhenAway?: boolean
  accent?: string
  language?: string
}

/** `source create`, `source update` and `source secret`. */
export function sourceCommands(root: Command): void {
  const source = noun(root, 'source')

  withChatOptions(source.command('create'))
    .description('create a source of articles for a live-chat inbox, and print the secret of its chat this once')
    .requiredOption('--name <name>')
    .requiredOption('--inbox <id>', 'a live-chat inbox')
    .action(async (options: ChatOptions & { name: string; inbox: string }) => {
      const { name, inbox: inboxId } = options
      const made = await changeWithSecrets(options, async (tx, caller, secrets) => {
        const created = await createSource(tx, caller, { name, inboxId })
        const settings = await changeChatSettings(tx, caller, created.id, changesOf(options))
        return { ...created, ...settings, secret: await renewChatSecret(tx, caller, created.id, secrets) }
      })
      print(made, options)
    })

  withChatOptions(source.command('update'))
    .description('change the settings of a chat that are named, and print all; an empty option clears its setting')
    .requiredOption('--source <id>')
    .action(async (options: ChatOptions & { source: string }) => {
      const updated = await change(options, async (tx, caller) => {
        const settings = await changeChatSettings(tx, caller, options.source, changesOf(options))
        return { ...(await getSource(tx, caller.tenantId, options.source.toLowerCase())), ...settings }
      })
      print(updated, options)
    })

  withTenant(source.command('secret'))
    .description('make a new secret to sign identities with, and print it this once: the one before ends')
    .requiredOption('--source <id>')
    .action(async (options: TenantOptions & { source: string }) => {
      const secret = await changeWithSecrets(options, (tx, caller, secrets) =>
        renewChatSecret(tx, caller, options.source, secrets),
      )
      print({ id: options.source.toLowerCase(), secret }, options)
    })
}

function withChatOptions(command: Command): Command {
  return withTenant(command)
    .option('--origins <sites>', 'which may show the chat, with commas between: https://www.acme.test (any)')
    .option('--hours <hours>', 'when somebody is there: "Mon-Fri 09:00-17:00 Europe/Berlin" (always)')
    .option('--email-inbox <id>', 'from which answers are mailed to visitors who left (the oldest email inbox)')
    .option('--away <text>', 'what visitors read while nobody is there')
    .option('--hide-when-away', 'show no button while nobody is there')
    .option('--no-hide-when-away', 'show the button at any time')
    .option('--accent <#rrggbb>', 'colour')
    .option('--language <tag>', 'of the chat: de, pt-BR (the tenant’s)')
}

function changesOf(options: ChatOptions): ChatSettingsChanges {
  const { origins, hours, emailInbox, away, hideWhenAway, accent, language } = options
  const typed = (text: string | undefined) => (text?.trim() === '' ? null : text)
  return {
    origins: typed(origins)?.split(',') ?? typed(origins),
    hours: typed(hours),
    emailInboxId: typed(emailInbox),
    awayText: typed(away),
    hidesWhenAway: hideWhenAway,
    accent: typed(accent),
    language: typed(language),
  }
}

/** As `change`, for what has to be sealed. */
function changeWithSecrets<T>(
  options: TenantOptions,
  work: (tx: Tx, caller: Caller, secrets: Secrets) => Promise<T>,
): Promise<T> {
  return forTenant(options, async ({ config, database }, caller) => {
    const secrets = await openSecretsBeside(config, database)
    return database.transaction((tx) => work(tx, caller, secrets))
  })
}
