/**
 * What the engine says of rows that break a rule of their table, such as one that points to nothing, or an id that is there
 * already; null for any other error.
 */
export function violationOf(error: unknown): string | null {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    const code = String((inner as { code?: unknown }).code)
    if (code.startsWith('SQLITE_CONSTRAINT') || /^23\d{3}$/.test(code)) return inner.message
  }
  return null
}
