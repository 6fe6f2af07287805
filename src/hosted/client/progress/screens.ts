import { all, one } from '../tools/dom.ts'
import { post } from '../tools/frame.ts'
import { say } from '../tools/words.ts'
import type { Asked } from './asked.ts'
import type { Memory } from './memory.ts'

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

/**
 * The screens of a form, one of which shows; those on which nothing is asked are passed over. Where the respondent is, is
 * kept in the memory.
 */
export function screensOf(form: HTMLElement, memory: Memory, { isAsked, isPageAsked }: Asked) {
  const isStepped = form.dataset.mode === 'step'
  const pages = all(form, '.page')
  const screens = pages.flatMap((page, index): Screen[] => {
    const questions = all(page, '.question')
    if (!isStepped || questions.length === 0) return [{ page: index, step: 0, questions }]
    return questions.map((question, step) => ({ page: index, step, questions: [question] }))
  })
  const next = one<HTMLButtonElement>(form, '#next')
  const back = form.querySelector<HTMLButtonElement>('#back')

  /** What the page around a frame was told last. */
  let told = ''

  /** Of a page without questions its title is what shows. */
  function comes({ page, questions }: Screen): boolean {
    return isPageAsked(pages[page] as HTMLElement) && (questions.length === 0 || questions.some(isAsked))
  }

  /** The screens that come, by their places among all. */
  function coming(): number[] {
    return screens.flatMap((screen, index) => (comes(screen) ? index : []))
  }

  /** Where the memory says that the respondent is; where nothing is asked there any more, what came before. */
  function at(): number {
    const onPage = screens.findIndex(({ page }) => page === Math.min(memory.page, pages.length - 1))
    const { step = 0 } = isStepped ? memory : {}
    const kept = screens[onPage + step]?.page === memory.page ? onPage + step : onPage
    if (comes(screens[kept] as Screen)) return kept
    const shown = coming()
    return shown.findLast((index) => index < kept) ?? shown[0] ?? kept
  }

  function current(): Screen {
    return screens[at()] as Screen
  }

  /** The screen that comes next; none behind the last. */
  function following(): number | undefined {
    const here = at()
    return coming().find((index) => index > here)
  }

  function preceding(): number | undefined {
    const here = at()
    return coming().findLast((index) => index < here)
  }

  /** Shows a screen in the place of the others. */
  function show(index: number): void {
    const { page, step, questions } = screens[index] as Screen
    memory.page = page
    memory.step = step
    for (const [other, shown] of pages.entries()) shown.hidden = other !== page
    if (isStepped) showStep(index, questions[0])
    tell()
  }

  function showStep(index: number, question: HTMLElement | undefined): void {
    const { page } = screens[index] as Screen
    for (const other of all(pages[page] as HTMLElement, '.question')) other.hidden = other !== question
    const title = titleOf(page)
    if (!title) return
    title.hidden = screens.slice(0, index).some((screen) => screen.page === page && comes(screen))
    // The focus goes past the title, which is read out with the first question of its page.
    question?.setAttribute('aria-labelledby', `${title.hidden ? '' : `${title.id} `}${question.id}-asked`)
  }

  /** Says how far one is, which answers change too, and what the button does. */
  function tell(): void {
    const shown = coming()
    const place = Math.max(0, shown.indexOf(at()))
    const count = { page: place + 1, pages: Math.max(1, shown.length) }
    next.textContent = say(count.page === count.pages ? 'send' : 'next')
    form.classList.toggle('later', place > 0)
    if (back) back.hidden = place === 0
    const progress = form.querySelector<HTMLProgressElement>('#progress')
    if (progress) {
      progress.max = count.pages
      progress.value = count.page
      one(form, '#progress-text').textContent = say(isStepped ? 'stepOf' : 'pageOf', count)
    }
    const news = JSON.stringify(count)
    if (news !== told) post({ frontdesk: 'page', page: count.page, count: count.pages })
    told = news
  }

  /** Puts the focus at the start of what shows. A finger is shown the question, not the keyboard of its field. */
  function focus(): void {
    const { page, questions } = current()
    const question = questions.find(isAsked)
    const isTyped = isStepped && question?.dataset.type !== 'signature' && !matchMedia('(pointer: coarse)').matches
    const field = isTyped ? question?.querySelector<HTMLElement>(FIELDS) : null
    const start = isStepped ? (field ?? question ?? titleOf(page)) : (titleOf(page) ?? question)
    start?.focus({ preventScroll: true })
  }

  function titleOf(page: number): HTMLElement | null {
    return (pages[page] as HTMLElement).querySelector<HTMLElement>('.title')
  }

  return { isStepped, screens, at, current, following, preceding, show, tell, focus }
}
