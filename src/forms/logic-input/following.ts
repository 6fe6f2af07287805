import type { Condition, End, ShowIf, Variable } from '../logic/model.ts'

type Asked = Readonly<Record<string, unknown>>

/** A draft that may be changed. */
interface Sketch {
  readonly pages: readonly {
    title?: string | null
    showIf?: unknown
    readonly questions: readonly Record<string, unknown>[]
  }[]
  readonly variables: Variable[]
  readonly ends: End[]
}

/**
 * Lets conditions about a question whose labels somebody writes anew go on asking about the same options. An option is the
 * same where it stands in the same place of as many, under a label that no other has or had.
 */
export function followLabels({ pages, ends }: Sketch, before: Asked, after: Asked): void {
  const labels = new Map([...renamedIn(before.options, after.options), ...renamedOther(before, after)])
  if (labels.size === 0) return
  const parts = [...pages, ...pages.flatMap(({ questions }) => questions)] as { showIf?: ShowIf | null }[]
  for (const part of parts) if (part.showIf) part.showIf = relabelled(part.showIf, before.id, labels)
  for (const [index, end] of ends.entries()) {
    ends[index] = { ...end, showIf: end.showIf && relabelled(end.showIf, before.id, labels) }
  }
}

/** Lets formulas and texts that name a question go on naming it. */
export function followName({ pages, variables, ends }: Sketch, before: Asked, after: Asked): void {
  const [old, next] = [before.friendlyId, after.friendlyId]
  if (typeof old !== 'string' || typeof next !== 'string' || old === next) return
  const renamed = <T>(text: T): T => (typeof text === 'string' ? (text.replaceAll(`{${old}}`, `{${next}}`) as T) : text)
  for (const page of pages) {
    if (page.title !== undefined) page.title = renamed(page.title)
    for (const question of page.questions) {
      question.text = renamed(question.text)
      if (question.formula !== undefined) question.formula = renamed(question.formula)
    }
  }
  for (const [index, { name, formula }] of variables.entries()) variables[index] = { name, formula: renamed(formula) }
  for (const [index, end] of ends.entries()) ends[index] = { ...end, thanks: renamed(end.thanks) }
}

function relabelled({ match, conditions }: ShowIf, question: unknown, labels: ReadonlyMap<string, string>): ShowIf {
  const renamed = <T>(label: T): T => (labels.get(label as string) as T | undefined) ?? label
  const about = (condition: Condition): Condition => {
    if (!('question' in condition) || condition.question !== question || condition.value === undefined) return condition
    const { value } = condition
    return { ...condition, value: Array.isArray(value) ? value.map(renamed) : renamed(value) }
  }
  return { match, conditions: conditions.map(about) }
}

function renamedIn(before: unknown, after: unknown): [string, string][] {
  if (!Array.isArray(before) || !Array.isArray(after) || before.length !== after.length) return []
  return before.flatMap((label, index): [string, string][] => {
    const next = after[index]
    return after.includes(label) || before.includes(next) ? [] : [[label, next]]
  })
}

function renamedOther({ otherText: before }: Asked, { otherText: after }: Asked): [string, string][] {
  return typeof before === 'string' && typeof after === 'string' && before !== after ? [[before, after]] : []
}
