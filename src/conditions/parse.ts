import { invalid, rule } from '../errors.ts'
import { isBlank, quote, readBoolean, readList, readNumber, readObject, readString } from '../lib/input/read.ts'
import { comparableField, type Field, familyOf, fieldNamed, fieldNames, operatorsOf } from './fields.ts'
import { type Condition, type Conditions, fold, type Group, type Operator, operators, type Subject } from './model.ts'

/** Members of a group, and values of a condition, at most. */
const MAX_MEMBERS = 50
const MAX_VALUES = 100
/** Characters of a value at most. */
const MAX_VALUE = 500
/** Characters of a field's name at most. */
const MAX_FIELD = 300

/**
 * The conditions that somebody gives as JSON, of records of this kind; null for none, which always hold. `place` is where
 * they stand. Throws `invalid_request` naming the place for an unknown field or word, for a field that such records do not
 * have, for an operator that a field does not take and for a value of the wrong kind. Whether the records exist that they
 * name is asked by `checkNamed`.
 */
export function parseConditions(given: unknown, place: string, subject: Subject): Conditions | null {
  if (given === undefined || given === null) return null
  return readGroup(given, place, (member, at) =>
    isGroupGiven(member)
      ? readGroup(member, at, (inner, innermost) => readCondition(inner, innermost, subject))
      : readCondition(member, at, subject),
  )
}

const isGroupGiven = (given: unknown) =>
  typeof given === 'object' &&
  given !== null &&
  !Object.hasOwn(given, 'field') &&
  (Object.hasOwn(given, 'all') || Object.hasOwn(given, 'any'))

function readGroup<Member>(
  given: unknown,
  place: string,
  read: (member: unknown, place: string) => Member,
): Group<Member> {
  const [match, ...others] = Object.keys(readObject(given, place))
  if ((match !== 'all' && match !== 'any') || others.length > 0) throw invalid(place, rule('all_or_any'))
  const at = `${place}.${match}`
  const members = readList((given as Record<string, unknown>)[match], MAX_MEMBERS, at)
  if (members.length === 0) throw invalid(at, rule('too_few_items', { count: 1 }))
  return { match, members: members.map((member, index) => read(member, `${at}[${index}]`)) }
}

function readCondition(given: unknown, place: string, subject: Subject): Condition {
  const { field: name, ...rest } = readObject(given, place)
  const fieldPlace = `${place}.field`
  if (name === undefined) throw invalid(fieldPlace, rule('required'))
  const field = readField(readString(name, MAX_FIELD, fieldPlace), fieldPlace, subject)
  const [operator, ...others] = Object.keys(rest)
  if (operator === undefined)
    throw invalid(place, rule('operator_needed', { operators: operatorsOf[field.kind].join(', ') }))
  const known = operators.find((one) => one === operator)
  if (!known) throw invalid(place, rule('operator_unknown', { name: quote(operator), operators: operators.join(', ') }))
  if (others.length > 0) throw invalid(place, rule('one_operator'))
  if (!operatorsOf[field.kind].includes(known)) {
    throw invalid(`${place}.${known}`, rule('operator_unfit', { operators: operatorsOf[field.kind].join(', ') }))
  }
  return {
    field: name as string,
    key: comparableField(name as string),
    operator: known,
    ...readValue(rest[known], known, field, `${place}.${known}`),
  }
}

function readField(name: string, place: string, subject: Subject): Field {
  const field = fieldNamed(name)
  if (!field || !name.isWellFormed()) {
    throw invalid(place, rule('condition_field', { name: quote(name), fields: fieldNames.join(', ') }))
  }
  if (!field.of.includes(subject)) throw invalid(place, rule('condition_field_unfit', { name: quote(name), subject }))
  return field
}

function readValue(
  given: unknown,
  operator: Operator,
  field: Field,
  place: string,
): Pick<Condition, 'value' | 'texts'> {
  if (operator === 'empty') return { value: readBoolean(given, place), texts: [] }
  if (operator === 'at_least' || operator === 'at_most' || field.kind === 'number') {
    return { value: readNumber(given, place), texts: [] }
  }
  if (field.kind === 'flag') {
    const value = readBoolean(given, place)
    return { value, texts: [String(value)] }
  }
  if (operator !== 'one_of') return readOne(given, field, place)
  const list = readList(given, MAX_VALUES, place)
  if (list.length === 0) throw invalid(place, rule('too_few_items', { count: 1 }))
  const values = list.map((one, index) => readOne(one, field, `${place}[${index}]`))
  return { value: values.map(({ value }) => String(value)), texts: values.flatMap(({ texts }) => texts) }
}

/** Numbers stand for themselves where answers and groups are compared: both are numbers at times. */
function readOne(
  given: unknown,
  field: Field,
  place: string,
): Pick<Condition, 'value' | 'texts'> & { value: string | number } {
  if (typeof given === 'number' && (field.kind === 'value' || field.record === 'group')) {
    const value = readNumber(given, place)
    return { value, texts: [String(value)] }
  }
  const value = readString(given, MAX_VALUE, place)
  if (isBlank(value)) throw invalid(place, rule('not_blank'))
  if (!value.isWellFormed()) throw invalid(place, rule('surrogate'))
  if (field.words && !field.words.includes(value)) {
    throw invalid(place, rule('one_of', { choices: field.words.join(', ') }))
  }
  return { value, texts: [fold(value).trim()] }
}

/** The conditions as they were given. */
export function conditionsAsJson(conditions: Conditions): object {
  const one = ({ field, operator, value }: Condition) => ({ field, [operator]: value })
  return {
    [conditions.match]: conditions.members.map((member) =>
      'members' in member ? { [member.match]: member.members.map(one) } : one(member),
    ),
  }
}

/** Every condition with the place where it stands, beneath `place`. */
export function* eachCondition(conditions: Conditions | null, place: string): Generator<[Condition, string]> {
  if (conditions === null) return
  for (const [index, member] of conditions.members.entries()) {
    const at = `${place}.${conditions.match}[${index}]`
    if (!('members' in member)) yield [member, at]
    else for (const [inner, one] of member.members.entries()) yield [one, `${at}.${member.match}[${inner}]`]
  }
}

/** Whether the field is one of a family, such as `answer:`. */
export const isOfFamily = (name: string) => familyOf(name) !== undefined
