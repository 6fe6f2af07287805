import { comparableField } from './fields.ts'
import { type Condition, type Conditions, type Fact, type Facts, type Group, isGroup, type Operator } from './model.ts'

/** Whether conditions hold; if not, the place of the one that failed first, such as `all[1].any[0]`. */
export type Outcome = { readonly holds: true } | { readonly holds: false; readonly failed: string }

const HOLDS: Outcome = { holds: true }
const NOTHING: Fact = { texts: [], number: null }

/** Whether the conditions hold of these facts. None at all always do. */
export function evaluate(conditions: Conditions | null, facts: Facts): Outcome {
  if (conditions === null) return HOLDS
  return evaluateGroup(conditions, (member) =>
    isGroup(member) ? evaluateGroup(member, (condition) => evaluateOne(condition, facts)) : evaluateOne(member, facts),
  )
}

function evaluateGroup<Member>({ match, members }: Group<Member>, look: (member: Member) => Outcome): Outcome {
  let first: Outcome = HOLDS
  for (const [index, member] of members.entries()) {
    const outcome = look(member)
    if (outcome.holds) {
      if (match === 'any') return outcome
      continue
    }
    const inside = outcome.failed === '' ? '' : `.${outcome.failed}`
    if (first.holds) first = { holds: false, failed: `${match}[${index}]${inside}` }
    if (match === 'all') return first
  }
  return first
}

function evaluateOne(condition: Condition, facts: Facts): Outcome {
  const fact = facts.get(comparableField(condition.field)) ?? NOTHING
  return tests[condition.operator](fact, condition) ? HOLDS : { holds: false, failed: '' }
}

const isOne = ({ texts, number }: Fact, wanted: Condition) =>
  wanted.texts.some((text) => texts.includes(text)) || (number !== null && number === wanted.value)

const contains = ({ texts }: Fact, { texts: [wanted = ''] }: Condition) => texts.some((text) => text.includes(wanted))

const tests: Readonly<Record<Operator, (fact: Fact, condition: Condition) => boolean>> = {
  is: isOne,
  is_not: (fact, condition) => !isOne(fact, condition),
  one_of: isOne,
  contains,
  contains_not: (fact, condition) => !contains(fact, condition),
  starts_with: ({ texts }, { texts: [wanted = ''] }) => texts.some((text) => text.startsWith(wanted)),
  at_least: ({ number }, { value }) => number !== null && number >= (value as number),
  at_most: ({ number }, { value }) => number !== null && number <= (value as number),
  empty: ({ texts, number }, { value }) => (texts.length === 0 && number === null) === value,
}
