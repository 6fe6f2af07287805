import type { Told } from '../../refused.ts'
import { sentAnswer } from '../answering/answers.ts'
import { type Fault, serverFault } from '../answering/checks.ts'
import type { faults } from '../answering/faults.ts'
import type { partsOf } from '../parts/loading.ts'
import { all, one } from '../tools/dom.ts'
import { say, sayTold } from '../tools/words.ts'
import type { Asked, End } from './asked.ts'
import type { screensOf } from './screens.ts'
import type { Outcome, sender } from './sending.ts'

/** A save that takes longer than this is said to be on its way, in milliseconds. */
const SLOW = 400

interface Proceeding {
  readonly form: HTMLFormElement
  readonly asked: Asked
  readonly screens: ReturnType<typeof screensOf>
  readonly judge: ReturnType<typeof faults>
  readonly parts: ReturnType<typeof partsOf>
  readonly save: ReturnType<typeof sender>
  /** What has to be sent before answers are; resolves with a sentence for people when it could not be. */
  readonly beforeSave: ReadonlyMap<HTMLElement, () => Promise<string | null>>
  /** Whether answers to these questions lead to the payment page. */
  leadsToPayment(answered: readonly HTMLElement[]): boolean
  turnTo(screen: number): void
  finish(end: End | null): void
  /** The response was completed elsewhere. */
  wasSent(): void
}

/** Going on: what shows is checked and, once a page is done, saved. */
export function proceeding(context: Proceeding) {
  const { form, asked, screens, judge, parts, save, beforeSave, turnTo } = context
  const { isAsked } = asked
  const next = one<HTMLButtonElement>(form, '#next')
  const status = one(form, '#status')
  let isBusy = false

  /** Checks the page, saves everything up to it, and goes to the next or to the end. A second click changes nothing. */
  async function proceed(): Promise<void> {
    if (isBusy) return
    isBusy = true
    next.ariaDisabled = 'true'
    form.classList.add('busy')
    const slow = setTimeout(() => {
      status.textContent ||= say('sending')
    }, SLOW)
    try {
      await checkAndSave()
    } finally {
      isBusy = false
      clearTimeout(slow)
      status.textContent = ''
      next.ariaDisabled = null
      form.classList.remove('busy')
    }
  }

  async function checkAndSave(): Promise<void> {
    // A part that has not come yet may hold an answer.
    const showing = screens.current().questions.filter(isAsked)
    if (parts.awaits(showing) && !(await parts.need(showing))) return judge.announce(say('notSent'))
    const here = screens.at()
    const next = screens.following()
    const current = screens.current()
    if (!judge.check(current.questions.filter(isAsked))) return
    // The steps of a page are saved together, as the page is where it shows whole.
    if (next !== undefined && screens.screens[next]?.page === current.page) return turnTo(next)
    const answered = screens.screens.slice(0, here + 1).flatMap(({ questions }) => questions.filter(isAsked))
    const complete = next === undefined
    const leadsToPayment = complete && context.leadsToPayment(answered)
    const isReady = (await parts.need(answered)) && (!leadsToPayment || (await parts.load('checkout')))
    if (!isReady) return judge.announce(say('notSent'))
    for (const question of answered) {
      const message = await beforeSave.get(question)?.()
      if (message) return refuse(question, { message })
    }
    const outcome = await save({ answers: answered.map(sentAnswer), complete, ...page() })
    switch (outcome.kind) {
      case 'saved':
        return next === undefined ? context.finish(outcome.end) : turnTo(next)
      case 'refused':
        return refused(outcome.told)
      case 'sent':
        return context.wasSent()
      case 'closed':
        return judge.announce(say('closedKept'))
      case 'unreachable':
        return judge.announce(say('notSent'))
    }
  }

  /** Saves what is answered so far on all pages, right or wrong. */
  async function saveAll(): Promise<Outcome> {
    const questions = all(form, '.question').filter(isAsked)
    if (!(await parts.need(questions))) return { kind: 'unreachable' }
    for (const send of beforeSave.values()) await send()
    return save({ answers: questions.map(sentAnswer), complete: false, ...page() })
  }

  /** What goes with every save, and is the page's and not an answer's. */
  function page() {
    const { token = '', language } = form.dataset
    return { language, page: { token, website: one<HTMLInputElement>(form, '#website').value } }
  }

  /** What the server alone can tell is shown where it belongs. */
  function refused(told: Told | null): void {
    const id = told && /question (\d+)\b/.exec(told.place)?.[1]
    const question = all(form, '.question').find(({ dataset }) => dataset.question === id)
    if (told && question && isAsked(question)) refuse(question, serverFault(question, told))
    else judge.announce(told?.place === 'page.token' ? sayTold(told.word) : say('answersRefused'))
  }

  function refuse(question: HTMLElement, fault: Fault): void {
    const screen = screens.screens.findIndex(({ questions }) => questions.includes(question))
    if (screen !== screens.at()) screens.show(screen)
    judge.complain(question, fault)
  }

  function goBack(): void {
    const screen = screens.preceding()
    if (!isBusy && screen !== undefined) turnTo(screen)
  }

  return { proceed, goBack, saveAll, refuse }
}
