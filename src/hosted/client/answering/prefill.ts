import type { QuestionType } from '../../../forms/question-types/index.ts'
import { all } from '../tools/dom.ts'

type Put = (question: HTMLElement, answer: never) => void

/** How an answer from the address gets into a question's controls; the types that are missing are not filled in. */
const writers: { readonly [T in QuestionType]?: Put } = {
  choose_one: putOption,
  dropdown: putOption,
  choose_any: putOptions,
  multi_dropdown: putOptions,
  likert: (question, [{ value }]: [{ value: number }]) => tick(question, [String(value)]),
  likert_slider(question, [{ value }]: [{ value: number }]) {
    put(question, '[type=range]', String(value))
    put(question, '.slider [type=hidden]', '1')
  },
  nps: (question, answer: number) => tick(question, [String(answer)]),
  star_rating: (question, answer: number) => tick(question, [String(answer)]),
  binary: (question, answer: boolean) => tick(question, [String(answer)]),
  numeric: putText,
  textbox: putText,
  date: putText,
  date_range: (question, ends: object) => putParts(question, 'data-end', ends),
  contact_details: (question, fields: object) => putParts(question, 'data-field', fields),
}

/** The answers that came with the address, by question id. */
export function prefilledIn({ dataset }: HTMLElement): Record<string, never> {
  return JSON.parse(dataset.prefilled ?? '{}')
}

/**
 * Fills in what came with the address (`data-prefilled` of the form, which the server has checked) into questions as
 * they came. What follows from answers is for the questions' own scripts, which are told by `sync`.
 */
export function prefill(form: HTMLFormElement): void {
  const answers = prefilledIn(form)
  for (const question of all(form, '.question')) {
    const { question: id = '', type } = question.dataset
    const answer = answers[id]
    if (answer !== undefined) writers[type as QuestionType]?.(question, answer)
  }
}

function tick(question: HTMLElement, values: readonly string[]): void {
  for (const input of all<HTMLInputElement>(question, '[type=radio], [type=checkbox]')) {
    if (!('other' in input.dataset)) input.checked = values.includes(input.value)
  }
}

function put(question: HTMLElement, selector: string, value: string): void {
  const field = question.querySelector<HTMLInputElement>(selector)
  if (field) field.value = value
}

function putText(question: HTMLElement, answer: string | number): void {
  put(question, '.text', String(answer))
}

function putParts(question: HTMLElement, attribute: string, parts: object): void {
  for (const [name, value] of Object.entries(parts)) if (value) put(question, `[${attribute}=${name}]`, value)
}

function putOption(question: HTMLElement, { selected }: { selected: string }): void {
  tick(question, [selected])
  put(question, 'select', selected)
}

function putOptions(question: HTMLElement, { selected }: { selected: string[] }): void {
  tick(question, selected)
}
