import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { readBoolean, readInteger, readNumber } from '../../lib/input/read.ts'
import { pickInteger } from './answers.ts'
import { int32Or, labelOr, wordOr } from './fields.ts'
import { questionType } from './types.ts'

const NPS_MAX = 10

export const nps = questionType({
  type: 'nps',
  meaning: 'Net promoter score, 0 to 10.',
  fields: {},
  answerSchema: Type.Integer({ description: 'From 0 to 10.' }),
  accept: (value, _settings, place) => readInteger(value, place),
  check(answer, _settings, place) {
    if (answer < 0 || answer > NPS_MAX) throw invalid(place, rule('between', { least: 0, most: NPS_MAX }))
  },
  score: (answer) => ({ total: answer, max: NPS_MAX }),
  number: (answer) => answer,
  sample: (_settings, random) => pickInteger(0, NPS_MAX, random),
  text: String,
})

export const starRating = questionType({
  type: 'star_rating',
  meaning: 'Star rating.',
  fields: { maxStars: int32Or(5, 'How many stars there are.', { min: 1, max: 10 }) },
  answerSchema: Type.Integer({ description: 'From 1 to maxStars.' }),
  accept: (value, _settings, place) => readInteger(value, place),
  check(answer, { maxStars }, place) {
    if (answer < 1 || answer > maxStars) throw invalid(place, rule('between', { least: 1, most: maxStars }))
  },
  score: (answer, { maxStars }) => ({ total: answer, max: maxStars }),
  number: (answer) => answer,
  sample: (settings, random) => pickInteger(1, settings.maxStars, random),
  text: String,
})

export const numeric = questionType({
  type: 'numeric',
  meaning: 'A number.',
  fields: {},
  answerSchema: Type.Number(),
  accept: (value, _settings, place) => readNumber(value, place),
  number: (answer) => answer,
  sample: (_settings, random) => pickInteger(1, 100, random),
  text: String,
})

export const binary = questionType({
  type: 'binary',
  meaning: 'Yes or no, true or false.',
  fields: {
    trueLabel: labelOr('Yes', 'Label of true.'),
    falseLabel: labelOr('No', 'Label of false.'),
    icon: wordOr(['thumbs', 'tick_cross', 'faces'], 'thumbs', 'The pair of icons shown.'),
  },
  answerSchema: Type.Boolean(),
  accept: (value, _settings, place) => readBoolean(value, place),
  number: (answer) => (answer ? 1 : 0),
  sample: (_settings, random) => random() < 0.5,
  text: (answer, settings) => (answer ? settings.trueLabel : settings.falseLabel),
})
