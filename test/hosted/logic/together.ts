import type { Case, CaseQuestion } from '../../forms/logic/case.ts'

/**
 * The cases, those with the same answers to the same questions on one form: the question that each of them asks about stands
 * there under its own name and condition, behind the others'. To show a page takes longer than to decide what is on it.
 */
export function together(cases: readonly Case[]): Case[] {
  const alike = new Map<string, Case[]>()
  for (const each of cases) {
    const parts = partsOf(each)
    const key = parts ? JSON.stringify([parts.before, each.answers]) : each.name
    alike.set(key, [...(alike.get(key) ?? []), each])
  }
  return [...alike.values()].map(asOne)
}

/** The last question of a case and those before it, where it is on no one else's mind: nothing else depends on it, nobody answers it. */
function partsOf({ name: _, form, answers, shown, ...further }: Case) {
  const { pages, ...rest } = form
  const [page, ...others] = pages
  const last = page?.questions.at(-1)
  const isPlain = [...Object.keys(further), ...Object.keys(rest), ...others].length === 0 && page?.showIf === undefined
  if (!page || !last || !isPlain || last.friendlyId in answers) return null
  return { before: page.questions.slice(0, -1), last, isShown: shown.includes(last.friendlyId) }
}

function asOne([first, ...others]: Case[]): Case {
  if (!first || others.length === 0) return first as Case
  const asked = [first, ...others].map((each, index) => {
    const { last, isShown } = partsOf(each) as NonNullable<ReturnType<typeof partsOf>>
    return { question: { ...last, friendlyId: `${last.friendlyId}_${index}` } as CaseQuestion, isShown }
  })
  const { before, last } = partsOf(first) as NonNullable<ReturnType<typeof partsOf>>
  return {
    name: `${first.name}, and ${others.length} more with these answers`,
    form: { pages: [{ questions: [...before, ...asked.map(({ question }) => question)] }] },
    answers: first.answers,
    shown: [
      ...first.shown.filter((friendlyId) => friendlyId !== last.friendlyId),
      ...asked.filter(({ isShown }) => isShown).map(({ question }) => question.friendlyId),
    ],
  }
}
