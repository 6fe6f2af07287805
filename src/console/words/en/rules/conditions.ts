import type { conditions } from '../../../../errors/rules/conditions.ts'
import type { RuleWords } from '../../rules.ts'

export const conditionsRules = {
  rule_all_or_any: 'Say whether all of it has to hold or any of it.',
  rule_condition_field: 'There is nothing called {name}. Choose one of the list.',
  rule_condition_field_unfit: 'This says nothing of {name}. Choose one of the list.',
  rule_operator_needed: 'Choose how it is compared.',
  rule_operator_unknown: 'There is no such way to compare. Choose one of the list.',
  rule_one_operator: 'Choose one way to compare.',
  rule_operator_unfit: 'This cannot be compared so. Choose another way.',
  rule_tag_unknown: 'There is no such tag.',
  rule_form_unknown: 'There is no such form.',
  rule_answer_unknown: 'The form has no question of this name.',
  rule_hidden_unknown: 'The form has no hidden field of this name.',
  rule_custom_field_unknown: 'Contacts have no field of this name.',
} satisfies RuleWords<typeof conditions>
