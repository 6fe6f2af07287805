import { invalid, rule } from '../../errors.ts'
import { readInteger } from '../../lib/input/read.ts'
import type { PageIds } from '../pages.ts'

/** A page as it stands in a file. */
export interface IdentifiedPage {
  readonly id: unknown
  readonly title: unknown
  readonly showIf: unknown
  readonly questions: readonly Record<string, unknown>[]
}

/** The ids of a file's pages and questions, null where there is none. Throws `invalid` for one that is there twice. */
export function givenIds(pages: readonly IdentifiedPage[]): PageIds[] {
  const [ofPages, ofQuestions] = [distinct(), distinct()]
  return pages.map(({ id, questions }, index) => ({
    page: ofPages(id, `pages[${index}].id`),
    questions: questions.map((question, at) => ofQuestions(question.id, `pages[${index}].questions[${at}].id`)),
  }))
}

/** More pages and questions are numbered behind the ids of a file. */
const MOST = 2 ** 40

function distinct(): (value: unknown, place: string) => number | null {
  const seen = new Set<number>()
  return (value, place) => {
    if (value === null || value === undefined) return null
    const id = readInteger(value, place)
    if (id < 1 || id > MOST) throw invalid(place, rule('between', { least: 1, most: MOST }))
    if (seen.has(id)) throw invalid(place, rule('given_twice'))
    seen.add(id)
    return id
  }
}
