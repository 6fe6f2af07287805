import { AppError } from '../errors.ts'
import { statusOf } from '../http/errors.ts'
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

/** What whoever sent a form can do something about. */
const REPAIRABLE = [
  'invalid_request',
  'too_large',
  'conflict',
  'unprocessable',
  'unprocessable_entity',
  'delivery_failed',
]

/** A refusal to be told beside the form that was sent, in the reader's language; null for what has a page of its own. */
export function refusalOf({ wording }: View, error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (!(error instanceof AppError) || !REPAIRABLE.includes(error.code)) return null
  const { field, text } = problemOf(error)
  return new Refusal({ field, text: sayRule(wording.say, text) }, statusOf(error))
}

function problemOf(error: AppError): Problem {
  const { place, rule } = placeOf(error)
  return { field: place, text: rule }
}

/** Operations name a place before the rule, `name: must be …`; null where what they refuse is the whole. */
export function placeOf(error: AppError): { readonly place: string | null; readonly rule: string } {
  const [, place, rule] = /^([A-Za-z][\w[\].]{0,80}): (.+)$/s.exec(error.message) ?? []
  const isPlace = error.code === 'invalid_request' && place !== undefined && rule !== undefined && place !== 'body'
  return isPlace ? { place, rule } : { place: null, rule: error.message }
}
