import type { NumberedQuestion } from '../../../forms/question-types/index.ts'
import type { ChoiceAnswer } from '../counted.ts'
import { Labels } from './labels.ts'
import { settingsOf, type Tally } from './result.ts'

export function choices(question: NumberedQuestion): Tally {
  const labels = new Labels(settingsOf(question, 'choose_one').options)
  let [answered, other] = [0, 0]
  return {
    add({ value }, _asked, times) {
      const given = value as ChoiceAnswer
      answered += times
      for (const label of [given.selected ?? []].flat()) labels.add(label, times)
      if (given.other !== null) other += times
    },
    result: () => ({
      kind: 'choices',
      answered,
      counts: labels.list(),
      other,
      several: question.type === 'choose_any' || question.type === 'multi_dropdown',
    }),
  }
}

export function binary(question: NumberedQuestion): Tally {
  const { trueLabel, falseLabel } = settingsOf(question, 'binary')
  const counts = [0, 0]
  return {
    add({ value }, _asked, times) {
      counts[value ? 0 : 1] = (counts[value ? 0 : 1] as number) + times
    },
    result: () => ({
      kind: 'choices',
      answered: (counts[0] as number) + (counts[1] as number),
      counts: [trueLabel, falseLabel].map((label, index) => ({ label, count: counts[index] as number })),
      other: 0,
      several: false,
    }),
  }
}
