import type { promises } from '../../../../errors/rules/promises.ts'
import type { RuleWords } from '../../rules.ts'

export const promisesRules = {
  rule_target_needed: 'Promise at least one time.',
  rule_priority_unknown: '{name} is not a priority. Use {choices}.',
  rule_too_many_promises: 'There are {most} promises already: delete one first.',
  rule_promise_taken: 'There is a promise of this name already.',
} as const satisfies RuleWords<typeof promises>
