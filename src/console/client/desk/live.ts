type Listeners = Readonly<Record<string, (data: Record<string, string>, id: string) => void>>

/**
 * Hears what happens: browsers have few connections for one server, so `address` says where, whenever it begins anew, for a
 * page that is looked at or for one that is not; null for nowhere. `signal` ends it.
 */
export function listen(
  address: (isLookedAt: boolean) => string | null,
  listeners: Listeners,
  signal: AbortSignal,
): void {
  let source: EventSource | undefined
  const begin = () => {
    source?.close()
    source = undefined
    const path = signal.aborted ? null : address(document.visibilityState === 'visible')
    if (path === null) return
    source = new EventSource(path)
    for (const [event, hear] of Object.entries(listeners)) {
      source.addEventListener(event, ({ data, lastEventId }) => hear(data ? JSON.parse(data) : {}, lastEventId))
    }
  }
  const end = () => source?.close()
  document.addEventListener('visibilitychange', begin, { signal })
  window.addEventListener('pageshow', begin, { signal })
  window.addEventListener('pagehide', end, { signal })
  signal.addEventListener('abort', end)
  begin()
}
