import { comparableTagName } from '../tags/names.ts'
import { fieldNamed } from './fields.ts'
import { type Condition, type Conditions, fold, isGroup } from './model.ts'

/**
 * The conditions, naming a tag as it is called from now on where they named it as it was; those that name it nowhere come
 * back as they are. What they look for inside of names stays.
 */
export function withTagRenamed(conditions: Conditions | null, from: string, to: string): Conditions | null {
  if (conditions === null) return null
  const members = conditions.members.map((member) => {
    if (!isGroup(member)) return conditionWithTagRenamed(member, from, to)
    const inner = member.members.map((one) => conditionWithTagRenamed(one, from, to))
    return inner.some((one, index) => one !== member.members[index]) ? { ...member, members: inner } : member
  })
  return members.some((member, index) => member !== conditions.members[index]) ? { ...conditions, members } : conditions
}

function conditionWithTagRenamed(condition: Condition, from: string, to: string): Condition {
  const { field, operator, value } = condition
  const isWhole = operator === 'is' || operator === 'is_not' || operator === 'one_of'
  if (fieldNamed(field)?.kind !== 'tags' || !isWhole) return condition
  const names = [value].flat().map(String)
  const renamed = namesWithTagRenamed(names, from, to)
  if (renamed === names) return condition
  return {
    ...condition,
    value: operator === 'one_of' ? renamed : (renamed[0] as string),
    texts: renamed.map((name) => fold(name).trim()),
  }
}

/** Names of tags, with the new one where the old one stood, and once; the same list where it did not. */
export function namesWithTagRenamed(names: readonly string[], from: string, to: string): readonly string[] {
  const [old, wanted] = [comparableTagName(from), comparableTagName(to)]
  const at = names.findIndex((name) => comparableTagName(name) === old)
  if (at < 0) return names
  const others = names.map((name) => (comparableTagName(name) === old ? to : name))
  return others.filter((name, index) => index === at || comparableTagName(name) !== wanted)
}
