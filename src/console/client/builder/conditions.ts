import { exchange } from '../exchange.ts'
import type { Pressed } from './talk.ts'

/*
 * What follows from a choice in a condition: how it can compare, and with what. The server has written it, and here it takes
 * the place of what was chosen in.
 */

/** How a form was as it was sent. */
export interface Sent {
  /** The step that it was sent with. */
  readonly step: Pressed | null
  /** What had the focus as that was asked for. */
  readonly from: Element | null
  readonly states: ReadonlyMap<Element, string>
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const CONTROLS = 'input:not([type="hidden"]), select, textarea'

/** What the controls of a form hold. */
export function statesIn(form: HTMLElement): ReadonlyMap<Element, string> {
  return new Map([...form.querySelectorAll<Control>(CONTROLS)].map((control) => [control, stateOf(control)]))
}

const isTicked = (control: Control) => control.type === 'checkbox' || control.type === 'radio'
const stateOf = (control: Control) =>
  isTicked(control) ? String((control as HTMLInputElement).checked) : control.value

/**
 * Puts conditions that consist of other parts than those shown in their place. What was changed in them since they were
 * sent stays, and so does whoever has gone on to another of their fields.
 */
export function followChoices(pane: HTMLElement, next: HTMLElement, sent: Sent): void {
  const [shown, written] = [pane, next].map((one) => one.querySelector<HTMLElement>('[data-logic]'))
  if (!shown || !written || shown.dataset.logic === written.dataset.logic) return
  const other = document.importNode(written, true)
  const twin = twins(shown, other, sent.step)
  for (const control of shown.querySelectorAll<Control>(CONTROLS)) {
    const same = sent.states.get(control) === stateOf(control) ? null : twin(control)
    if (!same) continue
    if (isTicked(control)) (same as HTMLInputElement).checked = (control as HTMLInputElement).checked
    else (same as Control).value = control.value
  }
  const { activeElement } = document
  const isHere = shown.contains(activeElement)
  exchange({
    shown,
    other,
    from: sent.from,
    twin,
    next() {
      if (!isHere) return null
      // A new condition is gone on with; after one that was taken out, what adds another.
      const [before, now] = [rowsOf(shown), rowsOf(other)]
      const added = now.length > before.length ? now.at(-1)?.querySelector('select') : null
      return added ?? twin(activeElement as HTMLElement) ?? other.querySelector<HTMLElement>('[data-more]')
    },
  })
}

const rowsOf = (logic: HTMLElement) => [...logic.querySelectorAll<HTMLElement>('.logic-row')]

/** Finds what does in `other` as a control of `shown` does: in the same row, which has moved up where one above went. */
function twins(shown: HTMLElement, other: HTMLElement, step: Pressed | null) {
  const gone = /^drop (\d+)$/.exec(step?.value ?? '')?.[1]
  const rows = rowsOf(shown)
  const left = rows.filter((_, index) => String(index) !== gone)
  return (control: HTMLElement): HTMLElement | null => {
    const row = control.closest<HTMLElement>('.logic-row')
    const to = row ? left.indexOf(row) : 0
    if (to < 0) return null
    const within = row ? rowsOf(other)[to] : other
    const told = (one: HTMLElement, at: number) => {
      const { name, value } = one as HTMLButtonElement
      const isOneOfSeveral = one.matches('button, [type="checkbox"], [type="radio"]')
      const says = isOneOfSeveral ? value.replace(/^drop \d+$/, 'drop') : ''
      return `${name.replace(`showIf.${at}.`, '')} ${says}`
    }
    const wanted = told(control, row ? rows.indexOf(row) : 0)
    const all = within?.querySelectorAll<HTMLElement>(`button, ${CONTROLS}`) ?? []
    return [...all].find((one) => (row || !one.closest('.logic-row')) && told(one, to) === wanted) ?? null
  }
}
