import type { Translation } from '../../../../words/sentences.ts'
import type { formsRules as english } from '../../en/rules/forms.ts'

export const formsRules: Translation<typeof english> = {
  rule_form_changed:
    'Jemand anderes hat das Formular inzwischen geändert, und es ist nichts geschehen. So steht es jetzt da: Wiederholen Sie den Schritt, wenn Sie ihn noch möchten.',
  rule_form_unpublished: 'Das Formular wurde noch nie veröffentlicht.',
  rule_form_owner: 'Niemand hier kann Formulare besitzen. Erlauben Sie es jemandem unter „Benutzer“.',
  rule_form_over:
    'Nach seinen Einstellungen ist das Formular zu Ende. Ändern Sie, wann es schließt oder wie viele Antworten es annimmt, und öffnen Sie es dann wieder.',
  rule_form_closed_at: 'Es wurde am {time} geschlossen.',
  rule_form_full: 'Es hat seine {most} Antworten.',
  rule_form_part_unknown: 'Das Formular wurde inzwischen geändert. Laden Sie die Seite neu.',
  rule_form_question_unknown: 'Diese Frage hat das Formular nicht mehr.',
  rule_nothing_to_undo: 'Es gibt nichts rückgängig zu machen.',
  rule_nothing_to_redo: 'Es gibt nichts zu wiederholen.',
  rule_one_page: 'Ein Formular hat mindestens eine Seite.',
  rule_too_many_questions: 'Ein Formular stellt höchstens {most} Fragen.',
  rule_too_many_questions_in_form: 'Ein Formular stellt höchstens {most} Fragen.',
  rule_question_type: 'Eine Frage behält ihren Typ. Fügen Sie stattdessen eine andere hinzu.',
  rule_too_few_labels: { one: 'Es muss mindestens {count} geben.', other: 'Es müssen mindestens {count} sein.' },
  rule_too_few_contact_fields: 'Es muss mindestens 1 geben.',
  rule_too_few_scales: 'Es muss mindestens 1 geben.',
  rule_selections: 'Darf nicht mehr sein, als höchstens zu wählen ist.',
  rule_scale_start: 'Muss kleiner als der größte Wert sein.',
  rule_scale_end: 'Darf höchstens {most} über dem kleinsten Wert liegen.',
  rule_friendly_id: 'Muss aus Großbuchstaben, Ziffern und einzelnen Unterstrichen bestehen, etwa ANZAHL_PLAETZE.',
  rule_friendly_id_taken: 'Eine andere Frage heißt schon {name}.',
  rule_currency: 'Muss eine Währung sein, etwa EUR.',
  rule_formula_unreadable:
    'Die Formel kann Zahlen, Namen von Fragen in geschweiften Klammern, + - * / und runde Klammern enthalten.',
  rule_formula_parts:
    'Die Formel kann Zahlen, Namen von Fragen in geschweiften Klammern, + - * / und runde Klammern enthalten.',
  rule_formula_name:
    'Die Formel kann Zahlen, Namen von Fragen in geschweiften Klammern, + - * / und runde Klammern enthalten.',
  rule_formula_unknown: 'Die Formel braucht eine Frage mit dem Namen {name}, und es gibt keine.',
  rule_formula_no_number: 'Die Formel braucht die Zahl von {name}, und diese Frage ergibt keine.',
  rule_condition_subject: 'Wählen Sie, wonach die Bedingung fragt.',
  rule_condition_later: 'Eine Bedingung kann sich nur auf frühere Fragen beziehen.',
  rule_condition_no_value: 'Diese Bedingung vergleicht mit nichts.',
  rule_condition_no_scales: 'Die Frage hat keine Skalen.',
  rule_condition_label: '{text} gehört nicht zu den Optionen der Frage.',
  rule_variable_unknown: 'Es gibt keine Variable namens {name}.',
  rule_variable_name_taken: 'Eine Frage heißt schon {name}.',
  rule_variable_cycle: 'Die Formel braucht ihren eigenen Wert: {names}.',
  rule_end_either: 'Ein Ende zeigt entweder einen Text oder führt zu einer Seite.',
  rule_form_part_needed: 'Anderes hängt davon ab: {names}. Ändern Sie das zuerst.',
  rule_formula_divides: 'Die Formel ergibt keinen Betrag, der sich zahlen ließe.',
  rule_formula_negative: 'Die Formel ergibt keinen Betrag, der sich zahlen ließe.',
  rule_formula_too_large: 'Die Formel ergibt keinen Betrag, der sich zahlen ließe.',
  rule_form_html: 'Das ist mehr Text, als ein Formular fasst.',
  rule_form_tags: 'Das ist mehr Text, als ein Formular fasst.',
  rule_form_page_size: 'Das ist mehr, als eine Seite zeigen kann: Die Listen aller Fragen sind zusammen zu lang.',
  rule_text_unknown:
    'Das Formular hat keinen Text {key}. Nichts wurde übernommen: Exportieren Sie die Texte neu und füllen Sie diese aus.',
  rule_text_other:
    'Das übersetzt {was}, und dort steht im Formular jetzt {is}. Nichts wurde übernommen: Exportieren Sie die Texte neu und füllen Sie diese aus.',
  rule_text_language: 'Das ist die Sprache des Formulars selbst.',
  rule_too_many_languages: 'Ein Formular hat neben seiner eigenen höchstens {most} Sprachen.',
  rule_texts_columns:
    'Die erste Zeile muss die Spalten nennen, darunter key und text. Wie, sehen Sie, wenn Sie die Texte exportieren.',
  rule_hidden_field: 'Jede Zeile muss aus 1 bis 40 kleinen Buchstaben, Ziffern und Unterstrichen bestehen.',
  rule_hidden_field_name: 'So kann ein verstecktes Feld nicht heißen.',
  rule_answer_filter: 'Dieser Filter ist nicht vollständig.',
}
