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

/** The code and the message that `work` fails with. */
export async function refusal(work: Promise<unknown>): Promise<[code: string, message: string]> {
  return work.then(
    () => ['none', 'it was not refused'],
    ({ code, message }: { code: string; message: string }) => [code, message],
  )
}

/** What `work` fails with. */
export async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'it did not fail',
    (error: unknown) => error,
  )
}
