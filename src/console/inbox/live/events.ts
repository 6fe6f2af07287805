import { SAY_EVERY } from '../../../live/presence.ts'
import type { TicketChange } from '../../../live/ticket-changes.ts'
import { countMessagesAfter, newestMessageOf } from '../../../tickets/thread/agents-thread.ts'
import type { Visit } from '../../visit.ts'
import { ticketOf } from '../answer/answering.ts'
import { tellAlerts, tellNews } from './alerts.ts'
import { eventStream } from './event-stream.ts'
import { sayPresence } from './present.ts'
import { watchVisitor } from './whereabouts.ts'

/** A list costs the service no more of its time than that, in milliseconds. */
const LIST_COST = 5

/** Whether it may change what a list shows. */
const isOfList = ({ type }: TicketChange) => type !== 'typing' && type !== 'read'

/**
 * Says that the list has changed: each page looks for itself what it shows then, some time within `spread` milliseconds,
 * so that all that are open together never take the service for themselves. Few look at once.
 */
function changedList({ deps, principal }: Visit): { spread: number } {
  return { spread: Math.max(0, deps.live.countWatching(principal.tenantId) - 10) * LIST_COST }
}

/**
 * Tells a page that is open how many messages the ticket has that the page lacks (`after` is the newest it has), and who
 * else is there; with `list` of changes of the list, too, which stands beside it. Throws `not_found`.
 */
export async function ticketEvents(visit: Visit): Promise<Response> {
  const { db, deps, principal, query, wording } = visit
  const { tenantId } = principal
  const { id } = await ticketOf(visit)
  const after = query.get('after') ?? ''
  const isWithList = query.has('list')
  return eventStream(visit, async (stream) => {
    const { send, beat, onEnd, end } = stream
    const tell = async () => {
      const count = await countMessagesAfter(db, principal, id, after)
      if (count === 0) return
      const newest = await newestMessageOf(db, tenantId, id)
      send('messages', { text: wording.say('newMessages', { count }), newest: newest ?? '' })
    }
    const self = deps.presence.enter(tenantId, id, principal, () => send('presence', { text: sayPresence(visit, id) }))
    onEnd(self.leave)
    let told = ''
    const tellVisitor = async () => {
      const where = await visitor?.tell()
      const text = JSON.stringify(where)
      if (!where || text === told) return
      told = text
      send('visitor', where)
    }
    const visitor = await watchVisitor(visit, id, () => tellVisitor().catch(end))
    if (visitor) onEnd(visitor.end)
    const timer = setInterval(() => {
      beat()
      self.stay()
      visitor?.stay()
      // Time goes by.
      tellVisitor().catch(end)
    }, SAY_EVERY)
    onEnd(() => clearInterval(timer))
    onEnd(
      await deps.live.watch(tenantId, (changes) => {
        if (isWithList && changes.some(isOfList)) send('changed', changedList(visit))
        const isTyped = changes.some(
          (change) => change.type === 'typing' && change.ticketId === id && change.by === 'visitor',
        )
        if (isTyped) send('typing', { text: wording.say('visitorTypes') })
        if (changes.some((change) => change.type === 'removed' && change.ticketId === id)) send('removed', {})
        if (changes.some((change) => change.type === 'read' && change.ticketId === id)) send('read', {})
        if (changes.some((change) => change.type === 'changed' && change.ticketId === id)) send('filed', {})
        const own = changes.filter((change) => change.type === 'replied' && change.ticketId === id)
        if (own.some((change) => change.type === 'replied' && change.isOutbound)) send('sent', {})
        if (own.length > 0) tell().catch(end)
        tellNews(visit, stream, changes)
      }),
    )
    // What came in between.
    await tell()
    await tellVisitor()
    await tellAlerts(visit, stream)
  })
}

/** Tells a list of tickets that is open that it has changed. */
export async function inboxEvents(visit: Visit): Promise<Response> {
  const { deps, principal } = visit
  return eventStream(visit, async (stream) => {
    const { send, beat, onEnd } = stream
    const timer = setInterval(beat, SAY_EVERY)
    onEnd(() => clearInterval(timer))
    onEnd(
      await deps.live.watch(principal.tenantId, (changes) => {
        if (changes.some(isOfList)) send('changed', changedList(visit))
        tellNews(visit, stream, changes)
      }),
    )
    await tellAlerts(visit, stream)
  })
}
