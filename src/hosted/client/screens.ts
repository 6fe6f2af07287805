import { all, one } from './dom.ts'
import { post } from './frame.ts'
import type { Memory } from './memory.ts'
import { say } from './words.ts'

/** What shows at once: a page, or where the form goes in steps, one question of it. */
export interface Screen {
  readonly page: number
  /** Of the page, 0 where it shows whole. */
  readonly step: number
  /** None where a page has only a title. */
  readonly questions: readonly HTMLElement[]
}

/** What takes the focus when it comes into view, so that one can type at once. */
const FIELDS = '.text:not(.other, [hidden]), select'

/** The screens of a form, one of which shows. Where the respondent is, is kept in the memory. */
export function screensOf(form: HTMLElement, memory: Memory) {
  const isStepped = form.dataset.mode === 'step'
  const pages = all(form, '.page')
  const screens = pages.flatMap((page, index): Screen[] => {
    const questions = all(page, '.question')
    if (!isStepped || questions.length === 0) return [{ page: index, step: 0, questions }]
    return questions.map((question, step) => ({ page: index, step, questions: [question] }))
  })
  const next = one<HTMLButtonElement>(form, '#next')
  const back = form.querySelector<HTMLButtonElement>('#back')

  /** Where the memory says that the respondent is. */
  function at(): number {
    const onPage = screens.findIndex(({ page }) => page === Math.min(memory.page, pages.length - 1))
    const { step = 0 } = isStepped ? memory : {}
    return screens[onPage + step]?.page === memory.page ? onPage + step : onPage
  }

  function current(): Screen {
    return screens[at()] as Screen
  }

  function isLast(): boolean {
    return at() === screens.length - 1
  }

  /** Shows a screen in the place of the others. */
  function show(index: number): void {
    const { page, step, questions } = screens[index] as Screen
    memory.page = page
    memory.step = step
    for (const [other, shown] of pages.entries()) shown.hidden = other !== page
    if (isStepped) {
      for (const question of all(pages[page] as HTMLElement, '.question')) question.hidden = question !== questions[0]
      const title = titleOf(page)
      if (title) title.hidden = step > 0
    }
    next.textContent = say(isLast() ? 'send' : 'next')
    form.classList.toggle('later', index > 0)
    if (back) back.hidden = index === 0
    const count = { page: index + 1, pages: screens.length }
    const progress = form.querySelector<HTMLProgressElement>('#progress')
    if (progress) {
      progress.value = count.page
      one(form, '#progress-text').textContent = say(isStepped ? 'stepOf' : 'pageOf', count)
    }
    post({ frontdesk: 'page', page: count.page, count: count.pages })
  }

  /** Puts the focus at the start of what shows. A finger is shown the question, not the keyboard of its field. */
  function focus(): void {
    const { page, questions } = current()
    const [question] = questions
    const isTyped = isStepped && question?.dataset.type !== 'signature' && !matchMedia('(pointer: coarse)').matches
    const field = isTyped ? question?.querySelector<HTMLElement>(FIELDS) : null
    const start = isStepped ? (field ?? question ?? titleOf(page)) : (titleOf(page) ?? question)
    start?.focus({ preventScroll: true })
  }

  function titleOf(page: number): HTMLElement | null {
    return (pages[page] as HTMLElement).querySelector<HTMLElement>('.title')
  }

  return { isStepped, screens, at, current, isLast, show, focus }
}
