import { invalid, rule } from '../../errors.ts'

/**
 * Refuses a query that could be read in two ways: a parameter given twice, of which one would win, and percent signs
 * that encode no UTF-8, which would be taken literally. What each parameter may hold, the route's schema checks.
 */
export function checkQuery(url: string): void {
  const start = url.indexOf('?')
  if (start < 0) return
  const query = url.slice(start + 1)
  if (query.includes('%') && !isEncoded(query)) throw invalid('query', rule('percent_encoded'))
  const names = new Set<string>()
  for (const part of query.split('&')) {
    if (part === '') continue
    const name = nameIn(part)
    if (name === '') throw invalid('query', rule('nameless_parameter'))
    if (names.has(name)) throw invalid(name, rule('given_twice'))
    names.add(name)
  }
}

/** What `URLSearchParams` would say, which costs more than all the rest. */
function nameIn(part: string): string {
  const name = part.split('=', 1)[0] as string
  return name.includes('%') || name.includes('+') ? decodeURIComponent(name.replaceAll('+', ' ')) : name
}

function isEncoded(query: string): boolean {
  try {
    decodeURIComponent(query)
    return true
  } catch {
    return false
  }
}
