import { formatTime, parseTime } from '../../../lib/time.ts'
import { alertsSince, type LiveAlert } from '../../../live/alert-watch.ts'
import { SAY_EVERY } from '../../../live/presence.ts'
import type { TicketChange } from '../../../live/ticket-changes.ts'
import { referenceOf, ticketRowOf } from '../../../tickets/read.ts'
import type { Visit } from '../../visit.ts'
import { type EventStream, eventStream } from './event-stream.ts'

/**
 * Tells the one tab of a browser that says so (`alerts`) what its person is to be alerted to (decisions §20). It may hear the
 * same twice, and knows alerts by their numbers: since when it has heard nothing, the id of the last event says.
 */
export async function tellAlerts(visit: Visit, { send, onEnd, end }: EventStream): Promise<void> {
  const { db, deps, principal, query, request, at } = visit
  if (!query.has('alerts')) return
  const tell = async (alert: LiveAlert) => send('alert', await toldOf(visit, alert), alert.createdAt)
  onEnd(deps.alertWatch.watch(principal, (alert) => void tell(alert).catch(end)))
  const since = parseTime(request.headers.get('last-event-id') ?? '') ?? parseTime(query.get('alerts') ?? '')
  if (since !== null) for (const alert of await alertsSince(db, principal, Date.parse(since))) await tell(alert)
  // From here on nothing is missed.
  send('listening', {}, formatTime(at))
}

/** Tells that tab in which tickets there is something new to read. */
export function tellNews({ query }: Visit, { send }: EventStream, changes: readonly TicketChange[]): void {
  if (!query.has('alerts')) return
  for (const change of changes) {
    const isNew = change.type === 'created' || (change.type === 'replied' && !change.isOutbound)
    if (isNew) send('news', { ticket: change.ticketId })
  }
}

/** What a page that nobody looks at hears: that alone. */
export async function alertEvents(visit: Visit): Promise<Response> {
  return eventStream(visit, async (stream) => {
    const timer = setInterval(stream.beat, SAY_EVERY)
    stream.onEnd(() => clearInterval(timer))
    const { deps, principal } = visit
    stream.onEnd(await deps.live.watch(principal.tenantId, (changes) => tellNews(visit, stream, changes)))
    await tellAlerts(visit, stream)
  })
}

async function toldOf({ db, principal, wording: { say }, href }: Visit, alert: LiveAlert) {
  const { number, ticketId, kind, byName, isShown, isHeard } = alert
  const { sequentialNumber, subject, requesterName, requesterEmail } = await ticketRowOf(
    db,
    principal.tenantId,
    ticketId,
  )
  const name = kind === 'answered' ? (requesterName ?? requesterEmail) : byName
  return {
    number,
    ticket: ticketId,
    url: href(`/console/tickets/${ticketId}`),
    title: name === null ? say(`alerted_${kind}`) : say(`alertedBy_${kind}`, { name }),
    body: `${referenceOf(sequentialNumber)} ${subject}`,
    isShown,
    isHeard,
  }
}
