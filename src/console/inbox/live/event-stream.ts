import type { Visit } from '../../visit.ts'

/** How long one answer goes on, in milliseconds: a browser asks again, and shows its session. */
const LASTS = 5 * 60 * 1000

/** What tells a page that is open. */
export interface EventStream {
  /** `id` is what a browser says when it asks again. */
  send(event: string, data: object, id?: string): void
  /** Something that keeps it from falling silent: proxies close what is quiet. */
  beat(): void
  /** `step` is done when it ends, at once where it has. */
  onEnd(step: () => void): void
  end(): void
}

/**
 * An answer of server-sent events, which ends with the service, and at once with the session it was asked for in. `begin`
 * starts telling; when that throws, it ends. Once it is done, the event `begun` says that nothing is missed from now on.
 */
export function eventStream(
  { deps, principal, session }: Visit,
  begin: (stream: EventStream) => Promise<void>,
): Response {
  const encoder = new TextEncoder()
  const undo: (() => void)[] = []
  let isOpen = true
  let isLeft = false
  let end = () => {}
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const write = (text: string) => isOpen && controller.enqueue(encoder.encode(text))
      end = () => {
        if (!isOpen) return
        isOpen = false
        for (const step of undo) step()
        // One that its reader has left is closed already.
        if (!isLeft) controller.close()
      }
      let unwatch = () => {}
      const over = setTimeout(end, LASTS)
      undo.push(
        () => clearTimeout(over),
        deps.live.onStop(end),
        () => unwatch(),
      )
      write('retry: 2000\n\n')
      unwatch = deps.sessions.watch({ tenantId: principal.tenantId, id: session.id }, end)
      const send: EventStream['send'] = (event, data, id) =>
        write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
      const stream = {
        send,
        beat: () => write(':\n\n'),
        onEnd: (step: () => void) => (isOpen ? undo.push(step) : step()),
        end,
      }
      await begin(stream).then(() => send('begun', {}), end)
    },
    cancel() {
      isLeft = true
      end()
    },
  })
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    },
  })
}
