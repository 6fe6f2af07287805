import type { Translation } from '../../../../words/sentences.ts'
import type { ticketsRules as english } from '../../en/rules/tickets.ts'

export const ticketsRules: Translation<typeof english> = {
  rule_nothing_to_send: 'Darin ist nichts, was sich senden ließe.',
  rule_only_mail_has_copies: 'Nur eine E-Mail kann Kopien haben.',
  rule_only_mail_has_recipients: 'Nur bei einer E-Mail lassen sich die Empfänger wählen.',
  rule_no_recipient: 'Jemand muss die Antwort bekommen. Lassen Sie eine Adresse stehen, oder fügen Sie eine hinzu.',
  rule_too_many_addresses: 'Es dürfen höchstens {most} Adressen sein.',
  rule_only_mail_is_answered: 'Dieses Ticket lässt sich nicht beantworten: Es gibt keine Adresse des Kunden.',
  rule_only_mail_merges: 'Nur E-Mails lassen sich zusammenführen, keine Chats.',
  rule_another_ticket: 'Nennen Sie ein anderes Ticket.',
  rule_merged_already: 'Die beiden Tickets sind schon eines.',
  rule_was_merged: 'Dieses Ticket wurde mit einem anderen zusammengeführt. Arbeiten Sie dort weiter.',
  rule_not_merged: 'Dieses Ticket ist nicht zusammengeführt.',
  rule_merge_too_old:
    'Eine Zusammenführung lässt sich einen Tag lang rückgängig machen. Machen Sie stattdessen einzelne Nachrichten zu eigenen Tickets.',
  rule_only_mail_splits: 'Nur die E-Mail eines Kunden kann ein eigenes Ticket werden.',
  rule_only_message: 'Es ist die einzige Nachricht ihres Tickets.',
  rule_not_failed: 'Diese Antwort wurde gesendet oder wird gerade gesendet.',
  rule_on_its_way: 'Diese Antwort ist schon unterwegs.',
  rule_not_the_writer: 'Nur wer eine Antwort geschrieben hat, kann sie zurückholen.',
  rule_writer_address: 'Wer eine E-Mail schreibt, braucht eine Adresse.',
  rule_placeholder: '{name} ist kein Platzhalter. Möglich sind {placeholders}.',
  rule_too_many_canned_replies: 'Es gibt schon {most}: Löschen Sie zuerst einen.',
  rule_too_many_views: 'Es gibt schon {most} Ansichten: Löschen Sie zuerst eine.',
  rule_tag_taken: 'Ein Schlagwort mit diesem Namen gibt es schon.',
  rule_another_tag: 'Wählen Sie ein anderes Schlagwort.',
  rule_too_many_ticket_tags: 'Es gibt schon {most} Schlagwörter: Löschen Sie zuerst eines.',
  rule_team_taken: 'Ein Team mit diesem Namen gibt es schon.',
  rule_team_unknown: 'Dieses Team gibt es nicht.',
  rule_too_many_teams: 'Es gibt schon {most} Teams: Löschen Sie zuerst eines.',
  rule_attachments_too_large: 'Dateien dürfen zusammen höchstens {size} groß sein.',
}
