import { updateContact } from '../../contacts/operations.ts'
import { getContact } from '../../contacts/read.ts'
import { AppError } from '../../errors.ts'
import { readSpan } from '../../lib/input/spans.ts'
import { formatTime } from '../../lib/time.ts'
import { assignTicket, setPriority } from '../../tickets/assignment.ts'
import { getTicket } from '../../tickets/read.ts'
import { setStatus } from '../../tickets/status.ts'
import { changeTags } from '../../tickets/tagging.ts'
import { subjectOf } from '../../tickets/thread/content.ts'
import { addNote } from '../../tickets/thread/notes.ts'
import { queueRuleMail } from '../mails.ts'
import type { Action, ActionOf } from '../model.ts'
import { fill, type Values, valuesOf } from '../texts.ts'
import { type Acting, contactOf, NotNeeded } from './acting.ts'
import { openTicketFor } from './open-ticket.ts'
import { checkAction } from './parse.ts'
import { giveReply, sendFormTo } from './reply.ts'

/** What became of one action, as runs keep it. */
export interface Done {
  readonly do: Action['do']
  readonly ok: boolean
  /** Why it was not done. */
  readonly error: string | null
}

/**
 * Does what a rule says, one action after the other. One that cannot be done is left out, and the others are done. `failed` is
 * what went wrong first, `stops` whether no later rule is to see the event.
 */
export async function perform(acting: Acting): Promise<{ done: Done[]; failed: string | null; stops: boolean }> {
  const done: Done[] = []
  let failed: string | null = null
  for (const action of acting.rule.actions) {
    try {
      await performOne(acting, action)
      done.push({ do: action.do, ok: true, error: null })
    } catch (error) {
      // What an action is refused for is asked before it writes anything; any other error ends the transaction.
      if (!(error instanceof AppError || error instanceof NotNeeded)) throw error
      done.push({ do: action.do, ok: false, error: error.message })
      if (error instanceof AppError) failed ??= error.message
    }
  }
  return { done, failed, stops: acting.rule.actions.some((action) => action.do === 'stop') }
}

async function performOne(acting: Acting, action: Action): Promise<void> {
  const { tx, caller, about } = acting
  await checkAction(tx, caller.tenantId, action, action.do)
  switch (action.do) {
    case 'assign': {
      const { user: userId, team: teamId } = action
      return void (await assignTicket(tx, caller, about.id, {
        ...(userId === undefined ? {} : { userId }),
        ...(teamId === undefined ? {} : { teamId }),
      }))
    }
    case 'set_priority':
      return void (await setPriority(tx, caller, about.id, action.priority))
    case 'set_status':
      return void (await setStatus(tx, caller, about.id, { status: action.status }))
    case 'snooze': {
      const { status } = await getTicket(tx, caller.tenantId, about.id)
      const snoozedUntil = formatTime(caller.at + readSpan(action.for, 'for'))
      const kept = status === 'open' || status === 'pending' ? status : 'open'
      return void (await setStatus(tx, caller, about.id, { status: kept, snoozedUntil }))
    }
    case 'add_tags':
      return void (await changeTags(tx, caller, about.id, { add: action.tags }))
    case 'remove_tags':
      return void (await changeTags(tx, caller, about.id, { remove: action.tags }))
    case 'note':
      return void (await addNote(tx, caller, about.id, { text: fill(action.text, await values(acting)) }))
    case 'reply':
      return giveReply(acting, action, await values(acting))
    case 'mail': {
      const known = await values(acting)
      const subject = subjectOf(fill(action.subject, known))
      const text = fill(action.text, known)
      for (const address of action.to) await queueRuleMail(tx, caller, { address, subject, text })
      return
    }
    case 'send_form':
      return sendFormTo(acting, action)
    case 'open_ticket':
      return openTicketFor(acting, action, await values(acting))
    case 'add_to_group':
    case 'remove_from_group':
      return changeGroups(acting, action)
    case 'stop':
      return
  }
}

const values = ({ tx, caller, about }: Acting): Promise<Values> => valuesOf(tx, caller.tenantId, about)

async function changeGroups({ tx, caller, about }: Acting, action: ActionOf<'add_to_group'>): Promise<void> {
  const contactId = await contactOf(tx, caller.tenantId, about)
  if (contactId === null) throw new NotNeeded('nobody is known who could be in a group')
  const { groups } = await getContact(tx, caller.tenantId, contactId)
  const others = groups.map(({ id }) => id).filter((id) => id !== action.group)
  const groupIds = action.do === 'add_to_group' ? [...others, action.group] : others
  if (groupIds.length === groups.length) return
  await updateContact(tx, caller, contactId, { groupIds })
}
