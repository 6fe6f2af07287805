import { invalid } from '../errors.ts'

/**
 * Refuses a query that could be read in two ways: a parameter given twice, of which one would win, and percent signs
 * that encode no UTF-8, which would be taken literally. What each parameter may hold, the route's schema checks.
 */
export function checkQuery(url: string): void {
  const start = url.indexOf('?')
  if (start < 0) return
  const query = url.slice(start + 1)
  if (query.includes('%') && !isEncoded(query)) throw invalid('query', 'must be percent-encoded UTF-8')
  const names = new Set<string>()
  for (const [name] of new URLSearchParams(query)) {
    if (name === '') throw invalid('query', 'a parameter has no name')
    if (names.has(name)) throw invalid(name, 'given twice')
    names.add(name)
  }
}

function isEncoded(query: string): boolean {
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}
