import { limitations } from '../../forms/question-types/limitations.ts'
import { isEmail } from '../../lib/email.ts'
import { answerOf } from './answers.ts'
import { all, fieldValue } from './dom.ts'

/*
 * What can be said before anything is sent, in friendlier words than the server's. The server checks everything again,
 * and what it alone finds is shown in the same place.
 */

/** What is wrong with the answer in a question's controls, or null. */
export function faultOf(question: HTMLElement): string | null {
  const answer = answerOf(question) ?? drawn(question)
  return unreadable(question) ?? (answer === null ? missing(question) : wrong(question, answer))
}

/** A signature is an answer before it has been sent. */
function drawn(question: HTMLElement): string | null {
  return question.dataset.type === 'signature' ? fieldValue(question, '[type=hidden]') || null : null
}

/** What the browser itself could not read, such as half a date. */
function unreadable(question: HTMLElement): string | null {
  const input = all<HTMLInputElement>(question, 'input').find(({ validity }) => validity.badInput)
  if (input) return input.type === 'number' ? 'Please enter a number.' : 'Please enter a whole date.'
  if (question.querySelector('progress:not([hidden])') && question.dataset.type === 'file_upload') {
    return 'Please wait until the file has been sent.'
  }
  const other = question.querySelector<HTMLInputElement>('.other:not([hidden])')
  return other && other.value.trim() === '' ? 'Please fill in the text field, or choose something else.' : null
}

function missing(question: HTMLElement): string | null {
  if (!('required' in question.dataset) || !isAnswerable(question)) return null
  return partly[question.dataset.type ?? ''] ?? 'Please answer this question.'
}

/** Contact details without a visible field ask nothing. */
function isAnswerable(question: HTMLElement): boolean {
  return question.dataset.type !== 'contact_details' || question.querySelector('[data-field]') !== null
}

const partly: Record<string, string> = {
  likert: 'Please choose on every scale.',
  likert_slider: 'Please move every slider.',
  matrix: 'Please choose in every row.',
  file_upload: 'Please add every file.',
  ranking: 'Please put these in order, or keep the order shown.',
  signature: 'Please sign.',
  contact_details: 'Please fill in your details.',
}

function wrong(question: HTMLElement, answer: unknown): string | null {
  const { type = '', min, max } = question.dataset
  const isRequired = 'required' in question.dataset
  switch (type) {
    case 'choose_any':
    case 'multi_dropdown': {
      const { selected, other } = answer as { selected: string[]; other: string | null }
      const count = selected.length + (other === null ? 0 : 1)
      if (min && count < Number(min)) return `Please choose at least ${min}.`
      return max && count > Number(max) ? `Please choose at most ${max}.` : null
    }
    case 'likert':
    case 'likert_slider':
    case 'matrix':
    case 'file_upload': {
      const parts = all(question, '.scale, .matrix-row, .slot').length
      return isRequired && (answer as unknown[]).length < parts ? (partly[type] ?? null) : null
    }
    case 'textbox':
      return textFault(question.querySelector<HTMLElement>('.text')?.dataset.limitation, answer as string)
    case 'contact_details':
      return emailFault((answer as { email?: string }).email)
    case 'date_range':
      return rangeFault(fieldValue(question, '[data-end=from]'), fieldValue(question, '[data-end=to]'))
  }
  return null
}

function textFault(limitation: string | undefined, text: string): string | null {
  if (!limitation) return null
  const { allows, rule } = limitations[limitation as keyof typeof limitations]
  return allows(text) ? null : sentence(rule)
}

function emailFault(email: string | undefined): string | null {
  return email === undefined || isEmail(email) ? null : 'The email address is not complete.'
}

function rangeFault(from: string, to: string): string | null {
  if (!from || !to) return 'Please enter both dates.'
  return from > to ? 'The first date must not be after the last.' : null
}

/** A rule of the server as a sentence: `answers[2] (question 11): value.email: must be …` says `This must be ….` */
export function sentence(rule: string): string {
  const bare = rule.replace(/^(?:answers\[\d+\] )?\(?question \d+\)?: /, '').replace(/^value[\w.[\]]*: /, '')
  if (/^there is no upload/.test(bare)) return 'The file is no longer there. Please add it again.'
  const text = /^must /.test(bare) ? `This ${bare}` : `${bare.charAt(0).toUpperCase()}${bare.slice(1)}`
  return `${text}.`
}
