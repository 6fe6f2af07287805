import type { Translation } from '../../../lib/sentences.ts'
import type { rules as english } from '../en/rules.ts'

export const rules: Translation<typeof english> = {
  rule_name: 'Muss 1 bis 255 Zeichen haben.',
  rule_email: 'Muss eine E-Mail-Adresse von höchstens 320 Zeichen sein.',
  rule_taken: 'Mit dieser E-Mail meldet sich schon jemand an.',
  rule_password: 'Muss 12 bis 1000 Zeichen haben.',
  rule_one_line: 'Muss in einer Zeile stehen.',
  rule_future: 'Muss in der Zukunft liegen.',
  rule_scopes: 'Wählen Sie mindestens eines.',
  rule_keys: 'Es gibt 20 gültige Schlüssel, und mehr kann es nicht geben. Widerrufen Sie erst einen.',
  rule_admin: 'Jemand muss Administrator sein. Geben Sie zuerst jemand anderem diese Rolle.',
  rule_oneself: 'Sie können sich nicht selbst entfernen. Bitten Sie einen anderen Administrator darum.',
  rule_code: 'Das ist nicht der Code, den die App gerade zeigt. Geht die Uhr Ihres Telefons richtig?',
  rule_passkey: 'Der Passkey ließ sich nicht prüfen. Versuchen Sie es noch einmal.',
  rule_passkey_known: 'Diesen Passkey gibt es schon.',
  rule_cursor: 'Die Adresse dieser Seite ist nicht vollständig.',
}
