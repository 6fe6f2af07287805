/** Something that was chosen: a place to go to, or an action (no `href`). */
export interface Recent {
  readonly href: string | null
  readonly text: string
  readonly detail: string
  readonly count: number
  /** Milliseconds since 1970. */
  readonly at: number
}

/** How many are remembered. */
const MOST = 40
/** What was used a day ago weighs half of what was used now. */
const DAY = 24 * 60 * 60 * 1000

const keyOf = (person: string) => `palette ${person}`

/** What this person has chosen on this computer, what they use most and latest first. */
export function recentOf(person: string): Recent[] {
  try {
    const all = JSON.parse(localStorage.getItem(keyOf(person)) ?? '[]') as Recent[]
    const weight = ({ count, at }: Recent) => count / (1 + (Date.now() - at) / DAY)
    return all.sort((one, other) => weight(other) - weight(one))
  } catch {
    return []
  }
}

export function noteRecent(person: string, { href, text, detail }: Pick<Recent, 'href' | 'text' | 'detail'>): void {
  const before = recentOf(person)
  const isSame = (one: Recent) => one.href === href && (href !== null || one.text === text)
  const count = (before.find(isSame)?.count ?? 0) + 1
  const now = { href, text, detail, count, at: Date.now() }
  try {
    localStorage.setItem(keyOf(person), JSON.stringify([now, ...before.filter((one) => !isSame(one))].slice(0, MOST)))
  } catch {
    // Full, or forbidden: then it is not offered first.
  }
}
