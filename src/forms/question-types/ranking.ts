import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { readStrings, requireKnownLabels, shuffle } from './answers.ts'
import { labelList } from './fields.ts'
import { sizeOfControls } from './page-size.ts'
import { questionType } from './types.ts'

/** An option with its buttons to move it, on a page, in bytes. */
const RANK_SIZE = 700

export const ranking = questionType({
  type: 'ranking',
  meaning: 'Putting options in order.',
  fields: {
    rankOptions: labelList({
      min: 2,
      max: 100,
      noun: 'rank option',
      description: 'Labels of what is ranked.',
      example: ['Price', 'Quality'],
    }),
  },
  answerSchema: Type.Array(Type.String(), { description: 'All labels, best first.' }),
  accept: (value, _settings, place) => readStrings(value, place),
  pageSize: ({ rankOptions }) => sizeOfControls(rankOptions, RANK_SIZE),
  isEmpty: (answer) => answer.length === 0,
  check(answer, { rankOptions }, place) {
    requireKnownLabels(rankOptions, answer, place)
    if (answer.length < rankOptions.length) throw invalid(place, rule('rank_all', { count: rankOptions.length }))
  },
  sample: (settings, random) => shuffle(settings.rankOptions, random),
  text: (answer) => answer.map((label, index) => `${index + 1}. ${label}`).join('\n'),
})
