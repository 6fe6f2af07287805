import { type Condition, type Conditions, type Fact, type Facts, type Group, isGroup, type Operator } from './model.ts'

/** Whether conditions hold; if not, the place of the one that failed first, such as `all[1].any[0]`. */
export type Outcome = { readonly holds: true } | { readonly holds: false; readonly failed: string }

const HOLDS: Outcome = { holds: true }
const NOTHING: Fact = { texts: [], number: null }

/** Whether the conditions hold of these facts. None at all always do. */
export function evaluate(conditions: Conditions | null, facts: Facts): Outcome {
  if (conditions === null) return HOLDS
  const failed = failedIn(conditions, facts)
  return failed === null ? HOLDS : { holds: false, failed }
}

/** The place of what failed first in a group, or null where it holds. Asked a hundred times an event: it makes nothing on its way. */
function failedIn({ match, members }: Group<Condition | Group<Condition>>, facts: Facts): string | null {
  let first: string | null = null
  for (let index = 0; index < members.length; index++) {
    const member = members[index] as Condition | Group<Condition>
    const inner = isGroup(member) ? failedIn(member, facts) : holds(member, facts) ? null : ''
    if (inner === null) {
      if (match === 'any') return null
      continue
    }
    if (match === 'all' || first === null) first = inner === '' ? `${match}[${index}]` : `${match}[${index}].${inner}`
    if (match === 'all') return first
  }
  return first
}

const holds = (condition: Condition, facts: Facts): boolean =>
  tests[condition.operator](facts.get(condition.key) ?? NOTHING, condition)

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
