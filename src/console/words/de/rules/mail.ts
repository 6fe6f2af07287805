import type { Translation } from '../../../../words/sentences.ts'
import type { mailRules as english } from '../../en/rules/mail.ts'

export const mailRules: Translation<typeof english> = {
  rule_reply_not_sent: 'Die Antwort wurde nicht gesendet. {why}',
  rule_mail_sign_in: 'Der Mailserver hat unsere Anmeldung nicht angenommen.',
  rule_mail_no_access: 'Es gibt keinen Zugang zum Mailserver: Sehen Sie in den Einstellungen nach dem Postfach.',
  rule_mail_deferred: 'Der Mailserver hat sie vorerst abgelehnt: „{said}“.',
  rule_mail_refused: 'Der Mailserver hat sie abgelehnt: „{said}“.',
  rule_mail_impossible: 'Der Mailserver nimmt keine E-Mail dieser Größe oder an diese Adresse.',
  rule_mail_interrupted: 'Der Mailserver hat nicht geantwortet: Sie kann trotzdem angekommen sein.',
  rule_mail_unreachable: 'Der Mailserver war nicht zu erreichen.',
  rule_mail_unreachable_because: 'Der Mailserver war nicht zu erreichen.',
  rule_mail_unwritable: 'Sie ließ sich nicht speichern.',
  rule_no_messenger: 'Mit diesem Posteingang ist kein Messenger verbunden.',
  rule_customer_no_email: 'Der Kunde hat keine E-Mail-Adresse.',
  rule_attachment_missing: 'Eine Datei, die dazugehört, fehlt.',
  rule_forwarded_missing: 'Die Nachricht, die weitergeleitet werden soll, wurde gelöscht.',
  rule_our_fault: 'Bei uns ist etwas schiefgegangen.',
}
