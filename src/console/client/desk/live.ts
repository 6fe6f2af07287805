type Listeners = Readonly<Record<string, (data: Record<string, string>) => void>>

/**
 * Hears what happens, as long as the page is looked at: browsers have few connections for one server. `address` says where,
 * whenever it begins anew; null for nowhere. `signal` ends it.
 */
export function listen(address: () => string | null, listeners: Listeners, signal: AbortSignal): void {
  let source: EventSource | undefined
  const begin = () => {
    source?.close()
    source = undefined
    const path = address()
    if (path === null || document.visibilityState !== 'visible' || signal.aborted) return
    source = new EventSource(path)
    for (const [event, hear] of Object.entries(listeners)) {
      source.addEventListener(event, ({ data }) => hear(data ? JSON.parse(data) : {}))
    }
  }
  const end = () => source?.close()
  document.addEventListener('visibilitychange', begin, { signal })
  window.addEventListener('pageshow', begin, { signal })
  window.addEventListener('pagehide', end, { signal })
  signal.addEventListener('abort', end)
  begin()
}
