import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { nullable } from '../../http/requests/schemas.ts'
import { quote, readFields, readString } from '../../lib/input/read.ts'
import {
  MAX_ANSWER_LENGTH,
  part,
  pick,
  pickInteger,
  readOptionalString,
  readStrings,
  requireKnownLabels,
  shuffle,
} from './answers.ts'
import { labelList, optionalInt32, optionalLabel } from './fields.ts'
import { sizeOfControls } from './page-size.ts'
import { questionType } from './types.ts'

const options = labelList({
  min: 2,
  max: 500,
  noun: 'option',
  description: 'Labels of the options.',
  example: ['Free', 'Pro'],
})
const otherText = optionalLabel('Label of a free-text other option; null for none.')
const other = nullable(Type.String({ description: 'What was typed for the free-text other option.' }))

export const chooseOne = singleChoice('choose_one', 'Single choice (radio buttons).')
export const dropdown = singleChoice('dropdown', 'Single choice as a dropdown.')
export const chooseAny = multipleChoice('choose_any', 'Multiple choice (checkboxes).')
export const multiDropdown = multipleChoice('multi_dropdown', 'Multiple choice as a dropdown.')

interface ChoiceSettings {
  options: string[]
  otherText: string | null
}

function singleChoice<const Name extends string>(type: Name, meaning: string) {
  return questionType({
    type,
    meaning,
    fields: { options, otherText },
    answerSchema: Type.Object({
      selected: nullable(Type.String({ description: 'The chosen label; null with a free-text other.' })),
      other,
    }),
    accept(value, _settings, place) {
      const given = readFields(value, ['selected', 'other'], place)
      return {
        selected:
          given.selected === null ? null : readString(given.selected, MAX_ANSWER_LENGTH, part(place, '.selected')),
        other: readOther(given.other, place),
      }
    },
    pageSize: ({ options }) => sizeOfControls(options),
    isEmpty: (answer) => answer.selected === null && answer.other === null,
    check(answer, settings, place) {
      if (answer.selected !== null && answer.other !== null) {
        throw invalid(place, rule('option_or_other'))
      }
      requireKnownLabels(settings.options, answer.selected === null ? [] : [answer.selected], place)
      requireOtherOffered(answer.other, settings, place)
    },
    sample: (settings, random) =>
      settings.otherText !== null && random() < 0.1
        ? { selected: null, other: 'Something else' }
        : { selected: pick(settings.options, random), other: null },
    text: (answer) => answer.selected ?? answer.other ?? '',
  })
}

function multipleChoice<const Name extends string>(type: Name, meaning: string) {
  return questionType({
    type,
    meaning,
    fields: {
      options,
      otherText,
      minSelections: optionalInt32('The fewest options to select; null for no limit.'),
      maxSelections: optionalInt32('The most options to select; null for no limit.'),
    },
    answerSchema: Type.Object({
      selected: Type.Array(Type.String(), { description: 'The chosen labels.' }),
      other,
    }),
    checkSettings(settings, place) {
      const { minSelections: min, maxSelections: max } = settings
      const most = selectable(settings)
      if (min !== null && (min < 0 || min > most))
        throw invalid(`${place}.minSelections`, rule('between', { least: 0, most }))
      if (max !== null && (max < 1 || max > most))
        throw invalid(`${place}.maxSelections`, rule('between', { least: 1, most }))
      if (min !== null && max !== null && min > max) {
        throw invalid(`${place}.minSelections`, rule('selections'))
      }
    },
    accept(value, _settings, place) {
      const given = readFields(value, ['selected', 'other'], place)
      return {
        selected: given.selected === null ? [] : readStrings(given.selected, place, '.selected'),
        other: readOther(given.other, place),
      }
    },
    pageSize: ({ options }) => sizeOfControls(options),
    isEmpty: (answer) => answer.selected.length === 0 && answer.other === null,
    check(answer, settings, place) {
      requireKnownLabels(settings.options, answer.selected, place)
      requireOtherOffered(answer.other, settings, place)
      const count = answer.selected.length + (answer.other === null ? 0 : 1)
      const { minSelections: min, maxSelections: max } = settings
      if (min !== null && count < min) throw invalid(place, rule('too_few_selections', { count: min }))
      if (max !== null && count > max) throw invalid(place, rule('too_many_selections', { count: max }))
    },
    sample(settings, random) {
      const few = Math.max(1, settings.minSelections ?? 1)
      const many = Math.max(few, settings.maxSelections ?? Math.min(3, settings.options.length))
      const count = pickInteger(few, Math.min(many, selectable(settings)), random)
      const selected = shuffle(settings.options, random).slice(0, count)
      return { selected, other: count > selected.length ? 'Something else' : null }
    },
    text: (answer) => [...answer.selected, ...(answer.other === null ? [] : [answer.other])].join(', '),
  })
}

/** How many selections can be made: the free-text other counts as one. */
function selectable(settings: ChoiceSettings): number {
  return settings.options.length + (settings.otherText === null ? 0 : 1)
}

function readOther(value: unknown, place: string): string | null {
  return readOptionalString(value, MAX_ANSWER_LENGTH, part(place, '.other'))
}

function requireOtherOffered(given: string | null, settings: ChoiceSettings, place: string): void {
  if (given !== null && settings.otherText === null) {
    throw invalid(place, rule('no_other', { text: quote(given) }))
  }
}
