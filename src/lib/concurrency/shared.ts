/**
 * As `ask`, once for all who want its answer at the same time: each gets the answer to a question that was put after theirs.
 * One is under way at a time, and whoever comes meanwhile waits for the next.
 */
export function shared<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | null = null
  return () => {
    next ??= underWay.then(begin, begin)
    return next
  }

  function begin(): Promise<T> {
    next = null
    const asked = ask()
    underWay = asked
    return asked
  }
}
