import { countMessagesAfter } from '../../tickets/agents-thread.ts'
import { SAY_EVERY } from '../../tickets/presence.ts'
import type { Visit } from '../visit.ts'
import { ticketOf } from './answering.ts'
import { sayPresence } from './present.ts'

/** How long one answer goes on, in milliseconds: a browser asks again, and shows its session. */
const LASTS = 5 * 60 * 1000

/**
 * Tells a page that is open how many messages the ticket has that the page lacks (`after` is the newest it has), and who
 * else is there. A stream of server-sent events, which ends with the service. Throws `not_found`.
 */
export async function ticketEvents(visit: Visit): Promise<Response> {
  const { db, deps, principal, query } = visit
  const { tenantId } = principal
  const { id } = await ticketOf(visit)
  const after = query.get('after') ?? ''
  const encoder = new TextEncoder()
  let end = () => {}
  let isLeft = false
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      let isOpen = true
      const send = (text: string) => isOpen && controller.enqueue(encoder.encode(text))
      const undo: (() => void)[] = []
      end = () => {
        if (!isOpen) return
        isOpen = false
        for (const step of undo) step()
        // One that its reader has left is closed already.
        if (!isLeft) controller.close()
      }
      const tell = async () => {
        const count = await countMessagesAfter(db, principal, id, after)
        const text = visit.wording.say('newMessages', { count })
        if (count > 0) send(`event: messages\ndata: ${JSON.stringify({ text })}\n\n`)
      }
      const tellPresence = () => send(`event: presence\ndata: ${JSON.stringify({ text: sayPresence(visit, id) })}\n\n`)
      const self = deps.presence.enter(tenantId, id, principal, tellPresence)
      const beat = setInterval(() => {
        send(':\n\n')
        self.stay()
      }, SAY_EVERY)
      const over = setTimeout(end, LASTS)
      undo.push(
        self.leave,
        () => clearInterval(beat),
        () => clearTimeout(over),
        deps.live.onStop(end),
      )
      send('retry: 2000\n\n')
      const unwatch = await deps.live.watch(tenantId, (changes) => {
        if (changes.some(({ type, ticketId }) => type === 'replied' && ticketId === id)) tell().catch(end)
      })
      if (isOpen) undo.push(unwatch)
      else unwatch()
      // What came in between.
      await tell()
    },
    cancel() {
      isLeft = true
      end()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    },
  })
}
