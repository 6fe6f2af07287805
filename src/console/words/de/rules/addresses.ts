import type { Translation } from '../../../../words/sentences.ts'
import type { addressesRules as english } from '../../en/rules/addresses.ts'

export const addressesRules: Translation<typeof english> = {
  rule_email: 'Muss eine E-Mail-Adresse sein.',
  rule_email_length: 'Muss eine E-Mail-Adresse von höchstens 320 Zeichen sein.',
  rule_email_needed: 'Ein Posteingang für E-Mail braucht eine Adresse.',
  rule_not_email: 'Jede Zeile muss eine E-Mail-Adresse sein.',
  rule_domain: 'Muss eine Domain sein, etwa acme.test.',
  rule_host: 'Muss der Name eines Servers sein, etwa imap.acme.test.',
  rule_url_https: 'Muss mit https:// und einem Host beginnen.',
  rule_url_http: 'Muss mit https:// oder http:// und einem Host beginnen.',
  rule_url_blanks: 'Darf keine Leerzeichen enthalten.',
  rule_url_user: 'Darf weder Benutzernamen noch Passwort enthalten.',
  rule_url_user_held: 'Darf weder Benutzernamen noch Passwort enthalten.',
  rule_url_host: 'Muss die Adresse eines Servers sein.',
  rule_url_port: 'Muss einen Port von 1 bis 65535 haben.',
  rule_url_private: 'Darf auf keine private oder reservierte Adresse zeigen: Dorthin wird nie etwas gesendet.',
  rule_url_web: 'Muss eine Webadresse sein, die mit http:// oder https:// beginnt.',
  rule_url_https_web: 'Muss eine Webadresse sein, die mit https:// beginnt.',
  rule_site: 'Jede Zeile muss eine Website sein, etwa https://www.acme.test, ohne Pfad.',
}
