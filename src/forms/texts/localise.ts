import type { FormPage, FormQuestion } from '../pages.ts'
import { type FormTexts, storedKey, type TextKind, type TextPlace, type Translatable } from './model.ts'
import { twins } from './twins.ts'

/** Gives what is said at one place. */
type Say = (place: TextPlace) => string

interface At {
  readonly key: string
  readonly say: Say
}

/** Says the texts of one field of a question. */
type SayField = (value: never, at: At) => unknown

const one =
  (kind: TextKind) =>
  (base: string | null, { key, say }: At): string | null =>
    base === null || base.trim() === '' ? base : say({ key, list: null, base, kind })

const label = one('label')
const html = one('html')

/** A label that has a preset, which every page says in its own language. */
const labelBut = (preset: string) => (base: string, at: At) => (base === preset ? base : label(base, at))

const labels = (bases: readonly string[], { key, say }: At): string[] =>
  bases.map((base, index) => say({ key: `${key}[${index}]`, list: key, base, kind: 'label' }))

interface Ends {
  readonly text: string
  readonly opposingText: string
}

/** The preset pair, too, is every page's own to say. */
const scales = (pairs: readonly Ends[], { key, say }: At): Ends[] =>
  pairs.map((pair, index) => {
    if (pair.text === 'Disagree' && pair.opposingText === 'Agree') return pair
    const end = (name: keyof Ends) =>
      say({ key: `${key}[${index}].${name}`, list: key, base: pair[name], kind: 'label' })
    return { text: end('text'), opposingText: end('opposingText') }
  })

const contactFields = (fields: readonly { field: string; label: string | null }[], { key, say }: At) =>
  fields.map((field) => ({ ...field, label: label(field.label, { key: `${key}.${field.field}`, say }) }))

/** Fields that are said in another language in their own place: no answer names what they say. */
const inPlace: Readonly<Record<string, SayField>> = {
  text: html,
  otherText: label,
  trueLabel: labelBut('Yes'),
  falseLabel: labelBut('No'),
  fileUploadSlots: labels,
  contactFields,
  datePlaceholder: label,
  startDatePlaceholder: label,
  endDatePlaceholder: label,
}

const beside: Readonly<Record<keyof typeof twins, SayField>> = {
  options: labels,
  rankOptions: labels,
  columnHeadings: labels,
  rowHeadings: labels,
  scales,
}

function said(content: Translatable, say: Say): Translatable {
  const { title, description, pages, ends, thanks, ...others } = content
  return {
    title: say({ key: 'title', list: null, base: title, kind: 'title' }),
    description: html(description, { key: 'description', say }),
    pages: pages.map((page) => saidPage(page, say)),
    thanks: html(thanks, { key: 'thanks', say }),
    ends: ends.map((end, index) => ({ ...end, thanks: saidEnd(end.thanks, index, say) })),
    ...others,
  }
}

/** An end has no name of its own: what it says goes with it, wherever it stands. */
function saidEnd(base: string | null, index: number, say: Say): string | null {
  return base === null ? null : say({ key: `ends[${index}].thanks`, list: 'ends', base, kind: 'html' })
}

function saidPage({ id, title, questions, ...others }: FormPage, say: Say): FormPage {
  return {
    id,
    title: html(title, { key: `page${id}.title`, say }),
    questions: questions.map((question) => saidQuestion(question, say)),
    ...others,
  }
}

function saidQuestion(question: FormQuestion, say: Say): FormQuestion {
  const fields = Object.entries(question).flatMap(([name, value]): [string, unknown][] => {
    const at = { key: `q${question.id}.${name}`, say }
    const shown = inPlace[name]
    if (shown) return [[name, shown(value as never, at)]]
    if (!Object.hasOwn(beside, name)) return [[name, value]]
    const list = name as keyof typeof twins
    return [
      [name, value],
      [twins[list], beside[list](value as never, at)],
    ]
  })
  return Object.fromEntries(fields) as unknown as FormQuestion
}

/** Every text that a form says, in the order in which it is read. Pages say presets themselves: those are none. */
export function textsIn(content: Translatable): TextPlace[] {
  const places: TextPlace[] = []
  said(content, (place) => {
    places.push(place)
    return place.base
  })
  return places
}

/** A form in another language, and what of it is not said in that. */
export interface Localised extends Translatable {
  /** What stands there in the form's own language, since nobody has translated it. */
  readonly untranslated: ReadonlySet<string>
}

/**
 * A form in another language (decisions §21): its texts in the place of its own, but for the labels that answers name,
 * beside which those of the language stand (`twins`). What is not translated stays as it is.
 */
export function localised(content: Translatable, texts: FormTexts): Localised {
  const untranslated = new Set<string>()
  const spoken = said(content, (place) => {
    const key = storedKey(place)
    if (Object.hasOwn(texts, key)) return (texts[key] as { text: string }).text
    untranslated.add(place.base)
    return place.base
  })
  return { ...spoken, untranslated }
}
