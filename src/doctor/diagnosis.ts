/** Whether something is as it should be, works with a reservation, or does not work. */
export type Level = 'good' | 'warn' | 'bad'

/** What was found out about one thing, in a line for an administrator. */
export interface Diagnosis {
  readonly level: Level
  /** What was looked at, in a word or two: `TLS`, or a path. */
  readonly about: string
  readonly says: string
  /** What to do about it; null where nothing is to be done. */
  readonly remedy: string | null
}

/** Makes the diagnoses of one thing. */
export function diagnosing(about: string) {
  return {
    good: (says: string): Diagnosis => ({ level: 'good', about, says, remedy: null }),
    warn: (says: string, remedy: string): Diagnosis => ({ level: 'warn', about, says, remedy }),
    bad: (says: string, remedy: string): Diagnosis => ({ level: 'bad', about, says, remedy }),
  }
}
