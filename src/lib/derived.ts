/**
 * Computes what follows from an object once, and keeps it for as long as the object lives. For objects that nobody
 * changes.
 */
export function derived<From extends object, T>(compute: (from: From) => T): (from: From) => T {
  const known = new WeakMap<From, T>()
  return (from) => {
    let value = known.get(from)
    if (value === undefined) {
      value = compute(from)
      known.set(from, value)
    }
    return value
  }
}
