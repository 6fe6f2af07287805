/**
 * The one error vocabulary of frontdesk. Operations throw `AppError`; `http/errors.ts` alone knows which status
 * each code becomes, so nothing here mentions HTTP.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'too_large'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'not_found'
  | 'conflict'
  | 'unprocessable'
  | 'unprocessable_entity'
  | 'delivery_failed'
  | 'too_soon'
  | 'unavailable'

/** Extra fields that travel beside `error` and `message` (api.md §7), e.g. `contactId` on a conflict. */
export type ErrorDetails = Readonly<Record<string, string | number>>

/** A failure with a stable code and a sentence for people. Its message is safe to show to the caller. */
export class AppError extends Error {
  override readonly name = 'AppError'

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message)
  }
}

/** A request that breaks a rule: `place` is a path such as `pages[0].questions[3].options`, or '' for the whole. */
export function invalid(place: string, rule: string): AppError {
  return new AppError('invalid_request', place ? `${place}: ${rule}` : rule)
}

/** No such thing, or not visible to this tenant: the two must read alike. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} not found`)
}

/** Something the administrator at the command line can put right. Its message is the one line they see. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}
