import { limitations } from '../../forms/question-types/limitations.ts'
import { answerOf } from './answers.ts'
import { all, fieldValue } from './dom.ts'

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
  if (at) return { message: at.type === 'number' ? 'Please enter a number.' : 'Please enter a whole date.', at }
  const sending = question.querySelector('.slot progress:not([hidden])')
  if (sending) {
    const input = sending.closest('.slot')?.querySelector<HTMLElement>('[type=file]')
    return { message: 'Please wait until the file has been sent.', at: input }
  }
  const other = question.querySelector<HTMLInputElement>('.other:not([hidden])')
  if (other?.value.trim() !== '') return null
  return { message: 'Please fill in the text field, or choose something else.', at: other }
}

function missing(question: HTMLElement): Fault | null {
  const { type = '' } = question.dataset
  if (!('required' in question.dataset)) return null
  if (type === 'contact_details') return missingDetail(question)
  return { message: partly[type] ?? 'Please answer this question.' }
}

/** The email where it is asked for, otherwise anything; without a visible field nothing is asked. */
function missingDetail(question: HTMLElement): Fault | null {
  const email = field(question, 'email')
  if (email) return { message: 'Please enter an email address.', at: email }
  const at = question.querySelector<HTMLElement>('[data-field]')
  return at && { message: 'Please fill in at least one of these fields.', at }
}

function field(question: HTMLElement, name: string): HTMLElement | null {
  return question.querySelector<HTMLElement>(`[data-field="${name}"]`)
}

const partly: Record<string, string> = {
  likert: 'Please choose on every scale.',
  likert_slider: 'Please move every slider.',
  matrix: 'Please choose in every row.',
  file_upload: 'Please add every file.',
  ranking: 'Please put these in order, or keep the order shown.',
  signature: 'Please sign.',
}

function wrong(question: HTMLElement, answer: unknown): Fault | null {
  const { type = '', min, max } = question.dataset
  const isRequired = 'required' in question.dataset
  switch (type) {
    case 'choose_any':
    case 'multi_dropdown': {
      const { selected, other } = answer as { selected: string[]; other: string | null }
      const count = selected.length + (other === null ? 0 : 1)
      if (min && count < Number(min)) return { message: `Please choose at least ${min}.` }
      return max && count > Number(max) ? { message: `Please choose at most ${max}.` } : null
    }
    case 'likert':
    case 'likert_slider':
    case 'matrix':
    case 'file_upload': {
      const given = (answer as Record<string, number>[]).map(({ scale, row, slot }) => scale ?? row ?? slot)
      const lacking = all(question, '.scale, .matrix-row, .slot').find((_, index) => !given.includes(index))
      if (!isRequired || !lacking) return null
      return { message: partly[type] as string, at: lacking.querySelector('input') }
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

function textFault(limitation: string | undefined, text: string): Fault | null {
  if (!limitation) return null
  const { allows, rule } = limitations[limitation as keyof typeof limitations]
  return allows(text) ? null : { message: sentence(rule) }
}

function detailFault(
  question: HTMLElement,
  { email, phone_number: phone }: Record<string, string>,
  isRequired: boolean,
): Fault | null {
  if (email && !limitations.email.allows(email)) {
    return { message: 'The email address is not complete.', at: field(question, 'email') }
  }
  if (!email && isRequired && field(question, 'email')) return missingDetail(question)
  if (!phone || limitations.telephone.allows(phone)) return null
  return { message: 'This is not a telephone number.', at: field(question, 'phone_number') }
}

function rangeFault(question: HTMLElement): Fault | null {
  const [from, to] = ['from', 'to'].map((end) => question.querySelector<HTMLInputElement>(`[data-end=${end}]`))
  if (!from?.value || !to?.value) return { message: 'Please enter both dates.', at: from?.value ? to : from }
  return from.value > to.value ? { message: 'The first date must not be after the last.', at: to } : null
}

/** What the server found wrong with a question, at the field that it names. */
export function serverFault(question: HTMLElement, message: string): Fault {
  const name = /: value\.(\w+): /.exec(message)?.[1]
  const at = question.querySelector<HTMLElement>(`[data-field="${name}"], [data-end="${name}"]`)
  return { message: sentence(message), at }
}

/** A rule of the server as a sentence: `answers[2] (question 11): value.email: must be …` says `This must be ….` */
export function sentence(rule: string): string {
  const bare = rule.replace(/^(?:answers\[\d+\] )?\(?question \d+\)?: /, '').replace(/^value[\w.[\]]*: /, '')
  if (/^there is no upload/.test(bare)) return 'The file is no longer there. Please add it again.'
  const text = /^must /.test(bare) ? `This ${bare}` : `${bare.charAt(0).toUpperCase()}${bare.slice(1)}`
  return `${text}.`
}
