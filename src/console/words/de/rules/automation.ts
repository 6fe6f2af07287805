import type { Translation } from '../../../../words/sentences.ts'
import type { automationRules as english } from '../../en/rules/automation.ts'

export const automationRules: Translation<typeof english> = {
  rule_span: 'Schreiben Sie es als 30m, 4h oder 2d: Minuten, Stunden oder Tage, höchstens ein Jahr.',
  rule_action_unfit: 'Das geht hier nicht. Wählen Sie etwas anderes aus der Liste.',
  rule_user_or_team: 'Wählen Sie eine Person oder ein Team.',
  rule_html_or_canned: 'Schreiben Sie eine Antwort, oder wählen Sie einen Textbaustein.',
  rule_canned_unknown: 'Diesen Textbaustein gibt es nicht. Wählen Sie einen anderen.',
  rule_not_a_colleague: '{address} gehört niemandem, der hier arbeitet. E-Mails gehen nur an Kolleginnen und Kollegen.',
  rule_too_many_rules: 'Es gibt höchstens {most} Regeln. Löschen Sie erst eine.',
  rule_rules_listed: 'Die Reihenfolge hat sich inzwischen geändert. Sehen Sie noch einmal nach.',
  rule_email_inbox: 'Wählen Sie einen Posteingang für E-Mail.',
}
