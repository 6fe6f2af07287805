import { checkNamed } from '../conditions/named.ts'
import { conditionsAsJson, parseConditions } from '../conditions/parse.ts'
import type { Reader } from '../db/index.ts'
import { invalid, rule } from '../errors.ts'
import { type Trigger, triggerNames, triggers } from '../kinds/rules.ts'
import { checkName } from '../lib/input/names.ts'
import { ownValue, readBoolean, readFields, readString } from '../lib/input/read.ts'
import { readSpan, spanText } from '../lib/input/spans.ts'
import { checkActions, parseActions } from './actions/parse.ts'
import type { RuleDefinition } from './model.ts'

const KEYS = ['name', 'on', 'when', 'then', 'enabled', 'after', 'before'] as const

/** What a trigger that goes by the clock is told, and under which key. */
const spanKeys: Partial<Record<Trigger, 'after' | 'before'>> = {
  'ticket.waiting': 'after',
  'ticket.due_soon': 'before',
}

/** How the span of a trigger is called, or undefined where it has none. */
export const spanKeyOf = (trigger: Trigger) => spanKeys[trigger]

/**
 * What makes a rule, from JSON (decisions §17). Throws `invalid_request` naming the place for whatever is unknown, missing or
 * of the wrong kind. `checkDefinition` asks whether there is what it names.
 */
export function readDefinition(given: unknown): RuleDefinition {
  const fields = readFields(given, KEYS, '')
  const name = checkName(readString(fields.name ?? '', 1000, 'name').toWellFormed())
  const on = triggerNames.find((one) => one === fields.on)
  if (!on) throw invalid('on', rule('one_of', { choices: triggerNames.join(', ') }))
  const subject = triggers[on]
  return {
    name,
    on,
    span: readSpanOf(on, fields),
    conditions: parseConditions(fields.when, 'when', subject),
    actions: parseActions(fields.then, 'then', subject),
    enabled: fields.enabled === null ? true : readBoolean(fields.enabled, 'enabled'),
  }
}

function readSpanOf(on: Trigger, fields: Record<'after' | 'before', unknown>): number | null {
  const wanted = spanKeys[on]
  for (const key of ['after', 'before'] as const) {
    const given = fields[key]
    if (key !== wanted && given !== null) throw invalid(key, rule('unknown_field'))
    if (key === wanted && given === null) throw invalid(key, rule('required'))
  }
  return wanted ? readSpan(readString(fields[wanted], 20, wanted), wanted) : null
}

/** Throws `invalid_request`, naming the place, where the rule names what the tenant does not have. */
export async function checkDefinition(db: Reader, tenantId: string, definition: RuleDefinition): Promise<void> {
  await checkNamed(db, tenantId, definition.conditions, 'when')
  await checkActions(db, tenantId, definition.actions, 'then')
}

/** The definition as it was given. */
export function definitionAsJson({ name, on, span, conditions, actions, enabled }: RuleDefinition) {
  const key = spanKeys[on]
  return {
    name,
    enabled,
    on,
    ...(key && span !== null ? { [key]: spanText(span) } : {}),
    when: conditions && conditionsAsJson(conditions),
    then: actions,
  }
}

/** What is changed of a definition, laid over it: what is left out stays. */
export function changedDefinition(before: RuleDefinition, given: unknown): RuleDefinition {
  const changes = readFields(given, KEYS, '')
  const kept = definitionAsJson(before) as Record<string, unknown>
  const isOther = changes.on !== null && changes.on !== before.on
  const whole = Object.fromEntries(
    KEYS.map((key) => {
      const isGiven =
        ownValue(given as Record<string, unknown>, key) !== null ||
        (key === 'when' && Object.hasOwn(given as object, key))
      // Another trigger has a span of its own, or none.
      const stays = !((key === 'after' || key === 'before') && isOther)
      return [key, isGiven ? changes[key] : stays ? kept[key] : null]
    }),
  )
  return readDefinition(whole)
}
