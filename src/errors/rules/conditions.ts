/** What conditions are held to (decisions §17). */
export const conditions = {
  all_or_any: 'must hold either "all" or "any", and nothing else',
  condition_field: '{name} is no field: use one of {fields}',
  condition_field_unfit: '{name} is not known of a {subject}',
  operator_needed: 'says nothing of its field: use one of {operators}',
  operator_unknown: '{name} is no operator: use one of {operators}',
  one_operator: 'must hold one operator',
  operator_unfit: 'is not for this field: use one of {operators}',
  tag_unknown: 'there is no such tag',
  form_unknown: 'there is no such form',
  answer_unknown: 'no question of the form has this friendlyId',
  hidden_unknown: 'the form has no such hidden field',
  custom_field_unknown: 'there is no such custom field',
} as const
