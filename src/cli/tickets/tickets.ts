import type { Command } from 'commander'
import { openTicket } from '../../tickets/incoming/opening.ts'
import { ticketIdOf } from '../../tickets/read.ts'
import { setTags } from '../../tickets/tagging.ts'
import { addNote } from '../../tickets/thread/notes.ts'
import { change, commaSeparated, earlierOption, noun, type TenantOptions, withTenant } from '../command.ts'
import { print } from '../print.ts'

/** How commands name the ticket they are about. */
export const TICKET = ['--ticket <ticket>', 'its reference (T-1042) or id'] as const

interface CreateOptions extends TenantOptions {
  inbox: string
  email: string
  name?: string
  subject: string
  text: string
  tags?: string[]
  tag?: string[]
}

/** `ticket create` and `ticket note`. */
export function ticketCommands(root: Command): void {
  const ticket = noun(root, 'ticket')

  withTenant(ticket.command('create'))
    .description("create a ticket as if the customer's message had come in on the inbox's channel")
    .requiredOption('--inbox <id>')
    .requiredOption('--email <address>', "the customer's address")
    .option('--name <name>', "the customer's name")
    .requiredOption('--subject <subject>')
    .requiredOption('--text <text>', 'the message')
    .option('--tags <names>', 'its tags, with commas between', commaSeparated)
    .addOption(earlierOption('--tag <name...>'))
    .action(async ({ inbox: inboxId, tags, tag = [], ...options }: CreateOptions) => {
      const named = tags ?? tag
      const made = await change(options, async (tx, caller) => {
        const ticket = await openTicket(tx, caller, { ...options, inboxId })
        return named.length > 0 ? setTags(tx, caller, ticket.id, named) : ticket
      })
      print({ id: made.id, ticketId: made.id, ticketReference: made.ticketReference }, options)
    })

  withTenant(ticket.command('note'))
    .description('add an internal note')
    .requiredOption(...TICKET)
    .requiredOption('--text <text>')
    .action(async (options: TenantOptions & { ticket: string; text: string }) => {
      const messageId = await change(options, async (tx, caller) =>
        addNote(tx, caller, await ticketIdOf(tx, caller.tenantId, options.ticket), options),
      )
      print({ messageId }, options)
    })
}
