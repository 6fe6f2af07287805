import { all, one } from '../tools/dom.ts'
import { bringIntoView } from '../tools/frame.ts'
import { say } from '../tools/words.ts'
import { type Fault, faultOf } from './checks.ts'
import { controlToMend, mark } from './marks.ts'

/** What is wrong with the answers of a form: shown at each question, counted above the button. */
export function faults(form: HTMLElement) {
  const summary = one(form, '#summary')

  /** Puts a sentence above the button; '' takes it back. */
  function announce(text: string): void {
    // Said again, it would be read out again.
    if (summary.textContent !== text) summary.textContent = text
  }

  /** Says how many answers of this page are wrong. */
  function tally(): void {
    const count = all(form, '.page:not([hidden]) .wrong:not([hidden])').length
    announce(count === 0 ? '' : say('answersToMend', { count }))
  }

  /** Shows what is wrong with each question, and goes to the first. Returns whether nothing is. */
  function check(asked: readonly HTMLElement[]): boolean {
    const [first] = asked.filter((question) => mark(question, faultOf(question)))
    tally()
    if (first) goTo(first)
    return first === undefined
  }

  /** Shows what is wrong with a question of this page, and goes there. */
  function complain(question: HTMLElement, fault: Fault): void {
    mark(question, fault)
    tally()
    goTo(question)
  }

  /**
   * A fault is not held against somebody who is putting it right: it goes as soon as it is mended, and is put anew once
   * the answer is `given`. A payment can be mended by the answers that it is computed from.
   */
  function reconsider(target: Node, given: boolean): void {
    // A file that was just chosen is judged by itself (`files.ts`), not by what was there before.
    if (target instanceof HTMLInputElement && target.type === 'file') return
    const wrong = all(form, '.wrong')
    if (wrong.length === 0) return
    for (const question of wrong) {
      const isIts = question.contains(target)
      if (!isIts && question.dataset.type !== 'payment') continue
      const fault = faultOf(question)
      if (fault === null || (given && isIts)) mark(question, fault)
    }
    tally()
  }

  /** Marks, or with null clears, a question where nobody has to be led. */
  function note(question: HTMLElement, fault: Fault | null): void {
    mark(question, fault)
    tally()
  }

  return { announce, check, complain, reconsider, note }
}

function goTo(question: HTMLElement): void {
  const control = controlToMend(question)
  control?.focus({ preventScroll: true })
  // From what is asked, or in a long question from the field that is wrong.
  bringIntoView(control?.closest<HTMLElement>('.field, .slot, .lacking') ?? question)
}
