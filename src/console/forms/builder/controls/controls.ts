import type { questionTypes } from '../../../../forms/question-types/table.ts'
import { html, type Markup } from '../../../../lib/html/markup.ts'
import { isCurrency } from '../../../../lib/language/currencies.ts'
import { checkbox, field, select, textArea } from '../../../components/forms.ts'
import type { Again, Visit } from '../../../visit.ts'
import type { SayConsole } from '../../../words/index.ts'
import { contactFieldsControl } from './contact-fields.ts'
import type { Control, Settings } from './control.ts'
import { fromAmount, moneyField } from './money.ts'
import { scalesControl } from './scales-control.ts'

type SettingsIn<E> = E extends { readonly fields: infer F } ? keyof F & string : never
/** A field that some question type has beside those that all have. */
export type SettingName = SettingsIn<(typeof questionTypes)[number]>

/** Every setting of every question type. */
export const controls: { readonly [N in SettingName]: Control } = {
  options: lines('options'),
  otherText: text('otherText', (say) => say('set_otherText_help')),
  minSelections: whole('minSelections'),
  maxSelections: whole('maxSelections'),
  scales: scalesControl,
  scaleStart: whole('scaleStart'),
  scaleEnd: whole('scaleEnd'),
  trueLabel: text('trueLabel'),
  falseLabel: text('falseLabel'),
  icon: choice('icon', ['thumbs', 'tick_cross', 'faces']),
  maxStars: whole('maxStars'),
  rows: whole('rows'),
  inputLimitation: choice('inputLimitation', ['', 'email', 'telephone', 'url', 'integer', 'letters']),
  rowHeadings: lines('rowHeadings'),
  columnHeadings: lines('columnHeadings'),
  lastColumnIsNotWeighted: flag('lastColumnIsNotWeighted'),
  rankOptions: lines('rankOptions'),
  contactFields: contactFieldsControl,
  datePlaceholder: text('datePlaceholder'),
  startDatePlaceholder: text('startDatePlaceholder'),
  endDatePlaceholder: text('endDatePlaceholder'),
  collectTime: flag('collectTime'),
  fileUploadSlots: lines('fileUploadSlots'),
  maxFiles: whole('maxFiles'),
  amount: { show: moneyField, read: (sent) => fromAmount(sent.text('amount'), sent.text('currency')) },
  currency: {
    show: (visit, question, again) =>
      select(visit, {
        name: 'currency',
        label: visit.wording.say('set_currency'),
        options: [['', visit.wording.say('set_currency_none')], ...currencies(visit)],
        value: stringOf(question.currency),
        again,
      }),
    read: (sent) => sent.text('currency') || null,
  },
  formula: text('formula', (say) => say('set_formula_help', { example: '{SEATS} * 1200' })),
}

type Texts = 'otherText' | 'trueLabel' | 'falseLabel' | 'formula' | `${'d' | 'startD' | 'endD'}atePlaceholder`
type Wholes = 'minSelections' | 'maxSelections' | 'scaleStart' | 'scaleEnd' | 'maxStars' | 'rows' | 'maxFiles'
type Lists = 'options' | 'rowHeadings' | 'columnHeadings' | 'rankOptions' | 'fileUploadSlots'

/** A line of text; empty, it is left out. */
function text(name: Texts, help?: (say: SayConsole) => string): Control {
  return {
    show: (visit, question, again) =>
      field(visit, {
        name,
        label: visit.wording.say(`set_${name}`),
        ...(help && { help: help(visit.wording.say) }),
        value: stringOf(question[name]),
        again,
      }),
    read: (sent) => sent.text(name) || null,
  }
}

/** A whole number; empty, it is left out. What is none is for the operation to refuse. */
function whole(name: Wholes): Control {
  return {
    show: (visit, question, again) =>
      field(visit, {
        name,
        label: visit.wording.say(`set_${name}`),
        inputMode: 'numeric',
        value: question[name] as number | null,
        again,
      }),
    read: (sent) => numberIn(sent.text(name)),
  }
}

/** One on each line. Labels that hold a line break themselves, which the API takes, stay as long as nobody changes any. */
function lines(name: Lists): Control {
  const written = (question: Settings) => (question[name] as readonly string[]).join('\n')
  return {
    show(visit, question, again) {
      const value = written(question)
      const rows = Math.min(12, Math.max(4, value.split('\n').length + 1))
      const { say } = visit.wording
      return textArea(visit, {
        name,
        label: say(`set_${name}`),
        help: say('setLines'),
        required: true,
        value,
        rows,
        again,
      })
    },
    read: (sent, question) =>
      sent.text(name) === written(question).trim() ? question[name] : linesIn(sent.text(name)).map(({ text }) => text),
    fieldAt: (part, sent) => {
      const index = /^\[(\d+)\]/.exec(part)?.[1]
      const line = index === undefined ? undefined : linesIn(sent.text(name))[Number(index)]?.line
      return line === undefined ? { field: name } : { field: name, line }
    },
  }
}

function flag(name: 'lastColumnIsNotWeighted' | 'collectTime'): Control {
  return {
    show: (visit, question, again) =>
      checkbox(visit, { name, label: visit.wording.say(`set_${name}`), checked: question[name] === true, again }),
    read: (sent) => sent.has(name),
  }
}

function choice<const W extends string>(name: 'icon' | 'inputLimitation', words: readonly W[]): Control {
  return {
    show(visit, question, again) {
      const { say } = visit.wording
      const options = words.map((word) => [word, say(`set_${name}_${word || 'none'}` as 'set_icon_thumbs')] as const)
      return select(visit, { name, label: say(`set_${name}`), options, value: stringOf(question[name]), again })
    },
    read: (sent) => sent.text(name) || null,
  }
}

/** What was typed as a number where it is one, else as it is. */
function numberIn(text: string): number | string | null {
  if (text === '') return null
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : text
}

/** The lines that hold something, with their numbers from 1. */
function linesIn(text: string): { text: string; line: number }[] {
  return text
    .split('\n')
    .flatMap((given, index) => (given.trim() === '' ? [] : { text: given.trim(), line: index + 1 }))
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const currencyNames = new Map<string, [string, string][]>()

function currencies({ wording }: Visit): readonly [string, string][] {
  const known = currencyNames.get(wording.locale)
  if (known) return known
  const names = new Intl.DisplayNames(wording.locale, { type: 'currency' })
  const made = Intl.supportedValuesOf('currency')
    .filter(isCurrency)
    .map((code): [string, string] => [code, `${code} – ${names.of(code) ?? code}`])
  currencyNames.set(wording.locale, made)
  return made
}

/** The fields of a question's type, in their own order; one below the other. */
export function settingFields(
  visit: Visit,
  names: readonly string[],
  question: Settings,
  again: Again | undefined,
): Markup[] {
  return names.map((name) => html`${controls[name as SettingName].show(visit, question, again)}`)
}
