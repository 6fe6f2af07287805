import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { readFields, readList } from '../../lib/input/read.ts'
import { MAX_ANSWER_ITEMS, part, pickInteger, readIndex, requireKnownIndexes } from './answers.ts'
import { flag, labelList } from './fields.ts'
import { sizeOfControls } from './page-size.ts'
import { questionType } from './types.ts'

/**
 * Each answered row scores its column's index + 1 of the number of weighted columns. A row answered in a last column
 * that is not weighted ("does not apply") counts towards neither total nor max.
 */
export const matrix = questionType({
  type: 'matrix',
  meaning: 'Rows rated against a shared scale.',
  fields: {
    rowHeadings: labelList({
      min: 1,
      max: 100,
      noun: 'row heading',
      description: 'What is rated.',
      example: ['Speed', 'Price'],
    }),
    columnHeadings: labelList({
      min: 1,
      max: 100,
      noun: 'column heading',
      description: 'The steps of the scale.',
      example: ['Poor', 'Fair', 'Good'],
    }),
    lastColumnIsNotWeighted: flag('Whether the last column scores nothing.'),
  },
  answerSchema: Type.Array(
    Type.Object({
      row: Type.Integer({ description: 'Index into rowHeadings.' }),
      column: Type.Integer({ description: 'Index into columnHeadings.' }),
    }),
  ),
  accept: (value, _settings, place) =>
    readList(value, MAX_ANSWER_ITEMS, place).map((item, index) => {
      const given = readFields(item, ['row', 'column'], part(place, `[${index}]`))
      return {
        row: readIndex(given.row, part(place, `[${index}].row`)),
        column: readIndex(given.column, part(place, `[${index}].column`)),
      }
    }),
  pageSize: ({ rowHeadings, columnHeadings }) =>
    sizeOfControls(rowHeadings) + rowHeadings.length * sizeOfControls(columnHeadings),
  isEmpty: (answer) => answer.length === 0,
  check(answer, { rowHeadings, columnHeadings }, place, required) {
    const rows = answer.map(({ row }) => row)
    requireKnownIndexes(rows, { count: rowHeadings.length, noun: 'row', all: required }, place)
    for (const { column } of answer) {
      if (column >= columnHeadings.length) throw invalid(place, rule('column_unknown', { column }))
    }
  },
  score(answer, { columnHeadings, lastColumnIsNotWeighted }) {
    const weighted = columnHeadings.length - (lastColumnIsNotWeighted ? 1 : 0)
    const scored = answer.filter(({ column }) => column < weighted)
    return { total: scored.reduce((sum, { column }) => sum + column + 1, 0), max: scored.length * weighted }
  },
  sample: ({ rowHeadings, columnHeadings }, random) =>
    rowHeadings.map((_, row) => ({ row, column: pickInteger(0, columnHeadings.length - 1, random) })),
  text: (answer, { rowHeadings, columnHeadings }) =>
    answer.map(({ row, column }) => `${rowHeadings[row] ?? row}: ${columnHeadings[column] ?? column}`).join('\n'),
})
