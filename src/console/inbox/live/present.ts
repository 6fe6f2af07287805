import { readFields } from '../../../lib/input/read.ts'
import { getTicket } from '../../../tickets/read.ts'
import type { Visit } from '../../visit.ts'

/**
 * Somebody is typing an answer, as a script says now and then while they do: tells who else is at the ticket, and the visitor
 * of a chat. Stores nothing. Throws `not_found`.
 */
export async function typingCall(visit: Visit, body: unknown): Promise<object> {
  const { deps, principal } = visit
  const { tenantId } = principal
  const { id, channel } = await getTicket(visit.db, tenantId, visit.params.id as string)
  readFields(body, [], 'body')
  deps.presence.write(tenantId, id, principal)
  if (channel === 'livechat') deps.live.type({ tenantId, ticketId: id, by: 'agent' })
  return {}
}

/** Who else is at a ticket, and who writes there, in a sentence or two; '' for nobody. */
export function sayPresence({ deps, principal, wording }: Visit, ticketId: string): string {
  const { say, locale } = wording
  const others = deps.presence.othersAt(principal.tenantId, ticketId, principal.userId)
  const [writing, looking] = [true, false].map((isWriting) => {
    const names = others.filter((other) => other.isWriting === isWriting).map(({ name }) => name)
    return { count: names.length, names: new Intl.ListFormat(locale).format(names) }
  }) as [Named, Named]
  return [
    writing.count > 0 && say(writing.count === 1 ? 'otherWrites' : 'othersWrite', writing),
    looking.count > 0 && say(looking.count === 1 ? 'otherLooks' : 'othersLook', looking),
  ]
    .filter(Boolean)
    .join(' ')
}

interface Named {
  readonly count: number
  readonly names: string
}
