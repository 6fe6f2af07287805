import type { Translation } from '../../../../words/sentences.ts'
import type { contactsRules as english } from '../../en/rules/contacts.ts'

export const contactsRules: Translation<typeof english> = {
  rule_contact_taken: 'Es gibt schon einen Kontakt mit dieser E-Mail.',
  rule_contact_unknown: 'Diesen Kontakt gibt es nicht mehr, oder er hat keine E-Mail-Adresse.',
  rule_another_contact: 'Muss ein anderer Kontakt sein.',
  rule_custom_field_taken: 'Es gibt schon ein Feld mit diesem Namen.',
  rule_organisation_unknown: 'Diese Organisation gibt es nicht mehr.',
  rule_group_unknown: 'Diese Gruppe gibt es nicht.',
  rule_group_number: 'Diese Gruppe gibt es nicht.',
  rule_group_wording: 'Ihre Mitglieder haben diesem Wortlaut zugestimmt. Deshalb bleibt er, wie er ist.',
  rule_group_importing:
    'Kontakte aus der Datei {file} kommen gerade in diese Gruppe. Warten Sie, bis alle da sind, oder halten Sie das an.',
  rule_import_begun: 'Diese Datei wird schon eingelesen.',
  rule_email_column: 'Eine Spalte muss die E-Mail-Adresse sein.',
  rule_column_twice: 'Ist auch für eine andere Spalte gewählt.',
  rule_field_unknown: 'Dieses Feld gibt es nicht.',
  rule_quotes: 'Ein Anführungszeichen fehlt oder steht an der falschen Stelle.',
  rule_line_too_long: 'Die Zeile ist zu lang.',
  rule_too_many_cells: 'Es sind mehr Zellen als Spalten.',
  rule_encoding: 'Lässt sich in dieser Zeichenkodierung nicht lesen.',
  rule_yes_no_date: 'Muss ja, nein oder ein Datum sein.',
  rule_decimal: 'Muss eine Zahl sein, zum Beispiel 12.5.',
}
