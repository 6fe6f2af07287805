/** Something that is not as it should be, in one line for an administrator. */
export interface Finding {
  /** A path, or a variable. */
  readonly where: string
  readonly problem: string
  /** What to do about it. */
  readonly remedy: string
}

/** Findings of one kind that are named one by one; what is more of them is counted. */
const NAMED = 20

/** A finding for each of `places`; of many, the rest in one. */
export function findings(places: readonly string[], problem: string, remedy: string): Finding[] {
  const named = places.slice(0, NAMED).map((where) => ({ where, problem, remedy }))
  const more = places.length - named.length
  return more === 0 ? named : [...named, { where: `${more} more`, problem, remedy }]
}
