import type { NumberedQuestion } from '../question-types/index.ts'
import { twins } from './twins.ts'

/** A question, and what was answered to it. */
interface Spoken {
  readonly question: NumberedQuestion
  readonly answer: unknown
}

/**
 * A question of a form in another language with that language's labels in the place of the form's own, and what was
 * answered to it in them. What has no labels beside its own stays as it is. For whoever reads both.
 */
export function inItsLanguage({ question, answer }: Spoken): Spoken {
  const settings: Readonly<Record<string, unknown>> = question.settings
  const said = Object.entries(twins).filter(([, twin]) => settings[twin] !== undefined)
  if (said.length === 0) return { question, answer }
  const own = { ...settings, ...Object.fromEntries(said.map(([field, twin]) => [field, settings[twin]])) }
  const [bases, labels] = [settings, own].map(
    ({ options, rankOptions }: Readonly<Record<string, unknown>>) =>
      (options ?? rankOptions ?? []) as readonly string[],
  )
  const labelOf = (base: string) => labels?.[bases?.indexOf(base) ?? -1] ?? base
  return { question: { ...question, settings: own } as NumberedQuestion, answer: labelled(answer, labelOf) }
}

/** What is chosen or put in order; of all else the labels are looked up when it is read. */
function labelled(answer: unknown, labelOf: (base: string) => string): unknown {
  if (Array.isArray(answer)) return answer.map((part) => (typeof part === 'string' ? labelOf(part) : part))
  if (answer === null || typeof answer !== 'object' || !('selected' in answer)) return answer
  const { selected } = answer as { selected: string | readonly string[] | null }
  return { ...answer, selected: typeof selected === 'string' ? labelOf(selected) : (selected?.map(labelOf) ?? null) }
}
