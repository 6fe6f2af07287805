import { type Command, Option } from 'commander'
import type { Caller } from '../../caller.ts'
import { loadConfig } from '../../config.ts'
import type { Tx } from '../../db/index.ts'
import { UserError } from '../../errors.ts'
import { openFiles } from '../../files/index.ts'
import { priorities, ticketStatuses } from '../../kinds/tickets.ts'
import { teamNamed } from '../../teams/read.ts'
import { assignTicket, setPriority } from '../../tickets/assignment.ts'
import { deleteTicket } from '../../tickets/deletion/deletion.ts'
import { mergeTickets, undoMerge } from '../../tickets/merging/operations.ts'
import { splitMessage } from '../../tickets/merging/splitting.ts'
import type { Ticket } from '../../tickets/model.ts'
import { ticketIdOf } from '../../tickets/read.ts'
import { setStatus } from '../../tickets/status.ts'
import { changeTags, setTags } from '../../tickets/tagging.ts'
import { getProfile } from '../../users/profile.ts'
import { change, commaSeparated, earlierOption, noun, type TenantOptions, withTenant } from '../command.ts'
import { print } from '../print.ts'
import { TICKET } from './tickets.ts'

interface TicketOptions extends TenantOptions {
  ticket: string
}

interface AssignOptions extends TicketOptions {
  user?: string
  to?: string
  team?: string
  nobody?: boolean
}

/** `ticket status`, `priority`, `assign`, `tag`, `merge`, `split` and `delete`. */
export function ticketWorkCommands(root: Command): void {
  const ticket = noun(root, 'ticket')
  const about = (name: string, description: string) =>
    withTenant(ticket.command(name))
      .description(description)
      .requiredOption(...TICKET)

  about('status', 'open, close or snooze a ticket, or say whether it is spam')
    .addOption(new Option('--status <status>').choices(ticketStatuses).makeOptionMandatory())
    .option('--snoozed-until <date-time>', 'it opens by itself at this time')
    .action(async (options: TicketOptions & { status: Ticket['status']; snoozedUntil?: string }) =>
      show(await work(options, (tx, caller, id) => setStatus(tx, caller, id, options)), options),
    )

  about('priority', 'say how urgent a ticket is')
    .addOption(new Option('--priority <priority>').choices(priorities).makeOptionMandatory())
    .action(async (options: TicketOptions & { priority: string }) =>
      show(await work(options, (tx, caller, id) => setPriority(tx, caller, id, options.priority)), options),
    )

  about('assign', 'say who looks after a ticket')
    .option('--user <user>', 'the id or email address of a user')
    .option('--team <team>', 'the name or id of a team; empty for none')
    .option('--nobody', 'leave it to nobody; the team stays')
    .addOption(earlierOption('--to <user>'))
    .action(async (options: AssignOptions) => {
      const { team, nobody = false } = options
      const user = options.user ?? options.to
      if (nobody && user !== undefined) throw new UserError('either --user or --nobody is needed')
      if (!nobody && user === undefined && team === undefined) {
        throw new UserError('--user, --team or --nobody is needed')
      }
      const assigned = await work(options, async (tx, caller, ticketId) => {
        const { tenantId } = caller
        const { assignee, ...ticket } = await assignTicket(tx, caller, ticketId, {
          userId: nobody || user === '' ? null : user && (await getProfile(tx, tenantId, user)).userId,
          teamId: team === '' ? null : team && (await teamNamed(tx, tenantId, team)).id,
        })
        return { ticketId, assigneeId: assignee?.id ?? null, teamId: ticket.team?.id ?? null }
      })
      print(assigned, options)
    })

  about('tag', 'add tags to a ticket, or take them away')
    .option('--add <names>', 'with commas between', commaSeparated)
    .option('--remove <names>', 'with commas between', commaSeparated)
    .addOption(earlierOption('--tag <name...>'))
    .action(async (options: TicketOptions & { add?: string[]; remove?: string[]; tag?: string[] }) => {
      const { add, remove, tag } = options
      if (!add && !remove && !tag) throw new UserError('--add or --remove is needed')
      const { id: ticketId, tags } = await work(options, (tx, caller, id) =>
        tag ? setTags(tx, caller, id, tag) : changeTags(tx, caller, id, { add, remove }),
      )
      print({ ticketId, tags }, options)
    })

  about('merge', 'merge a ticket into another, or undo that within a day')
    .option('--into <ticket>', 'the other one')
    .option('--undo', 'undo the merge of this ticket')
    .action(async (options: TicketOptions & { into?: string; undo?: boolean }) => {
      const { into, undo = false } = options
      if (undo === (into !== undefined)) throw new UserError('either --into or --undo is needed')
      const merged = await work(options, async (tx, caller, id) =>
        into === undefined
          ? undoMerge(tx, caller, id)
          : mergeTickets(tx, caller, id, await ticketIdOf(tx, caller.tenantId, into)),
      )
      show(merged, options)
    })

  withTenant(ticket.command('split'))
    .description("make a ticket of its own of a customer's mail")
    .requiredOption('--message <id>')
    .action(async (options: TenantOptions & { message: string }) =>
      show(await change(options, (tx, caller) => splitMessage(tx, caller, options.message.toLowerCase())), options),
    )

  about('delete', 'delete a ticket for good, with all its messages and files').action(
    async (options: TicketOptions) => {
      const { ticketId, files } = await work(options, async (tx, caller, id) => ({
        ticketId: id,
        files: await deleteTicket(tx, caller, id),
      }))
      const store = openFiles(loadConfig(process.env, { dataDir: options.data }))
      for (const file of files) await store.remove(file)
      print({ ticketId }, options)
    },
  )
}

/** Does something to the ticket that is named. */
function work<T>(options: TicketOptions, operation: (tx: Tx, caller: Caller, id: string) => Promise<T>): Promise<T> {
  return change(options, async (tx, caller) =>
    operation(tx, caller, await ticketIdOf(tx, caller.tenantId, options.ticket)),
  )
}

function show(ticket: Ticket, options: TenantOptions): void {
  const { id: ticketId, ticketReference, status, priority, snoozedUntil, messageCount } = ticket
  print({ ticketId, ticketReference, status, priority, snoozedUntil, messageCount }, options)
}
