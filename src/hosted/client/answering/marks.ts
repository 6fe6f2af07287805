import { all, one } from '../tools/dom.ts'
import type { Fault } from './checks.ts'

/** What a question's answer is given with. */
const CONTROLS = 'input:not([type=hidden]), select, textarea'
/** What has its own place for what is wrong with it; of the rest it stands above the control. */
const PLACES = '.field, .slot'

/** Shows or hides what is wrong with a question, where it is wrong. Returns whether something is. */
export function mark(question: HTMLElement, fault: Fault | null): boolean {
  const error = one(question, '.error')
  const place = fault?.at?.closest(PLACES)
  if (place) place.append(error)
  else one(question, '.control').before(error)
  error.textContent = fault?.message ?? ''
  error.hidden = fault === null
  question.classList.toggle('wrong', fault !== null)
  for (const part of all(question, '.scale, .matrix-row, .slot')) {
    part.classList.toggle('lacking', part.contains(fault?.at ?? null))
  }
  for (const control of all(question, CONTROLS)) {
    const isWrong = fault !== null && (!fault.at || fault.at === control)
    if (isWrong && !control.matches('[type=radio], [type=checkbox], [type=file], [hidden]'))
      control.ariaInvalid = 'true'
    else control.removeAttribute('aria-invalid')
    // The other controls name the place of their question's faults from the start.
    if (!control.closest('.field')) continue
    if (isWrong) control.setAttribute('aria-describedby', error.id)
    else control.removeAttribute('aria-describedby')
  }
  return fault !== null
}

/** The control to put right, or the first of the question. */
export function controlToMend(question: HTMLElement): HTMLElement | null {
  const usable = ':not([type=hidden], [disabled], .other[hidden])'
  return (
    question.querySelector<HTMLElement>('.lacking .unsent button:not([hidden])') ??
    question.querySelector<HTMLElement>('.lacking input:not([disabled], [type=hidden]), [aria-invalid]') ??
    question.querySelector<HTMLElement>(`input${usable}, select, textarea, summary, .control button`)
  )
}
