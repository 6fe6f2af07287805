import type { FormContent, FormPage, FormQuestion } from './pages.ts'

/** One difference between what is published and what is drafted. Places count from 0, in the content that has the thing. */
export type FormChange =
  | { readonly kind: 'title' | 'description' | 'ends' | 'variables' }
  | {
      readonly kind: 'page_added' | 'page_removed' | 'page_renamed' | 'page_logic' | 'page_moved'
      readonly page: FormPage
      readonly at: number
    }
  | {
      readonly kind: 'question_added' | 'question_removed' | 'question_moved'
      readonly question: FormQuestion
      readonly at: number
    }
  | {
      readonly kind: 'question_changed'
      readonly question: FormQuestion
      readonly at: number
      /** Names of its fields that differ. */
      readonly fields: readonly string[]
    }

/**
 * What publishing `draft` would change of `published`, for people: first of the form, then of its pages, then of its
 * questions in the order they are asked, what is gone, and last what is worked out of the answers and how it ends. Something counts as moved only where others did not make
 * way for it. Empty when there is nothing to tell.
 */
export function changesBetween(published: FormContent, draft: FormContent): FormChange[] {
  return [
    ...(published.title === draft.title ? [] : [{ kind: 'title' as const }]),
    ...(published.description === draft.description ? [] : [{ kind: 'description' as const }]),
    ...pageChanges(published.pages, draft.pages),
    ...questionChanges(published.pages, draft.pages),
    ...(isSame(published.variables, draft.variables) ? [] : [{ kind: 'variables' as const }]),
    ...(isSame(published.ends, draft.ends) ? [] : [{ kind: 'ends' as const }]),
  ]
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function pageChanges(before: readonly FormPage[], after: readonly FormPage[]): FormChange[] {
  const known = new Map(before.map((page) => [page.id, page]))
  const moved = movedAmong(before, after)
  const now = after.flatMap((page, at): FormChange[] => {
    const was = known.get(page.id)
    if (!was) return [{ kind: 'page_added', page, at }]
    return [
      ...(was.title === page.title ? [] : [{ kind: 'page_renamed' as const, page, at }]),
      ...(isSame(was.showIf ?? null, page.showIf ?? null) ? [] : [{ kind: 'page_logic' as const, page, at }]),
      ...(moved.has(page.id) ? [{ kind: 'page_moved' as const, page, at }] : []),
    ]
  })
  return [...now, ...gone(before, after).map(({ item, at }) => ({ kind: 'page_removed' as const, page: item, at }))]
}

function questionChanges(before: readonly FormPage[], after: readonly FormPage[]): FormChange[] {
  const [old, now] = [before.flatMap(({ questions }) => questions), after.flatMap(({ questions }) => questions)]
  const known = new Map(old.map((question) => [question.id, question]))
  const moved = movedAmong(old, now)
  const [pageBefore, pageNow] = [pagesByQuestion(before), pagesByQuestion(after)]
  const shown = now.flatMap((question, at): FormChange[] => {
    const was = known.get(question.id)
    if (!was) return [{ kind: 'question_added', question, at }]
    const fields = Object.keys(question).filter((name) => JSON.stringify(was[name]) !== JSON.stringify(question[name]))
    const isElsewhere = pageBefore.get(question.id) !== pageNow.get(question.id)
    return [
      ...(fields.length === 0 ? [] : [{ kind: 'question_changed' as const, question, at, fields }]),
      ...(isElsewhere || moved.has(question.id) ? [{ kind: 'question_moved' as const, question, at }] : []),
    ]
  })
  return [
    ...shown,
    ...gone(old, now).map(({ item, at }) => ({ kind: 'question_removed' as const, question: item, at })),
  ]
}

function pagesByQuestion(pages: readonly FormPage[]): Map<number, number> {
  return new Map(pages.flatMap(({ id, questions }) => questions.map((question) => [question.id, id] as const)))
}

function gone<T extends { readonly id: number }>(before: readonly T[], after: readonly T[]) {
  const ids = new Set(after.map(({ id }) => id))
  return before.map((item, at) => ({ item, at })).filter(({ item }) => !ids.has(item.id))
}

/** The ids that stand in another order than before: as few as can be, all others being in their longest common order. */
function movedAmong(
  before: readonly { readonly id: number }[],
  after: readonly { readonly id: number }[],
): Set<number> {
  const place = new Map(before.map(({ id }, index) => [id, index]))
  const common = after.flatMap(({ id }) => (place.has(id) ? [{ id, was: place.get(id) as number }] : []))
  // For each, the longest run of things in their old order that ends with it, by the one before it.
  const runs = common.map(() => ({ length: 1, previous: -1 }))
  for (const [index, { was }] of common.entries()) {
    for (let earlier = 0; earlier < index; earlier++) {
      const length = (runs[earlier]?.length ?? 0) + 1
      const run = runs[index] as (typeof runs)[number]
      if ((common[earlier]?.was ?? 0) < was && length > run.length) Object.assign(run, { length, previous: earlier })
    }
  }
  const moved = new Set(common.map(({ id }) => id))
  let end = runs.reduce((best, { length }, index) => (length > (runs[best]?.length ?? 0) ? index : best), 0)
  while (end >= 0 && common[end]) {
    moved.delete((common[end] as (typeof common)[number]).id)
    end = runs[end]?.previous ?? -1
  }
  return moved
}
