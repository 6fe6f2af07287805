/* What a rule or a promise asks before it holds (decisions §17). */

export type { Subject } from '../kinds/subjects.ts'

/** How a field is compared with what a condition says. */
export const operators = [
  'is',
  'is_not',
  'one_of',
  'contains',
  'contains_not',
  'starts_with',
  'at_least',
  'at_most',
  'empty',
] as const
export type Operator = (typeof operators)[number]

/** What is known of one field: nothing, one text or several, as `fold` has them, and the number that it is, if it is one. */
export interface Fact {
  readonly texts: readonly string[]
  readonly number: number | null
}

/** What is known of an event, by the names of fields as `comparableField` has them. What is missing is empty. */
export type Facts = ReadonlyMap<string, Fact>

/** One question to the facts, as it was checked: read it from `parseConditions` alone. */
export interface Condition {
  readonly field: string
  /** The name by which facts know the field. */
  readonly key: string
  readonly operator: Operator
  /** As it was given. */
  readonly value: string | number | boolean | readonly string[]
  /** The texts that are compared, as `fold` has them. */
  readonly texts: readonly string[]
}

/** All of these have to hold, or any of them. */
export interface Group<Member> {
  readonly match: 'all' | 'any'
  readonly members: readonly Member[]
}

/** Conditions, nested one level. */
export type Conditions = Group<Condition | Group<Condition>>

/** Whether it is a group of conditions, and no condition. */
export function isGroup(member: Condition | Group<Condition>): member is Group<Condition> {
  return 'members' in member
}

/** A text as conditions compare it: without regard to case, and to how its marks are written. */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
