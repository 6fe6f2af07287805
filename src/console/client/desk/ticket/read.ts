const PATH = /^.*\/console\/tickets\/[^/]+/

/** Says that the ticket was read, once somebody looks at it: until then it is marked in the list. */
export function noteRead(signal: AbortSignal): void {
  const tell = () => {
    if (document.visibilityState !== 'visible') return
    document.removeEventListener('visibilitychange', tell)
    tellRead()
  }
  document.addEventListener('visibilitychange', tell, { signal })
  tell()
}

/** Says that somebody looks at the ticket now. */
export function tellRead(): void {
  const path = PATH.exec(location.pathname)?.[0]
  const token = document.querySelector<HTMLMetaElement>('meta[name="csrf-token"]')?.content
  if (path === undefined || token === undefined) return
  const headers = { 'content-type': 'application/json', 'x-csrf-token': token }
  // The mark stays where that fails: the next look takes it away.
  fetch(`${path}/read`, { method: 'POST', headers, body: '{}' }).catch(() => {})
}
