import { all, setValue } from '../tools/dom.ts'
import { give } from './kit.ts'
import type { Steps } from './parts.ts'

/*
 * Answers by key, where a form shows one question at a time: letters for options, Y and N, digits for steps, stars and
 * columns, Enter to go on. A field keeps the keys that mean something in it.
 */

/** Digits that follow each other this fast are one number, in milliseconds. */
const PAUSE = 1200

const WRITTEN = 'textarea, select, input:not([type=radio], [type=checkbox], [type=range], [type=file])'
/** What Enter means something to by itself: inputs send the form. */
const ENTERED = 'input, select, textarea, button, a, summary'

/** Listens for as long as the form is there. */
function answerKeys(form: HTMLElement, { question, proceed, goBack }: Steps): void {
  let typed = ''
  let typedAt = 0
  let typedIn: HTMLElement | null = null

  document.addEventListener('keydown', (event) => {
    if (!form.isConnected) return
    const target = event.target as HTMLElement
    const asked = question()
    const isAtNothing = target === document.body
    if (event.defaultPrevented || event.isComposing) return
    if (event.key === 'Enter') {
      if (isAtNothing || form.contains(target)) enter(event, target)
      return
    }
    const isHere = isAtNothing || asked?.contains(target)
    if (!asked || !isHere || event.ctrlKey || event.metaKey || event.altKey || target.closest(WRITTEN)) return
    const back = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    if (event.key === back && !target.closest('input')) goBack()
    else if (!answer(asked, event)) return
    event.preventDefault()
  })

  function enter(event: KeyboardEvent, target: HTMLElement): void {
    const isText = target instanceof HTMLTextAreaElement
    // Held down, it would run through the form.
    if (event.repeat && !isText) {
      event.preventDefault()
      return
    }
    const goesBack = event.shiftKey && !isText && !target.closest('a')
    const isChosen = target instanceof HTMLSelectElement && target.selectedIndex > 0
    const goesOn = isText ? event.ctrlKey || event.metaKey : isChosen || !target.closest(ENTERED)
    if (!goesBack && !goesOn) return
    event.preventDefault()
    if (goesBack) goBack()
    else proceed()
  }

  /** Returns whether the key answers the question, or a part of it. */
  function answer(asked: HTMLElement, event: KeyboardEvent): boolean {
    const letter = letterOf(event)
    if (letter) return answerByLetter(asked, letter)
    const digit = event.key === '-' ? '-' : digitOf(event)
    const group = digit && groupOf(asked)
    if (!group) return false
    const goesOn = group === typedIn && event.timeStamp - typedAt < PAUSE
    typedIn = group
    typedAt = event.timeStamp
    if (goesOn && answerByNumber(group, typed + digit)) typed += digit
    else {
      typed = digit
      answerByNumber(group, typed)
    }
    return true
  }
}

/** On a keyboard of another script, by the place of the key. */
function letterOf({ key, code }: KeyboardEvent): string | null {
  return /^[a-z]$/i.test(key) ? key.toUpperCase() : (/^Key([A-Z])$/.exec(code)?.[1] ?? null)
}

function digitOf({ key, code, shiftKey }: KeyboardEvent): string | null {
  if (/^\d$/.test(key)) return key
  return shiftKey ? null : (/^(?:Digit|Numpad)(\d)$/.exec(code)?.[1] ?? null)
}

function answerByLetter(asked: HTMLElement, letter: string): boolean {
  const input =
    letter === 'Y' || letter === 'N'
      ? (asked.querySelector<HTMLInputElement>(`[type=radio][value=${letter === 'Y'}]`) ?? optionOf(asked, letter))
      : optionOf(asked, letter)
  if (input) choose(input)
  return input !== undefined
}

function optionOf(asked: HTMLElement, letter: string): HTMLInputElement | undefined {
  const dropdown = asked.querySelector('details')
  if (dropdown) dropdown.open = true
  return all<HTMLInputElement>(asked, '.option input')[letter.charCodeAt(0) - 65]
}

/** The scale or the row that a number is for: where the focus is, else the first without an answer. */
function groupOf(asked: HTMLElement): HTMLElement | undefined {
  const groups = all(asked, '.scale, .stars, .matrix-row')
  return (
    groups.find((group) => group.contains(document.activeElement)) ??
    groups.find((group) => group.matches('[data-untouched]') || !group.querySelector(':checked, [type=range]')) ??
    groups[0]
  )
}

/** Chooses the step, the star or the column (from 1 on) of that number. Returns whether there is one. */
function answerByNumber(group: HTMLElement, number: string): boolean {
  const range = group.querySelector<HTMLInputElement>('[type=range]')
  if (range) {
    const isOnIt = number !== '-' && Number(number) >= Number(range.min) && Number(number) <= Number(range.max)
    if (isOnIt) {
      range.focus()
      setValue(range, number)
    }
    return isOnIt
  }
  const value = group.matches('.matrix-row') ? String(Number(number) - 1) : number
  const input = all<HTMLInputElement>(group, '[type=radio]').find((radio) => radio.value === value)
  if (input) choose(input)
  return input !== undefined
}

function choose(input: HTMLInputElement): void {
  input.focus()
  input.click()
}

give('steps', answerKeys)
