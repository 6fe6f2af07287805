import { limitations } from '../../../forms/question-types/limitations.ts'
import type { Told } from '../../refused.ts'
import { all, fieldValue } from '../tools/dom.ts'
import { type PlainPageWord, say, sayTold } from '../tools/words.ts'
import { answerOf } from './answers.ts'

/*
 * What can be said before anything is sent, in friendlier words than the server's. The server checks everything again,
 * and what it alone finds is shown in the same place.
 */

export interface Fault {
  /** A sentence. */
  readonly message: string
  /** The control that is wrong, where the question has others that are not. */
  readonly at?: HTMLElement | null | undefined
}

/** What is wrong with the answer in a question's controls, or null. */
export function faultOf(question: HTMLElement): Fault | null {
  const answer = answerOf(question) ?? drawn(question)
  return unreadable(question) ?? (answer === null ? missing(question) : wrong(question, answer))
}

/** A signature is an answer before it has been sent. */
function drawn(question: HTMLElement): string | null {
  return question.dataset.type === 'signature' ? fieldValue(question, '[type=hidden]') || null : null
}

/** What the browser itself could not read, such as half a date. */
function unreadable(question: HTMLElement): Fault | null {
  const at = all<HTMLInputElement>(question, 'input').find(({ validity }) => validity.badInput)
  if (at) return { message: say(at.type === 'number' ? 'enterNumber' : 'enterDate'), at }
  const unsent = question.querySelector('.unsent:not([hidden])')
  if (unsent) {
    const retry = unsent.querySelector<HTMLElement>('[data-retry]:not([hidden])')
    return {
      message: say(retry ? 'fileNotSent' : 'waitForFile'),
      at: retry ?? unsent.querySelector('button:last-child'),
    }
  }
  const other = question.querySelector<HTMLInputElement>('.other:not([hidden])')
  if (other?.value.trim() !== '') return null
  return { message: say('enterOther'), at: other }
}

function missing(question: HTMLElement): Fault | null {
  const { type = '' } = question.dataset
  if (!('required' in question.dataset)) return null
  if (type === 'contact_details') return missingDetail(question)
  return { message: say(partly[type] ?? 'answerThis') }
}

/** The email where it is asked for, otherwise anything; without a visible field nothing is asked. */
function missingDetail(question: HTMLElement): Fault | null {
  const email = field(question, 'email')
  if (email) return { message: say('enterEmail'), at: email }
  const at = question.querySelector<HTMLElement>('[data-field]')
  return at && { message: say('enterDetail'), at }
}

function field(question: HTMLElement, name: string): HTMLElement | null {
  return question.querySelector<HTMLElement>(`[data-field="${name}"]`)
}

const partly: Record<string, PlainPageWord> = {
  likert: 'chooseOnScales',
  likert_slider: 'moveSliders',
  matrix: 'chooseInRows',
  file_upload: 'addFiles',
  ranking: 'putInOrder',
  signature: 'sign',
}

function wrong(question: HTMLElement, answer: unknown): Fault | null {
  const { type = '', min, max } = question.dataset
  const isRequired = 'required' in question.dataset
  switch (type) {
    case 'choose_any':
    case 'multi_dropdown': {
      const { selected, other } = answer as { selected: string[]; other: string | null }
      const count = selected.length + (other === null ? 0 : 1)
      if (min && count < Number(min)) return { message: say('chooseMore', { count: Number(min) }) }
      return max && count > Number(max) ? { message: say('chooseFewer', { count: Number(max) }) } : null
    }
    case 'likert':
    case 'likert_slider':
    case 'matrix':
    case 'file_upload': {
      const given = (answer as Record<string, number>[]).map(({ scale, row, slot }) => scale ?? row ?? slot)
      const lacking = all(question, '.scale, .matrix-row, .slot').find((_, index) => !given.includes(index))
      if (!isRequired || !lacking) return null
      return { message: say(partly[type] ?? 'answerThis'), at: lacking.querySelector('input') }
    }
    case 'textbox':
      return textFault(question.querySelector<HTMLElement>('.text')?.dataset.limitation, answer as string)
    case 'contact_details':
      return detailFault(question, answer as Record<string, string>, isRequired)
    case 'date_range':
      return rangeFault(question)
  }
  return null
}

const broken: Record<keyof typeof limitations, PlainPageWord> = {
  email: 'notEmail',
  telephone: 'notTelephone',
  url: 'notUrl',
  integer: 'notInteger',
  letters: 'notLetters',
}

function textFault(limitation: string | undefined, text: string): Fault | null {
  if (!limitation) return null
  const name = limitation as keyof typeof limitations
  return limitations[name].allows(text) ? null : { message: say(broken[name]) }
}

function detailFault(
  question: HTMLElement,
  { email, phone_number: phone }: Record<string, string>,
  isRequired: boolean,
): Fault | null {
  if (email && !limitations.email.allows(email)) {
    return { message: say('notEmail'), at: field(question, 'email') }
  }
  if (!email && isRequired && field(question, 'email')) return missingDetail(question)
  if (!phone || limitations.telephone.allows(phone)) return null
  return { message: say('notTelephone'), at: field(question, 'phone_number') }
}

function rangeFault(question: HTMLElement): Fault | null {
  const [from, to] = ['from', 'to'].map((end) => question.querySelector<HTMLInputElement>(`[data-end=${end}]`))
  if (!from?.value || !to?.value) return { message: say('enterDates'), at: from?.value ? to : from }
  return from.value > to.value ? { message: say('datesReversed'), at: to } : null
}

/** What the server found wrong with a question, at the field that it names. */
export function serverFault(question: HTMLElement, { place, word }: Told): Fault {
  const name = /: value\.(\w+)$/.exec(place)?.[1]
  const at = question.querySelector<HTMLElement>(`[data-field="${name}"], [data-end="${name}"]`)
  return { message: sayTold(word), at }
}
