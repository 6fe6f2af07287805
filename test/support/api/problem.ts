import { expect } from 'bun:test'

/**
 * The body of an error as a whole: what it says, the place that its message begins with, and the id of its request.
 * A message that only has to be like something is taken to begin with no place.
 */
export function problem(error: string, message: unknown, details: object = {}): object {
  const [, param] = (typeof message === 'string' && /^(\S+(?: \(question \d+\))?): /.exec(message)) || []
  return { error, message, ...(param && { param }), ...details, requestId: expect.any(String) }
}
