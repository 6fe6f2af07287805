/**
 * The message that `work` fails with. Instead of `expect(…).rejects`, which blocks the event loop while it waits, and
 * takes up to a second for work that needs it.
 */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it was not refused',
    (error: Error) => error.message,
  )
}
