import type { Translation } from '../../../../words/sentences.ts'
import type { conditionsRules as english } from '../../en/rules/conditions.ts'

export const conditionsRules: Translation<typeof english> = {
  rule_all_or_any: 'Sagen Sie, ob alles zutreffen muss oder eines davon.',
  rule_condition_field: '{name} gibt es nicht. Wählen Sie etwas aus der Liste.',
  rule_condition_field_unfit: 'Über {name} ist hier nichts bekannt. Wählen Sie etwas aus der Liste.',
  rule_operator_needed: 'Wählen Sie, wie verglichen wird.',
  rule_operator_unknown: 'So lässt sich nichts vergleichen. Wählen Sie etwas aus der Liste.',
  rule_one_operator: 'Wählen Sie eine Art des Vergleichs.',
  rule_operator_unfit: 'So lässt sich das nicht vergleichen. Wählen Sie eine andere Art.',
  rule_tag_unknown: 'Dieses Schlagwort gibt es nicht.',
  rule_form_unknown: 'Dieses Formular gibt es nicht.',
  rule_answer_unknown: 'Das Formular hat keine Frage mit diesem Namen.',
  rule_hidden_unknown: 'Das Formular hat kein verstecktes Feld mit diesem Namen.',
  rule_custom_field_unknown: 'Kontakte haben kein Feld mit diesem Namen.',
}
