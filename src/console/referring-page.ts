/**
 * The path of the console that a request came from, with its query, as far as the browser says so. `base` is the path of the
 * proxy.
 */
export function referringPage(request: Request, base: string): string | null {
  const referrer = request.headers.get('referer') ?? ''
  if (!URL.canParse(referrer)) return null
  const { pathname, search } = new URL(referrer)
  const path = pathname.startsWith(base) ? pathname.slice(base.length) : pathname
  return path.startsWith('/console/') ? path + search : null
}
