import { RuleError } from '../errors.ts'
import { statusOf } from '../http/answers/errors.ts'
import { sayRule } from './rules.ts'
import type { Problem, View } from './visit.ts'

/** What a page refuses by itself, said in the reader's language already; what operations refuse is an `AppError`. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly problem: Problem,
    readonly status = 400,
    /** Further headers of the page. */
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(problem.text)
  }
}

/** Refuses a form: `text` is a sentence, beside the `field` it is about. */
export function refuse(text: string, field: string | null = null): Refusal {
  return new Refusal({ field, text })
}

/** A refusal to be told beside the form that was sent, in the reader's language; null for what has a page of its own. */
export function refusalOf({ wording }: View, error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (!(error instanceof RuleError)) return null
  return new Refusal({ field: placeOf(error), text: sayRule(wording, error.rule) }, statusOf(error))
}

/** The place of a form that a refusal is about; null where it is the whole. */
export function placeOf({ code, place }: RuleError): string | null {
  return code === 'invalid_request' && place !== 'body' ? place || null : null
}
