import type { Conditions } from '../conditions/model.ts'
import { conditionsAsJson, parseConditions } from '../conditions/parse.ts'
import { invalid, rule } from '../errors.ts'
import { type PromiseKind, promiseKinds, type Target, type Targets } from '../kinds/promises.ts'
import { priorities } from '../kinds/tickets.ts'
import { checkName } from '../lib/input/names.ts'
import { ownValue, quote, readFields, readObject, readString } from '../lib/input/read.ts'
import { readSpan, spanText } from '../lib/input/spans.ts'
import type { ServicePromise } from './model.ts'

const MAX_SPAN = 20

/** What somebody promises, as they gave it. */
export type PromiseInput = Omit<ServicePromise, 'id'> & { readonly conditions: Conditions | null }

/**
 * A promise as it was given: conditions as rules have them (decisions §17), and at least one target. Throws `invalid_request`
 * naming the place; whether there is what the conditions name is asked by `checkNamed`.
 */
export function parsePromise(given: unknown): PromiseInput {
  const { name, when, targets } = readFields(given, ['name', 'when', 'targets'], 'promise')
  if (name === null) throw invalid('name', rule('required'))
  if (targets === null) throw invalid('targets', rule('required'))
  const conditions = parseConditions(when, 'when', 'ticket')
  return {
    name: checkName(readString(name, 1000, 'name')),
    when: conditions && conditionsAsJson(conditions),
    conditions,
    targets: parseTargets(targets),
  }
}

function parseTargets(given: unknown): Targets {
  const byPriority = readObject(given, 'targets')
  for (const name of Object.keys(byPriority)) {
    if (!priorities.some((priority) => priority === name)) {
      throw invalid('targets', rule('priority_unknown', { name: quote(name), choices: priorities.join(', ') }))
    }
  }
  const targets = priorities.flatMap((priority) => {
    const target = parseTarget(ownValue(byPriority, priority), `targets.${priority}`)
    return Object.keys(target).length === 0 ? [] : [[priority, target] as const]
  })
  if (targets.length === 0) throw invalid('targets', rule('target_needed'))
  return Object.fromEntries(targets)
}

function parseTarget(given: unknown, place: string): Target {
  if (given === null) return {}
  const spans = readFields(given, promiseKinds, place)
  const read = (kind: PromiseKind) => {
    const span = spans[kind]
    if (span === null) return []
    const at = `${place}.${kind}`
    return [[kind, spanText(readSpan(readString(span, MAX_SPAN, at), at))] as const]
  }
  return Object.fromEntries(promiseKinds.flatMap(read))
}
