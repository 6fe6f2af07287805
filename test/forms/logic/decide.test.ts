import { describe, expect, test } from 'bun:test'
import { decide } from '../../../src/forms/logic/decide.ts'
import { operators } from '../../../src/forms/logic/model.ts'
import { questionTypeNames } from '../../../src/forms/question-types/index.ts'
import { cases } from './cases.ts'
import { numbered } from './numbered.ts'
import { typesWithCases } from './type-cases.ts'

describe('what is shown', () => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    const { logic, idOf, pageIds } = numbered(each.form)
    const answers = new Map(Object.entries(each.answers).map(([name, value]) => [idOf(name), value]))
    const decision = decide(logic, (id) => answers.get(id), each.hidden ?? {})
    const names = each.form.pages.flatMap(({ questions }) => questions.map(({ friendlyId }) => friendlyId))
    expect(names.filter((name) => decision.isShown(idOf(name)))).toEqual([...each.shown])
    expect(pageIds.map((id) => decision.isPageShown(id))).toEqual(
      pageIds.map((_, index) => each.shownPages?.includes(index) ?? true),
    )
    expect(decision.variables).toEqual(each.variables ?? {})
    expect(decision.end).toBe(each.end ?? null)
  })

  test('the cases are about every type and every operator', () => {
    expect([...typesWithCases].sort()).toEqual([...questionTypeNames].sort())
    const text = JSON.stringify(cases)
    for (const operator of operators) expect(text).toContain(`"op":"${operator}"`)
  })

  test('a form of 200 questions with 20 conditions each is decided in a few milliseconds', () => {
    const condition = (index: number) => ({ question: `Q${index}`, op: 'contains_not', value: 'nothing of the kind' })
    const questions = Array.from({ length: 200 }, (_, index) => ({
      type: 'textbox',
      friendlyId: `Q${index}`,
      showIf:
        index === 0 ? null : { match: 'all', conditions: Array.from({ length: 20 }, (_, at) => condition(at % index)) },
    }))
    const variables = Array.from({ length: 20 }, (_, index) => ({
      name: `V${index}`,
      formula:
        index === 0
          ? '{Q0}'
          : Array(50)
              .fill(`{V${index - 1}}`)
              .join(' + '),
    }))
    const { logic, idOf } = numbered({ pages: [{ questions }], variables })
    let asked = 0
    const answer = () => {
      asked++
      // Else it would be asked for hours, of which no limit of a test hears.
      if (asked > 100_000) throw new Error('asked again and again')
      return 'a'.repeat(200)
    }
    const decision = decide(logic, answer, {})
    expect(decision.isShown(idOf('Q199'))).toBe(true)
    // Once for each condition, and once for the variables: each of those is worked out once.
    expect(asked).toBe(199 * 20 + 1)
    const times = Array.from({ length: 10 }, () => {
      const started = process.threadCpuUsage()
      decide(logic, answer, {})
      const { user, system } = process.threadCpuUsage(started)
      return (user + system) / 1000
    })
    // The quickest: whatever else runs on the machine makes others longer, and never shorter.
    expect(Math.min(...times)).toBeLessThan(100)
  })
})
