import type { Command } from 'commander'
import { commandCallerAs } from '../../caller.ts'
import { createChannels } from '../../channels/index.ts'
import type { Database } from '../../db/index.ts'
import { openFiles } from '../../files/index.ts'
import { openSecretsBeside } from '../../installation/secret-key.ts'
import { systemClock } from '../../lib/clock.ts'
import { createLog, type LogFields } from '../../lib/log/log.ts'
import { ticketIdOf } from '../../tickets/read.ts'
import { reply } from '../../tickets/replies/operations.ts'
import { getProfile } from '../../users/profile.ts'
import { administratorFor, configOf, noun, type TenantOptions, withExistingDatabase, withTenant } from '../command.ts'
import { print } from '../print.ts'
import { TICKET } from './tickets.ts'

interface ReplyOptions extends TenantOptions {
  ticket: string
  as: string
  text: string
}

/** `ticket reply`. */
export function ticketReplyCommands(root: Command): void {
  withTenant(noun(root, 'ticket').command('reply'))
    .description("answer a customer on the ticket's own channel")
    .requiredOption(...TICKET)
    .requiredOption('--as <user>', 'who answers: the id or email address of a user')
    .requiredOption('--text <text>')
    .action(async (options: ReplyOptions) => {
      const messageId = await withExistingDatabase(options, (database) => sendAs(database, options))
      print({ messageId }, options)
    })
}

async function sendAs(database: Database, options: ReplyOptions): Promise<string> {
  const config = configOf(options)
  const { tenantId, at } = await administratorFor(database.db, options)
  const user = await getProfile(database.db, tenantId, options.as)
  const ticketId = await ticketIdOf(database.db, tenantId, options.ticket)
  const basis = { config, database, clock: systemClock, secrets: await openSecretsBeside(config, database) }
  const deps = {
    ...basis,
    channels: createChannels(basis),
    files: openFiles(config),
    // What could not be sent is said by the error that ends the command.
    log: {
      ...createLog(() => {}, false),
      warn: (message: string, { why = '' }: LogFields = {}) => {
        process.stderr.write(`frontdesk: ${[message, why].filter(Boolean).join(': ')}\n`)
      },
    },
  }
  const { id } = await reply(deps, commandCallerAs(tenantId, user, at), ticketId, { text: options.text })
  return id
}
