/** A base that no address has: whatever names a host of its own leaves it. */
const HERE = 'http://console.invalid'

/**
 * Where somebody goes once they are signed in: a path of the console and nothing else (decisions §14), else its start.
 * `text` comes with the address, so anybody may have written it.
 */
export function nextPath(text: string | null): string {
  if (!text?.startsWith('/console') || !URL.canParse(text, HERE)) return '/console'
  const { origin, pathname, search } = new URL(text, HERE)
  const isOwn = origin === HERE && (pathname === '/console' || pathname.startsWith('/console/'))
  return isOwn && !pathname.startsWith('/console/sign-in') ? pathname + search : '/console'
}
