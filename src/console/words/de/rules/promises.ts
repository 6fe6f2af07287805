import type { Translation } from '../../../../words/sentences.ts'
import type { promisesRules as english } from '../../en/rules/promises.ts'

export const promisesRules: Translation<typeof english> = {
  rule_target_needed: 'Versprechen Sie mindestens eine Zeit.',
  rule_priority_unknown: '{name} ist keine Priorität. Verwenden Sie {choices}.',
  rule_too_many_promises: 'Es gibt schon {most} Zusagen: Löschen Sie zuerst eine.',
  rule_promise_taken: 'Eine Zusage dieses Namens gibt es schon.',
}
