/** Instants between two changes of a zone's clock, in milliseconds since 1970, and how far it is ahead of UTC in them. */
export interface Stretch {
  readonly from: number
  /** Excluded. */
  readonly until: number
  readonly offset: number
}

/** Stretches that are kept for a zone: those of some 30 years. */
const KEPT = 64
const known = new Map<string, Stretch[]>()

/** The stretch of the zone's clock in which the instant lies. */
export function stretchAt(zone: string, at: number): Stretch {
  const stretches = known.get(zone) ?? []
  const found = stretches.find(({ from, until }) => from <= at && at < until)
  if (found) return found
  const stretch = findStretch(zone, at)
  if (stretches.length >= KEPT) stretches.length = 0
  stretches.push(stretch)
  known.set(zone, stretches)
  return stretch
}

function findStretch(zone: string, at: number): Stretch {
  const clock = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  // The search is for one strictly before: the next millisecond finds one that is right now.
  const before = clock.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const after = clock.getTimeZoneTransition('next')
  return {
    from: before?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    until: after?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offset: clock.offsetNanoseconds / 1_000_000,
  }
}

/** The time zone of this name, in whatever case; null for none. */
export function findZone(name: string): string | null {
  // Offsets such as +02:00 are none: they know nothing of summer.
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
