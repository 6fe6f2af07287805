import { type Command, Option } from 'commander'
import type { Caller } from '../../caller.ts'
import { deleteInbox } from '../../channels/email/inbox-deletion.ts'
import { tryAndConnect } from '../../channels/email/mailboxes/connecting.ts'
import { type Connection, disconnectMailbox, listConnections } from '../../channels/email/mailboxes/operations.ts'
import { parseServerUrl } from '../../channels/email/mailboxes/server-url.ts'
import { loadConfig } from '../../config.ts'
import { invalid, rule, UserError } from '../../errors.ts'
import { archiveInbox, listInboxes, restoreInbox, updateInbox } from '../../inboxes/operations.ts'
import { openSecretsBeside } from '../../installation/secret-key.ts'
import { type MailProvider, mailProviders } from '../../kinds/mailboxes.ts'
import { systemClock } from '../../lib/clock.ts'
import { parseTime } from '../../lib/time.ts'
import { changeAutomaticAnswers } from '../../tickets/automatic/settings.ts'
import {
  administratorFor,
  change,
  look,
  noun,
  readSecret,
  type TenantOptions,
  withExistingDatabase,
  withTenant,
} from '../command.ts'
import { print } from '../print.ts'

interface InboxOptions extends TenantOptions {
  inbox: string
  name?: string
  address?: string
  acknowledgement?: string
  outOfHours?: string
  hours?: string
}

interface ConnectOptions extends TenantOptions {
  inbox: string
  imap: string
  smtp: string
  passwordStdin?: boolean
  oauth?: MailProvider
  refreshTokenStdin?: boolean
  all?: boolean
  since?: string
}

/** `inbox update`, `answers`, `archive`, `restore`, `delete`, `connect`, `disconnect` and `list`. */
export function inboxCommands(root: Command): void {
  const inbox = noun(root, 'inbox')

  keepingCommands(inbox)

  withTenant(inbox.command('connect'))
    .description('connect an email inbox to its mailbox, once both servers have been tried')
    .requiredOption('--inbox <id>', 'an email inbox')
    .requiredOption('--imap <url>', 'imaps://user@host:993; imap:// for STARTTLS')
    .requiredOption('--smtp <url>', 'smtp://user@host:587 for STARTTLS; smtps://')
    .option('--password-stdin', 'read the password from standard input')
    .addOption(new Option('--oauth <provider>', 'sign in by OAuth 2 instead').choices(mailProviders))
    .option('--refresh-token-stdin', 'with --oauth: read the refresh token from standard input')
    .option('--all', 'take all mails that lie there already')
    .addOption(new Option('--since <date-time>', 'take those that arrived since (RFC 3339)').conflicts('all'))
    .action(async (options: ConnectOptions) => print(await connect(options), options))

  withTenant(inbox.command('disconnect'))
    .description('let go of the mailbox of an inbox, and forget its password')
    .requiredOption('--inbox <id>')
    .action(async (options: TenantOptions & { inbox: string }) => {
      await change(options, (tx, caller) => disconnectMailbox(tx, caller, options.inbox))
      print({ inboxId: options.inbox.toLowerCase(), connection: null }, options)
    })

  withTenant(inbox.command('list'))
    .description('list all inboxes, newest first, and how the mailboxes of email inboxes are connected')
    .action(async (options: TenantOptions) => {
      const [inboxes, connections] = await look(options, (db, tenantId) =>
        Promise.all([listInboxes(db, tenantId), listConnections(db, tenantId)]),
      )
      const shown = (connection: Connection | undefined) => {
        if (!connection) return null
        return options.json ? connection : inWords(connection)
      }
      print(
        inboxes.map((one) => ({ ...one, connection: shown(connections.get(one.id)) })),
        options,
      )
    })
}

/** What an inbox is called, and whether it is in use. */
function keepingCommands(inbox: Command): void {
  const about = (name: string, description: string) =>
    withTenant(inbox.command(name)).description(description).requiredOption('--inbox <id>')
  about('update', 'rename an inbox, or give it another address')
    .option('--name <name>')
    .option('--address <email>', 'mail to the address before is refused from then on')
    .action(async ({ address: emailAddress, ...options }: InboxOptions) => {
      const { name } = options
      print(
        await change(options, (tx, caller) => updateInbox(tx, caller, options.inbox, { name, emailAddress })),
        options,
      )
    })
  about(
    'answers',
    'say what an email inbox answers by itself; an option left out keeps its value, an empty one clears it',
  )
    .option('--acknowledgement <text>', 'to new mails, once a sender in 24 hours')
    .option('--out-of-hours <text>', 'to mails out of the hours, instead')
    .option('--hours <hours>', 'when somebody is there: "Mon-Fri 09:00-17:00 Europe/Berlin"')
    .action(async (options: InboxOptions) => {
      const { acknowledgement, outOfHours, hours } = options
      const changes = {
        ...(acknowledgement === undefined ? {} : { acknowledgement, acknowledges: acknowledgement !== '' }),
        ...(outOfHours === undefined ? {} : { outOfHours, answersOutOfHours: outOfHours !== '' }),
        ...(hours === undefined ? {} : { hours: hours || null }),
      }
      print(await change(options, (tx, caller) => changeAutomaticAnswers(tx, caller, options.inbox, changes)), options)
    })
  about('archive', 'retire an inbox: mail to it is refused, its tickets stay').action(async (options: InboxOptions) =>
    print(await change(options, (tx, caller) => archiveInbox(tx, caller, options.inbox)), options),
  )
  about('restore', 'put an archived inbox into use again').action(async (options: InboxOptions) =>
    print(await change(options, (tx, caller) => restoreInbox(tx, caller, options.inbox)), options),
  )
  about('delete', 'delete an inbox that holds nothing').action(async (options: InboxOptions) => {
    await change(options, (tx, caller) => deleteInbox(tx, caller, options.inbox))
    print({ inboxId: options.inbox.toLowerCase() }, options)
  })
}

async function connect(options: ConnectOptions): Promise<{ inboxId: string; connection: Connection | string }> {
  const { oauth: provider = null } = options
  const imap = parseServerUrl('imap', options.imap)
  const smtp = parseServerUrl('smtp', options.smtp)
  const inboxId = options.inbox.toLowerCase()
  const old = options.all ? 'all' : readSince(options.since)
  const secret = await readCredential(options)
  const connection = await withExistingDatabase(options, async (database) => {
    const config = loadConfig(process.env, { dataDir: options.data })
    const caller: Caller = await administratorFor(database.db, options)
    const secrets = await openSecretsBeside(config, database)
    const deps = { config, database, secrets, clock: systemClock }
    return tryAndConnect(deps, caller, { inboxId, imap, smtp, provider, secret, old })
  })
  return { inboxId, connection: options.json ? connection : inWords(connection) }
}

function inWords({ state, error, since }: Connection): string {
  return `${state} since ${since}${error === null ? '' : `: ${error}`}`
}

async function readCredential({ oauth, passwordStdin, refreshTokenStdin }: ConnectOptions): Promise<string> {
  const wanted = oauth ? '--refresh-token-stdin' : '--password-stdin'
  if (!(oauth ? refreshTokenStdin : passwordStdin))
    throw new UserError(`${wanted}: is needed${oauth ? ' with --oauth' : ''}`)
  const secret = await readSecret(wanted)
  if (secret === '') throw new UserError(`${wanted}: nothing was piped in`)
  return secret
}

function readSince(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (!time) throw invalid('since', rule('date_time_such_as', { example: '2027-01-31T00:00:00Z' }))
  return time
}
