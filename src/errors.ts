import { type Rule, rule, type rules, sentenceOf } from './errors/rules.ts'

/**
 * The one error vocabulary of frontdesk. Operations throw `AppError`; `http/answers/errors.ts` alone knows which status
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

/** The codes of what whoever asked can put right: which rule was broken is data, for pages that say it in other words. */
export type MendableCode = Extract<
  ErrorCode,
  'invalid_request' | 'too_large' | 'conflict' | 'unprocessable' | 'unprocessable_entity' | 'delivery_failed'
>

/** Extra fields that travel beside `error` and `message` (api.md §7), e.g. `contactId` on a conflict. */
export type ErrorDetails = Readonly<Record<string, string | number>>

/** A failure with a stable code and a sentence for people. Its message is safe to show to the caller. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode

  /** What somebody can mend is data and no sentence: `invalid` and `refusal` name a rule. */
  constructor(
    code: Exclude<ErrorCode, MendableCode>,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message)
    this.code = code
  }
}

/** A rule that was broken, and where: `place` is a path such as `pages[0].questions[3].options`, or '' for the whole. */
export class RuleError extends AppError {
  declare readonly code: MendableCode

  constructor(
    code: MendableCode,
    readonly rule: Rule,
    readonly place = '',
    details: ErrorDetails = {},
  ) {
    // The rule is why this may have such a code.
    super(code as never, place ? `${place}: ${sentenceOf(rule)}` : sentenceOf(rule), details)
  }
}

/** A request that breaks a rule at a place, which is '' for the whole. */
export function invalid(place: string, rule: Rule): RuleError {
  return new RuleError('invalid_request', rule, place)
}

/** What cannot be done because of a rule, as a whole or at a place. */
export function refusal(code: MendableCode, rule: Rule, details: ErrorDetails = {}, place = ''): RuleError {
  return new RuleError(code, rule, place, details)
}

/** No such thing, or not visible to this tenant: the two must read alike. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} not found`)
}

export { type Rule, rule, type rules, sentenceOf }

/** Something the administrator at the command line can put right. Its message is the one line they see. */
export class UserError extends Error {
  override readonly name: string = 'UserError'
}
