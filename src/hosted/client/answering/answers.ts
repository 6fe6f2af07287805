import type { QuestionType } from '../../../forms/question-types/index.ts'
import { all, fieldValue, jsonOf, one } from '../tools/dom.ts'
import { sentIn } from './sent-files.ts'

/** What a question's controls say, as the collection API takes it (decisions §4, §6); null for nothing. */
type Read = (question: HTMLElement) => unknown

/** A type without an entry does not compile. */
const readers: { readonly [T in QuestionType]: Read } = {
  choose_one: readChoice,
  dropdown: readDropdown,
  choose_any: readChoices,
  multi_dropdown: readChoices,
  likert: readSteps,
  likert_slider: readSliders,
  nps: readChecked,
  binary: (question) => {
    const value = checkedOf(question)[0]?.value
    return value === undefined ? null : value === 'true'
  },
  star_rating: readChecked,
  textbox: readText,
  matrix: readMatrix,
  ranking: (question) => jsonOf<string[]>(question.querySelector('input[type=hidden]')),
  contact_details: readFields,
  date: (question) => fieldValue(question, '.text') || null,
  date_range: (question) => {
    const [from, to] = ['from', 'to'].map((end) => fieldValue(question, `[data-end=${end}]`) || null)
    return from || to ? { from, to } : null
  },
  numeric: (question) => {
    const value = fieldValue(question, '.text')
    return value === '' ? null : Number(value)
  },
  file_upload: readFiles,
  signature: (question) => {
    const sent = jsonOf<{ uploadId?: string }>(question.querySelector('input[type=hidden]'))
    return sent?.uploadId ? { uploadId: sent.uploadId } : null
  },
  payment: (question) => {
    const pay = question.querySelector<HTMLInputElement>('input')
    return pay?.type === 'hidden' || pay?.checked ? {} : null
  },
}

/** The answer that a question's controls hold now. */
export function answerOf(question: HTMLElement): unknown {
  return readers[question.dataset.type as QuestionType](question)
}

/** An answer with the id of its question, as it is sent. */
export function sentAnswer(question: HTMLElement): { questionId: number; value: unknown } {
  return { questionId: Number(question.dataset.question), value: answerOf(question) }
}

function checkedOf(root: ParentNode): HTMLInputElement[] {
  return all<HTMLInputElement>(root, 'input:checked')
}

function otherOf(question: HTMLElement): string | null {
  return fieldValue(question, '.other').trim() || null
}

function readChoice(question: HTMLElement): unknown {
  const [chosen] = checkedOf(question)
  if (!chosen) return null
  if (!('other' in chosen.dataset)) return { selected: chosen.value, other: null }
  const other = otherOf(question)
  return other === null ? null : { selected: null, other }
}

function readDropdown(question: HTMLElement): unknown {
  const option = question.querySelector('select')?.selectedOptions[0]
  if (!option) return null
  if (!('other' in option.dataset)) return option.value ? { selected: option.value, other: null } : null
  const other = otherOf(question)
  return other === null ? null : { selected: null, other }
}

function readChoices(question: HTMLElement): unknown {
  const chosen = checkedOf(question)
  const selected = chosen.filter((input) => !('other' in input.dataset)).map(({ value }) => value)
  const other = chosen.some((input) => 'other' in input.dataset) ? otherOf(question) : null
  return selected.length > 0 || other !== null ? { selected, other } : null
}

function readChecked(question: HTMLElement): unknown {
  const [chosen] = checkedOf(question)
  return chosen ? Number(chosen.value) : null
}

function readSteps(question: HTMLElement): unknown {
  const given = all(question, '.scale').flatMap((scale) =>
    checkedOf(scale).map(({ value }) => ({ scale: Number(scale.dataset.scale), value: Number(value) })),
  )
  return given.length > 0 ? given : null
}

function readSliders(question: HTMLElement): unknown {
  const given = all(question, '.scale')
    .filter((scale) => !('untouched' in scale.dataset))
    .map((scale) => ({ scale: Number(scale.dataset.scale), value: Number(fieldValue(scale, '[type=range]')) }))
  return given.length > 0 ? given : null
}

function readText(question: HTMLElement): unknown {
  const { limitation = '' } = one(question, '.text').dataset
  const text = fieldValue(question, '.text').trim()
  return (/^(?:email|telephone|integer)$/.test(limitation) ? plain(text) : text) || null
}

/** Digits and signs as every keyboard has them, of what an Arabic or a Japanese one writes. */
function plain(text: string): string {
  return text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
}

function readMatrix(question: HTMLElement): unknown {
  const given = all(question, '.matrix-row').flatMap((row) =>
    checkedOf(row).map(({ value }) => ({ row: Number(row.dataset.row), column: Number(value) })),
  )
  return given.length > 0 ? given : null
}

function readFields(question: HTMLElement): unknown {
  const given = all<HTMLInputElement>(question, '[data-field]')
    .map(({ dataset, type, value }) => [dataset.field as string, type === 'text' ? value.trim() : plain(value.trim())])
    .filter(([, value]) => value !== '')
  return given.length > 0 ? Object.fromEntries(given) : null
}

function readFiles(question: HTMLElement): unknown {
  const given = all(question, '.slot').flatMap((slot) => {
    const sent = sentIn(one<HTMLInputElement>(slot, 'input[type=hidden]'))
    return sent.map(({ uploadId }) => ({ slot: Number(slot.dataset.slot), uploadId }))
  })
  return given.length > 0 ? given : null
}
