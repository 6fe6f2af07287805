import type { Translation } from '../../../../words/sentences.ts'
import type { calendarsRules as english } from '../../en/rules/calendars.ts'

export const calendarsRules: Translation<typeof english> = {
  rule_zone: '{text} ist keine Zeitzone. Wählen Sie eine wie Europe/Berlin oder UTC.',
  rule_hours_pair: 'Geben Sie zwei Zeiten an, etwa 09:00 und 17:00.',
  rule_hours_midnight: 'Was um Mitternacht beginnt, beginnt am nächsten Tag um 00:00.',
  rule_hours_equal: '{text} endet, wann es beginnt. Ein ganzer Tag ist 00:00-24:00.',
  rule_day_off:
    '{text} ist kein Datum mit einem Namen. Schreiben Sie eine Zeile für jeden Tag, etwa 2026-12-25 Weihnachten.',
  rule_ics: 'Wählen Sie eine ICS-Datei.',
  rule_ics_too_much: 'Diese Datei enthält mehr Termine als ein Kalender mit Feiertagen.',
}
