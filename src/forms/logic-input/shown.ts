import { derived } from '../../lib/derived.ts'
import type { End, ShowIf } from '../logic/model.ts'
import type { FormPage } from '../pages.ts'
import { renamed } from './naming.ts'

/* Conditions as the API shows them: they name questions by their friendlyIds (decisions §21). */

const namesIn = derived((pages: readonly FormPage[]): ((question: number) => number | string) => {
  const names = new Map(pages.flatMap(({ questions }) => questions).map(({ id, friendlyId }) => [id, friendlyId]))
  return (id) => names.get(id) ?? id
})

export const shownPages = derived((pages: readonly FormPage[]): FormPage[] => {
  const isConditional = ({ showIf }: { readonly showIf: ShowIf | null }) => showIf !== null
  if (!pages.some((page) => isConditional(page) || page.questions.some(isConditional))) return pages as FormPage[]
  const named = <T extends { readonly showIf: ShowIf | null }>(part: T): T => ({
    ...part,
    showIf: renamed(part.showIf, namesIn(pages)),
  })
  return pages.map((page) => ({ ...named(page), questions: page.questions.map(named) }))
})

export function shownEnds(pages: readonly FormPage[], ends: readonly End[]): readonly End[] {
  return ends.map((end) => ({ ...end, showIf: renamed(end.showIf, namesIn(pages)) }))
}
