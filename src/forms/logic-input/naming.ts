import type { ShowIf } from '../logic/model.ts'

/** The same conditions about questions that are named otherwise. Null stays. */
export function renamed<Name>(showIf: ShowIf | null, nameOf: (question: number) => Name): ShowIf | null {
  if (showIf === null) return null
  const conditions = showIf.conditions.map((condition) =>
    'question' in condition ? { ...condition, question: nameOf(condition.question) } : condition,
  )
  return { ...showIf, conditions } as ShowIf
}
